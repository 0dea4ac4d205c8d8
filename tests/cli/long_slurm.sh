#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# docs/slurm.sbatch on a cluster of one node: munged, slurmctld and slurmd on the loopback address,
# with all their files in a temporary folder.  Needs root, as slurmd does; skipped where Slurm is
# not installed.
#
#   tests/cli/long_slurm.sh PROGRAM SOURCE-DIR
set -u
program=$(realpath "$1") || exit 2
source_dir=$(realpath "$2") || exit 2
for needed in munged slurmctld slurmd sbatch; do
    if ! PATH=$PATH:/usr/sbin command -v "$needed" >/dev/null; then
        echo "skipped: $needed is not installed"
        exit 0
    fi
done
if [ "$(id -u)" != 0 ]; then
    echo 'skipped: not root'
    exit 0
fi
PATH=$PATH:/usr/sbin
scratch=$(mktemp -d) || exit 2
chmod 755 "$scratch"
daemons=
trap 'kill $daemons 2>/dev/null; wait; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

fail() {
    echo "FAILED: $1"
    tail -n 20 ./*.log
    exit 1
}

# ---- The cluster. ----
mkdir state spool munge bin
head -c 1024 /dev/urandom >munge/key
chmod 700 munge && chmod 600 munge/key
node=$(hostname -s)
port=$((20000 + $$ % 10000 * 2))
export SLURM_CONF=$scratch/slurm.conf
cat >slurm.conf <<END
ClusterName=ringtail
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$scratch/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=5 State=UP
END
munged --foreground --force --key-file=munge/key --socket="$scratch/munge.socket" \
    --pid-file="$scratch/munge/pid" --log-file="$scratch/munge.log" \
    --seed-file="$scratch/munge/seed" >munged.log 2>&1 &
daemons="$daemons $!"
for _ in $(seq 50); do
    [ ! -S munge.socket ] || break
    sleep 0.1
done
slurmctld -D -i >slurmctld.log 2>&1 &
daemons="$daemons $!"
slurmd -D -N "$node" >slurmd.log 2>&1 &
daemons="$daemons $!"
for _ in $(seq 60); do
    [ "$(timeout 5 sinfo -h -o %t 2>sinfo.log)" != idle ] || break
    sleep 0.5
done
[ "$(timeout 5 sinfo -h -o %t 2>>sinfo.log)" = idle ] || fail 'the cluster does not come up'

# ---- The array. ----
ln -s "$program" bin/ringtail
export PATH=$scratch/bin:$PATH
sed -e '/^sweep:/,$d' "$source_dir/tests/golden/virtio_fs.yaml" >sweep.yaml
echo 'sweep: {fio.depth: [8, 16, 24, 32, 40]}' >>sweep.yaml
timeout 240 sbatch --wait --array="1-$(ringtail plan --count sweep.yaml)" \
    "$source_dir/docs/slurm.sbatch" sweep.yaml parts >sbatch.log 2>&1 || fail 'the array'
ringtail merge parts/sweep.point-*-of-0005.jsonl -o merged 2>merge.log || fail 'merge'
[ ! -s merge.log ] || fail 'something is missing'
ringtail run sweep.yaml -o whole >run.log 2>&1 || fail 'the whole run'
cmp merged whole || fail 'the array gives other bytes than one machine'
echo "$(ls parts | wc -l) tasks of Slurm, merged"
