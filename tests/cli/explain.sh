#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What explain prints is an experiment that gives the same report, wherever it stands; with a
# variant and a point, the report of these.
#
#   tests/cli/explain.sh PROGRAM SOURCE-DIR
set -u
program=$(realpath "$1") || exit 2
source_dir=$(realpath "$2") || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
bad=0

fail() {
    echo "FAILED: $1"
    bad=1
}

# explain WORDS...: into explained.yaml, which a second explain leaves as it is but for comments.
explain() {
    "$program" explain "$@" >explained.yaml || fail "explain $*"
    "$program" explain explained.yaml >again.yaml || fail "explain of explain $*"
    diff <(sed 's/  *#.*//' explained.yaml) <(sed 's/  *#.*//' again.yaml) >difference ||
        { fail "explain of explain $* differs"; cat difference; }
}

# same: both experiments of the line give the same report.
same() {
    cmp expected.txt actual.txt || { fail "$1"; diff expected.txt actual.txt | head; }
}

run() { "$program" run --quick --repeats 1 "$@"; }

for file in "$source_dir"/tests/golden/*.yaml "$source_dir"/configs/cases/*.yaml \
    "$source_dir"/configs/virtio_fs_read.yaml; do
    explain "$file"
    case $file in
    */virtio_fs_read.yaml) continue ;; # takes long; the golden ones have all that it has
    esac
    run "$file" >expected.txt
    run explained.yaml >actual.txt
    same "$file"
done

# --set, where a variant changes the same.
golden=$source_dir/tests/golden/virtio_fs.yaml
explain --set queue.policy=timer_retry --set disk.service='{exponential: 10us}' "$golden"
run --set queue.policy=timer_retry --set disk.service='{exponential: 10us}' "$golden" >expected.txt
run explained.yaml >actual.txt
same 'explain --set'

# Every kind of value, files of values beside the experiment, what it extends.
mkdir folder
printf '10us\n20us # two\n' >folder/times.txt
printf 'a_us,b\n1,x\n2,y\n' >folder/times.csv
cat >folder/base.yaml <<'END'
ringtail: 1
cpus: {app: , loop: {loop: 1us}}
stack:
  load: {model: closed_load, cpu: app, think: {uniform: [1us, 2us]}, size: 1KiB}
  disk: {model: device, service: {sequence: times.txt}}
END
cat >folder/child.yaml <<'END'
extends: base.yaml
title: "a # title: \"quoted\" 'twice'"
run: {measure: 50 requests, warmup: 1ms}
variants: {"one: # 1": {disk.delay: {empirical: {file: times.csv, column: a_us}, plus: 1us}}, two: }
sweep: {zip: {load.depth: [1, 4], disk.servers: [2, 3]}, app.wake: [0s, 5us]}
compare: {from: two, to: "one: # 1"}
END
explain folder/child.yaml
"$program" run folder/child.yaml >expected.txt
"$program" run explained.yaml >actual.txt
same 'explain of a file that extends another'
grep -q '^  load: *#' explained.yaml || fail 'a stage has its summary'
grep -q 'wake: 0s *# default; swept' explained.yaml || fail 'a sweep is named'
grep -q 'delay: 0s *# default; changed by one: # 1' explained.yaml || fail 'a variant is named'
grep -q 'service: .*# folder/base.yaml:5' explained.yaml || fail 'the other file is named'
grep -q 'repeats: 8 *# default' explained.yaml || fail 'repeats have a default'

# A variant at a point: its values stand in the stack.
explain --variant 'one: # 1' --point 3 folder/child.yaml
"$program" run explained.yaml >actual.txt || fail 'an explained point'
grep -q 'depth: 4 *# sweep, line 5' explained.yaml || fail 'the point of the sweep'
grep -q 'delay: {empirical.*# variant one: # 1, line 4' explained.yaml || fail 'the variant'
label='load.depth = 4, disk.servers = 3, app.wake = 0s'
grep -qF "$label" actual.txt || fail 'the label of the point'
line=$(grep -m1 -A5 -F "$label" actual.txt | grep '  one')
grep -qF -- "$(echo "$line" | cut -c 1-40)" expected.txt || fail 'the figures of the variant'
exit "$bad"
