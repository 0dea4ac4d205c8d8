#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `until`: the repeats are doubled until the figure is known as well as asked, which is checked
# against the intervals of runs with fixed numbers of repeats; neither threads nor a broken run
# change the result.
#
#   tests/cli/until.sh PROGRAM SOURCE-DIR
set -u
program=$(realpath "$1") || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
bad=0

fail() {
    echo "FAILED: $1"
    sed 's/^/    /' err
    bad=1
}

# experiment UNTIL AT-MOST REPEATS
experiment() {
    cat <<END
ringtail: 1
title: as many as it takes
run: {warmup: 10ms, measure: 500ms, repeats: $3, until: {metric: $1}, at_most: $2 repeats}
stack:
  load: {model: open_load, rate: 7k/s}
  disk: {model: device, service: {exponential: 100us}}
variants: {one: {load.rate: 5k/s}, two: {load.rate: 7k/s}}
sweep: {disk.delay: [1us, 20us]}
END
}

# expect STATUS WORDS...: runs the program; its output is in out and err.
expect() {
    local expected=$1 status
    shift
    "$program" "$@" >out 2>err
    status=$?
    [ "$status" = "$expected" ] || fail "ringtail $*: exit status $status, not $expected"
}

says() { grep -qF -- "$2" "$1" || fail "missing in $1: $2"; }
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ${3:+: $3}"; }

# worst METRIC REPEATS: the further end of the widest interval, in percent, from a report as CSV.
worst() {
    "$program" run --repeats "$2" --format csv until.yaml 2>err |
        awk -F, -v metric="$1" '
            NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
            NR > 1 && $column["metric"] == metric && $column["versus"] == "" {
                value = $column["value"]
                below = (value - $column["low"]) / value
                above = ($column["high"] - value) / value
                half = above > below ? above : below
                worst = half > worst ? half : worst
            }
            END { printf "%.4f\n", 100 * worst }'
}

# less A B
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

# ---- Reached after some doublings, and not before. ----
experiment 'mean, within: 4%' 64 4 >until.yaml
expect 0 run -j2 -o reached until.yaml
cp out reached.txt
made=$(sed -n 's/^until mean is within 4 %: reached with \([0-9]*\) repeats of .*/\1/p' out)
case $made in
8 | 16 | 32 | 64) ;;
*) fail "repeats made: $made" ;;
esac
less "$(worst lat.mean "$made")" 4 || fail "$made repeats are not enough"
less 4 "$(worst lat.mean $((made / 2)))" || fail "$((made / 2)) repeats were enough"
expect 0 run -o fixed --repeats "$made" until.yaml
same <(tail -n +2 fixed) <(tail -n +2 reached) 'as many repeats, asked for'
expect 0 report reached
same out reached.txt
expect 0 run -j1 -o one until.yaml
same one reached 'threads'
expect 0 run --format json until.yaml
says out "\"until\":{\"metric\":\"mean\",\"within\":0.04,\"at_most\":64,\"reached\":true,"

# ---- Broken off and resumed. ----
for wait in 0.1 0.3 0.5; do
    rm -f broken broken.part
    "$program" run -j2 -o broken until.yaml >out 2>err &
    sleep "$wait"
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
    expect 0 run --resume -o broken until.yaml
    same broken reached "killed after $wait s"
    same out reached.txt
done
expect 0 run --resume -o reached until.yaml
same broken reached 'resumed, and nothing was missing'
# Less is asked for now: what is more than that is left out.
experiment 'mean, within: 60%' 64 4 >until.yaml
expect 0 run --resume -o broken until.yaml
says out 'until mean is within 60 %: reached with 4 repeats of at most 64'
expect 0 run -o one until.yaml
same broken one 'resumed with a weaker until'

# ---- Not reached. ----
experiment 'mean, within: 0.1%' 11 4 >until.yaml
expect 0 run -o all until.yaml
says out 'until mean is within 0.1 %: not reached with 11 repeats, of at most 11; two at disk.delay'
[ "$(wc -l <all)" = 45 ] || fail 'not 11 repeats'
experiment 'p99.99, within: 5%' 4 2 >until.yaml
expect 0 run until.yaml
says out 'one at disk.delay = 1us has no interval: measure longer'

# ---- What overrides it. ----
expect 0 run --quick until.yaml
! grep -q '^until ' out || fail '--quick makes more repeats'
expect 0 run --repeats 3 until.yaml
! grep -q '^until ' out || fail '--repeats makes more repeats'
for part in '--shard 1/2' '--point 1'; do
    # shellcheck disable=SC2086 # words
    expect 2 run $part until.yaml
    says err 'a part of the runs cannot tell when `until` is reached'
    # shellcheck disable=SC2086
    expect 0 run --repeats 2 $part until.yaml
done

# ---- Equal repeats are enough at once. ----
experiment 'rate, within: 5%' 4 2 |
    sed 's/open_load, rate: 7k.s/closed_load/; s/{exp.*us}}/100us}/; /^variants/d' >until.yaml
expect 0 run until.yaml
says out 'until rate is within 5 %: reached with 2 repeats of at most 4'
exit "$bad"
