#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A run that is killed at a random moment, 20 times, is resumed to the bytes of an unbroken one; so
# is one that is interrupted again and again. 7 shards merge to the same bytes in any order. Where
# stderr is no terminal, progress is a line every 10 seconds.
#
#   tests/cli/long_broken_off.sh PROGRAM SOURCE-DIR
set -u
program=$(realpath "$1") || exit 2
golden=$(realpath "$2")/tests/golden/virtio_fs.yaml
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
bad=0

fail() {
    echo "FAILED: $1"
    bad=1
}

# run WORDS...: the experiment, on two threads.
run() { "$program" run -j2 --repeats 12 "$@" "$golden" >out 2>err; }

started=$(date +%s%N)
run -o whole || fail 'the whole run'
took_ms=$((($(date +%s%N) - started) / 1000000))
cp out whole.txt

# ---- Killed, at a moment between the start and the usual end. ----
cut=0
for i in $(seq 20); do
    rm -f broken broken.*
    at_ms=$(((RANDOM * 32768 + RANDOM) % took_ms))
    run -o broken &
    sleep "$((at_ms / 1000)).$(printf '%03d' $((at_ms % 1000)))"
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
    [ ! -e broken.part ] || cut=$((cut + 1))
    run --resume -o broken || fail "resume after $at_ms of $took_ms ms: $(cat err)"
    cmp -s broken whole || fail "killed after $at_ms of $took_ms ms: other bytes"
    cmp -s out whole.txt || fail "killed after $at_ms of $took_ms ms: another report"
    [ ! -e broken.part ] || fail 'FILE.part is left'
done
echo "$cut of 20 were broken off"
[ "$cut" -ge 5 ] || fail 'too few were broken off for this to say anything'

# ---- Interrupted by turns, until it is done. ----
rm -f broken
for i in $(seq 100); do
    signal=TERM
    [ $((i % 2)) = 0 ] || signal=INT
    timeout -s "$signal" --preserve-status 0.3 \
        "$program" run -j2 --repeats 12 --resume -o broken "$golden" >out 2>err
    status=$?
    [ "$status" != 0 ] || break
    [ "$status" = 130 ] || fail "SIG$signal: exit status $status: $(cat err)"
    grep -q 'partial: ' out || fail "SIG$signal: the report is not marked"
    "$program" report broken.part >again 2>err || grep -q 'broken off before' err ||
        [ ! -e broken.part ] || fail "SIG$signal: FILE.part is not valid: $(cat err)"
done
[ "$i" -gt 1 ] || fail 'not interrupted at all'
cmp -s broken whole || fail "interrupted $i times: other bytes"
echo "interrupted $i times"

# ---- 7 shards in random order. ----
for shard in $(seq 7 | shuf); do
    run -o "shard$shard" --shard "$shard/7" || fail "shard $shard: $(cat err)"
done
for i in $(seq 10); do
    # shellcheck disable=SC2046 # words
    "$program" merge $(seq -f 'shard%g' 7 | shuf) -o merged 2>err || fail "merge: $(cat err)"
    cmp -s merged whole || fail 'merge of 7 shards: other bytes'
done

# ---- Progress in a log. ----
timeout -s INT --preserve-status 25 \
    "$program" run -j1 --repeats 20000 "$golden" >out 2>err
lines=$(grep -cE '^[0-9]+ of 80000 runs, [0-9.]+/s, [0-9]+:[0-9]{2} left$' err)
[ "$lines" = 2 ] && [ "$(wc -l <err)" = 2 ] || fail "progress: $(cat err)"
exit "$bad"
