#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A sweep spread over machines: plan, --point by number and as array jobs give it, the names of
# results, what merge says is missing; and with GNU parallel where it is installed.
#
#   tests/cli/points.sh PROGRAM SOURCE-DIR
set -u
program=$(realpath "$1") || exit 2
source_dir=$(realpath "$2") || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
unset SLURM_ARRAY_TASK_ID JOB_COMPLETION_INDEX
bad=0

cat >sweep.yaml <<'END'
ringtail: 1
title: twelve points
run: {warmup: 1ms, measure: 20ms, repeats: 3}
stack:
  load: {model: closed_load, depth: 1}
  disk: {model: device, service: {exponential: 10us}}
variants: {one: {disk.servers: 1}, two: {disk.servers: 2}}
sweep: {load.depth: {from: 1, to: 12, step: 1}}
END

fail() {
    echo "FAILED: $1"
    sed 's/^/    /' err
    bad=1
}

# expect STATUS WORDS...: runs the program; its output is in out and err.
expect() {
    local expected=$1 status
    shift
    "$program" "$@" >out 2>err
    status=$?
    [ "$status" = "$expected" ] || fail "ringtail $*: exit status $status, not $expected"
}

# mistake TEXT WORDS...: status 2, one message with the text, nothing on stdout.
mistake() {
    local text=$1
    shift
    expect 2 "$@"
    grep -qF -- "$text" err || fail "missing on stderr: $text"
    [ ! -s out ] || fail "ringtail $*: stdout should be empty"
}

says() { grep -qF -- "$2" "$1" || fail "missing in $1: $2"; }
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ${3:+: $3}"; }

expect 0 run -o whole sweep.yaml
cp out whole.txt

# ---- The plan. ----
expect 0 plan sweep.yaml
says out '    7      6  load.depth = 7'
says out '12 points x 2 variants x 3 repeats = 72 runs'
expect 0 plan --count sweep.yaml
[ "$(cat out)" = 12 ] || fail 'the number of points'
expect 0 plan --format json sweep.yaml
if command -v jq >/dev/null; then
    found=$(jq -c '.[6]' out)
    [ "$found" = '{"point":7,"runs":6,"parameters":{"load.depth":"7"}}' ] || fail "json: $found"
fi
expect 0 plan "$source_dir/tests/golden/empty.yaml"
says out '    1      4  as written'
expect 0 plan --set disk.service=1us sweep.yaml
mistake 'there is no parameter' plan --set disk.nothing=1 sweep.yaml
mistake 'no experiment to plan' plan
mistake 'unexpected `more`' plan sweep.yaml more
mistake 'unknown format `yaml`' plan --format yaml sweep.yaml

# ---- Points, and what their results are called. ----
for point in $(seq 12 -1 1); do
    expect 0 run --point "$point" sweep.yaml
    name=$(printf 'sweep.point-%04d-of-0012.jsonl' "$point")
    says err "the result is in $name"
    says out 'partial: 6 of 72 runs have finished, at 1 of 12 points'
    says out "load.depth = $point "
    [ "$(grep -c '^load.depth = ' out)" = 1 ] || fail 'points without a run are listed'
done
# shellcheck disable=SC2046 # words
expect 0 merge $(ls sweep.point-* | shuf) -o merged
same merged whole 'merge of points'
expect 0 report merged
same out whole.txt
rm sweep.point-0003-* sweep.point-0007-*
mkdir parts
expect 0 run --point 3 --shard 2/4 -o parts sweep.yaml
[ -f parts/sweep.point-0003-of-0012.shard-2-of-4.jsonl ] || fail 'a shard of a point'
expect 0 merge sweep.point-* parts/* -o merged
says err '10 of 72 runs are missing:'
says err '  point 3 (load.depth = 3), one: repeats 1, 3 of 3'
says err '  point 3 (load.depth = 3), two: repeats 1-2 of 3'
says err '  point 7 (load.depth = 7), two: repeats 1-3 of 3'
for shard in 1 3 4; do
    expect 0 run --point 3 --shard "$shard/4" -o parts sweep.yaml
done
expect 0 run --point 7 -o seven sweep.yaml
[ ! -s err ] || fail 'a name that was given is not told again'
expect 0 merge parts/* seven sweep.point-* -o merged
[ ! -s err ] || fail 'nothing is missing'
same merged whole 'merge of points and shards of one'
expect 0 run -o parts sweep.yaml
same parts/sweep.jsonl whole 'a whole result in a folder'
for shard in 3 1 2; do
    expect 0 run --shard "$shard/3" sweep.yaml
done
expect 0 merge sweep.shard-2-of-3.jsonl sweep.shard-1-of-3.jsonl sweep.shard-3-of-3.jsonl -o merged
same merged whole 'shards under their own names'
expect 0 run --point 2 --resume sweep.yaml
same sweep.point-0002-of-0012.jsonl <(grep -E '^\{"format"|"point":1,' whole) 'resumed'

# ---- Array jobs. ----
export SLURM_ARRAY_TASK_ID=12
rm sweep.*.jsonl
expect 0 run --point auto sweep.yaml
[ -f sweep.point-0012-of-0012.jsonl ] || fail 'the task of Slurm is the point'
SLURM_ARRAY_TASK_ID=13 mistake 'there is no point 13' run --point auto sweep.yaml
says err 'the sweep has 12'
SLURM_ARRAY_TASK_ID=0 mistake 'SLURM_ARRAY_TASK_ID: error: `0` is too small' \
    run --point auto sweep.yaml
JOB_COMPLETION_INDEX=1 mistake 'both SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are set' \
    run --point auto sweep.yaml
unset SLURM_ARRAY_TASK_ID
JOB_COMPLETION_INDEX=0 expect 0 run --point auto sweep.yaml
[ -f sweep.point-0001-of-0012.jsonl ] || fail 'the index of Kubernetes counts from 0'
JOB_COMPLETION_INDEX=12 mistake 'there is no point 13' run --point auto sweep.yaml
JOB_COMPLETION_INDEX=x mistake 'JOB_COMPLETION_INDEX: error: ' run --point auto sweep.yaml
mistake 'neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set' run --point auto sweep.yaml
mistake '`0` is too small' run --point 0 sweep.yaml
mistake 'there is no point 13' run --point 13 sweep.yaml
mistake 'a result holds one experiment' run --point 1 sweep.yaml sweep.yaml

# ---- GNU parallel. ----
if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    rm sweep.*.jsonl
    seq "$("$program" plan --count sweep.yaml)" |
        parallel -j 2 --halt soon,fail=1 "$program" run sweep.yaml -j 1 --point {} >out 2>err ||
        fail 'parallel'
    expect 0 merge sweep.point-*.jsonl -o merged
    same merged whole 'GNU parallel'
else
    echo 'skipped: GNU parallel is not installed'
fi
exit "$bad"
