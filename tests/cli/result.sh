#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The result as a user meets it: kept, reported again, broken off and resumed, split and merged,
# damaged, on a full disk.
#
#   tests/cli/result.sh PROGRAM SOURCE-DIR
set -u
program=$(realpath "$1") || exit 2
experiment=$(realpath "$2")/tests/golden/virtio_fs.yaml
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
bad=0

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

# mistake TEXT WORDS...: status 2, one message, nothing on stdout.
mistake() {
    local text=$1
    shift
    expect 2 "$@"
    grep -qF -- "$text" err || fail "missing on stderr: $text"
    [ ! -s out ] || fail "ringtail $*: stdout should be empty"
}

same() { cmp -s "$1" "$2" || fail "$1 and $2 differ${3:+: $3}"; }
absent() { for file; do [ ! -e "$file" ] || fail "$file should not be there"; done; }

# ---- Whole, and reported again. ----
quick() { expect 0 run -j2 --quick --repeats 3 "$@" "$experiment"; }
quick -o whole
absent whole.part
cp out whole.txt
quick -j1 -o one
same whole one 'threads'
for format in text csv json; do
    quick --format "$format"
    cp out "run.$format"
    expect 0 report --format "$format" whole
    same out "run.$format"
done
same run.text whole.txt
columns=point,fio.depth,variant,load,versus,metric,value,unit,low,high,measured,note
head -1 run.csv | grep -qx "$columns" ||
    fail 'the columns of csv'
[ "$(awk -F, '{ print NF }' run.csv | sort -u)" = 12 ] || fail 'rows of csv differ in length'
[ "$(wc -l <whole)" = 13 ] || fail 'not a header and 12 records'
expect 0 report <(cat whole)
same out whole.txt 'from a pipe'
cp whole elsewhere
expect 0 report elsewhere
same out whole.txt 'nothing but the file is needed'

# ---- Shards. ----
for count in 3 7; do
    shards=()
    for i in $(seq "$count"); do
        quick -o "shard.$i" --shard "$i/$count"
        grep -q 'partial: ' out || fail 'a shard is not said to be partial'
        shards+=("shard.$i")
    done
    # shellcheck disable=SC2046 # words
    expect 0 merge $(printf '%s\n' "${shards[@]}" | sort -r) -o merged
    [ ! -s err ] || fail 'nothing is missing'
    same merged whole "merge of $count"
    # shellcheck disable=SC2046
    expect 0 merge $(printf '%s\n' "${shards[@]}" whole | shuf --random-source=whole) -o merged
    same merged whole "merge of $count, with all of them twice"
done
expect 0 merge shard.1 shard.5 -o merged
grep -q 'runs are missing' err || fail 'what is missing is not said'
expect 0 report merged
grep -q 'partial: ' out || fail 'the report of a part is not said to be partial'
expect 0 run -j2 --quick --repeats 5 -o more "$experiment"
expect 0 merge whole more -o merged
same merged more 'repeats that were added'

# ---- Other experiments, other records. ----
expect 0 run --quick --seed 2 -o other "$experiment"
mistake 'other:1: error: this is of another experiment than `whole`' merge whole other -o merged
sed '5s/"cut":\([0-9]*\)/"cut":1\1/' whole >edited
mistake 'edited:5: error: variant' merge whole edited -o merged
grep -q 'differs from whole:5' err || fail 'the other record is not named'
sed '3s/"completed":\([0-9]*\)/"completed":1\1/' whole >edited
mistake 'edited:3: error: damaged: `arrivals`' report edited
mistake 'no results to merge' merge -o merged
mistake 'no `-o FILE`' merge whole
mistake 'no result to report' report
mistake 'did you mean `csv`?' report --format csf whole
mistake 'there is no such file' report nosuch
mistake 'this is a folder' report .

# ---- Options. ----
mistake 'a result holds one experiment' run -o two "$experiment" "$experiment"
mistake '`--resume` needs a result' run --resume "$experiment"
mistake 'I/N' run --shard 2 -o two "$experiment"
mistake 'too large' run --shard 3/2 -o two "$experiment"
mistake 'too small' run --shard 0/2 -o two "$experiment"
mistake 'cannot be written' run -o nosuch/two "$experiment"
absent two two.part

# ---- Broken off. ----
long="--repeats 12 -j2"
# shellcheck disable=SC2086 # words
expect 0 run $long -o long "$experiment"
cp out long.txt
# shellcheck disable=SC2086
for wait in 0.05 0.2 0.4; do
    rm -f cut cut.part
    "$program" run $long -o cut "$experiment" >out 2>err &
    sleep "$wait"
    kill -KILL $!
    wait $! 2>/dev/null
    [ -e cut ] || [ -e cut.part ] || continue
    absent cut
    expect 0 run $long --resume -o cut "$experiment"
    same cut long "resumed after $wait s"
    same out long.txt 'the report of the resumed run'
    absent cut.part
done
rm -f cut cut.part
# shellcheck disable=SC2086
timeout -s INT --preserve-status 0.3 "$program" run --repeats 20000 -o cut "$experiment" >out 2>err
[ $? = 130 ] || fail 'Ctrl-C is not exit status 130'
grep -q 'partial: ' out || fail 'Ctrl-C: the report is not marked'
absent cut
cp out cut.txt
expect 0 report cut.part
same out cut.txt 'the report of FILE.part'
mistake 'cut.part: error: an earlier run was broken off' run -o cut "$experiment"
# shellcheck disable=SC2086
expect 0 run $long --resume -o cut "$experiment"
same cut long 'resumed with fewer repeats'
mistake 'another experiment' run --resume -o cut --seed 5 "$experiment"
# Repeats can be added to a finished result.
cp whole grown
expect 0 run --quick --repeats 5 --resume -o grown "$experiment"
same grown more

# Cut at every byte of the tail of a small file: an error, or for FILE.part a dropped line.
head -3 whole >small
size=$(stat -c %s small)
head=$(head -1 small | wc -c)
for at in 0 1 $((head - 1)) "$head" $((head + 1)) $((size - 1000)) $((size - 1)); do
    head -c "$at" small >cut3
    cp cut3 cut3.part
    if [ "$at" = "$head" ]; then
        expect 0 report cut3
    else
        mistake 'error: ' report cut3
    fi
    rm cut3
    quick --resume -o cut3
    same cut3 whole "resumed from $at bytes"
done

# ---- Full disks. ----
expect 4 run --quick -o /dev/full "$experiment"
grep -q 'No space left on device' err || fail 'a full disk is not said'
for blocks in 0 1 40; do
    rm -f full full.part
    (
        trap '' XFSZ
        ulimit -f "$blocks"
        exec "$program" run --quick -o full "$experiment"
    ) >out 2>err
    [ $? = 4 ] || fail "a full disk after $blocks blocks is not exit status 4"
    absent full
    ls full.*.tmp 2>/dev/null && fail 'a temporary file is left'
done
quick --resume -o full
same full whole 'resumed after a full disk'
expect 4 merge whole -o /dev/full
exit "$bad"
