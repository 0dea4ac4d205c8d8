#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A sweep of 1,000 points holds under 256 MiB: run, reported and merged.
#
#   tests/cli/long_memory.sh PROGRAM SOURCE-DIR
set -u
program=$(realpath "$1") || exit 2
golden=$(realpath "$2")/tests/golden/virtio_fs.yaml
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
limit_kib=$((256 * 1024))
bad=0

# peak WORDS...: the most memory that the program held, in KiB.
peak() {
    /usr/bin/python3 - "$program" "$@" <<'END'
import resource
import subprocess
import sys

with open("out", "w") as out:
    subprocess.run(sys.argv[1:], stdout=out, stderr=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
}

# holds WORDS...
holds() {
    local kib
    kib=$(peak "$@") || kib=failed
    echo "$((kib / 1024)) MiB: ringtail $1"
    if [ "$kib" = failed ] || [ "$kib" -ge "$limit_kib" ]; then
        echo "FAILED: ringtail $*: $kib KiB"
        bad=1
    fi
}

sed -e '/^sweep:/,$d' -e 's/measure: 1s/measure: 300ms/' "$golden" >sweep.yaml
cat >>sweep.yaml <<'END'
sweep:
  fio.depth: {from: 1, to: 40, step: 1}
  disk.delay: {from: 1us, to: 25us, step: 1us}
END
[ "$("$program" plan --count sweep.yaml)" = 1000 ] || { echo 'FAILED: not 1,000 points'; exit 1; }
holds plan sweep.yaml
holds run -j2 --quick --repeats 8 -o whole sweep.yaml
holds report whole
holds report --format json whole
holds run -j2 --quick --repeats 8 --shard 3/16 -o part sweep.yaml
holds merge part whole -o merged
cmp merged whole || bad=1
holds run --quick --repeats 8 --resume -o whole sweep.yaml
exit "$bad"
