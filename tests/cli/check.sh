#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ringtail check: verdicts on intervals, exit status, and the files for a CI.
#   bash check.sh PROGRAM SOURCE-DIR
set -u
program=$(realpath "$1") || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

# Arguments: what is tested, the status that is due, the status found.
expect_status() {
    if [ "$2" != "$3" ]; then
        echo "$1: exit status $3, due is $2"
        cat out err
        failures=$((failures + 1))
    fi
}

expect_text() {
    if ! grep -qF -- "$2" "$3"; then
        echo "$1: no \`$2\` in $3:"
        cat "$3"
        failures=$((failures + 1))
    fi
}

# M/M/1 at load 0.5: mean 200us, p50 138.6us, p99 921us.
write() {
    cat >"$1" <<EOF
ringtail: 1
title: a <queue> & "more" | 100 %
run: {warmup: 100ms, measure: 5s, drain: 100ms, repeats: 8}
stack:
  load: {model: open_load, rate: 5k/s}
  server: {model: device, service: {exponential: 100us}}
variants:
  slow: {}
  fast: {server.service: {exponential: 50us}}
expect:
$2
EOF
}

check() {
    "$program" check "$@" >out 2>err
}

write pass.yaml '  - {metric: p99, of: slow, between: [850us, 1ms], name: tail}
  - {metric: mean, of: slow, versus: fast, between: [2.8, 3.2]}
  - {metric: utilisation.cpu0, of: slow, max: 5%}'
check pass.yaml
expect_status "a cpu that is not there" 2 $?
expect_text "a cpu that is not there" \
    "pass.yaml:13:14: error: \`cpu0\` of \`utilisation.cpu0\` is not there" err

write pass.yaml '  - {metric: p99, of: slow, between: [850us, 1ms], name: tail}
  - {metric: mean, of: slow, versus: fast, between: [2.8, 3.2]}
  - {metric: share.server:queued, of: slow, between: [45%, 55%]}
  - {metric: counter.server.served, of: fast, min: 4.9k/s}
  - {metric: drops, of: fast, max: 0}'
check pass.yaml --junit j.xml --summary s.md --benchmark b.json -o r.jsonl
expect_status "all pass" 0 $?
expect_text "all pass" "5 passed, 0 failed, 0 inconclusive" out
expect_text "the mean of M/M/1 at 0.5 and 0.25" "mean of slow versus fast" out
[ -s r.jsonl ] || { echo "no result was kept"; failures=$((failures + 1)); }

write fail.yaml '  - {metric: p99, of: slow, max: 800us, name: tail, reason: the service level}
  - {metric: mean, of: slow, max: 1ms}'
check fail.yaml --junit j.xml --summary s.md --benchmark b.json
expect_status "one fails" 1 $?
expect_text "the reason is printed" "because the service level" out
expect_text "one fails" "1 passed, 1 failed" out
expect_text "junit counts" 'tests="2" failures="1" errors="0"' j.xml
expect_text "junit escapes" 'name="a &lt;queue&gt; &amp; &quot;more&quot; | 100 %"' j.xml
expect_text "markdown escapes" 'a \<queue\> & "more" \| 100 %' s.md
python3 - <<'EOF' || failures=$((failures + 1))
import json, xml.dom.minidom
xml.dom.minidom.parse("j.xml")
figures = json.load(open("b.json"))
assert len({f["name"] for f in figures}) == len(figures), "names repeat"
assert all(set(f) <= {"name", "unit", "value", "range"} and f["value"] > 0 for f in figures)
EOF

# The tail of a run that is too short for it, and a limit in the middle of the interval.
write short.yaml '  - {metric: p99.99, of: slow, max: 5ms}'
check short.yaml
expect_status "too short" 3 $?
expect_text "how long it should be" "times as long" out
check short.yaml --inconclusive=pass
expect_status "inconclusive is passed" 0 $?
check short.yaml --inconclusive=fail
expect_status "inconclusive is failed" 1 $?
check short.yaml --inconclusive=maybe
expect_status "no such choice" 2 $?
check fail.yaml --repeats 1
expect_status "one repeat" 3 $?
expect_text "one repeat" "one repeat has no interval" out

# Unstable: the percentile measures the length of the run.
write unstable.yaml '  - {metric: p99, of: slow, max: 100s}'
check unstable.yaml --set load.rate=15k/s
expect_status "unstable" 3 $?
expect_text "unstable" "the system is unstable" out

# Nothing finished: an empty side never passes.
write empty.yaml '  - {metric: mean, of: fast, max: 1s}'
check empty.yaml --set server.delay=1000s
expect_status "an empty side" 1 $?
expect_text "an empty side" "no request was completed" out

# Half of the repeats on either side of a step.
cat >step.yaml <<'EOF'
ringtail: 1
run: {warmup: 0s, measure: 3s, repeats: 16}
stack:
  load: {model: open_load, rate: 1k/s, arrivals: constant}
  server:
    model: device
    servers: 100
    service: {mixture: [{weight: 0.99, value: 1ms}, {weight: 0.01, value: 50ms}]}
expect:
  - {metric: p99, max: 10ms}
EOF
check step.yaml
expect_status "the edge of a step" 3 $?
expect_text "the edge of a step" "the edge of a step" out

write full.yaml '  - {metric: mean, of: slow, max: 1ms}'
if [ -e /dev/full ]; then
    check full.yaml --junit /dev/full
    expect_status "a full disk" 4 $?
    "$program" check full.yaml >/dev/full 2>err
    expect_status "a full disk for the report" 4 $?
fi
check
expect_status "no file" 2 $?

# A baseline: accepted, kept, a planted regression found with its place, another seed no alarm.
write base.yaml '  - {metric: mean, of: slow, max: 1ms}'
check base.yaml --update
expect_status "accepted" 0 $?
[ -s base.baseline.json ] || { echo "no baseline was written"; failures=$((failures + 1)); }
check base.yaml
expect_status "as it was" 0 $?
check base.yaml --seed 7
expect_status "another seed" 0 $?
expect_text "the difference is named" "seed 1 -> 7" out
check base.yaml --set server.delay=50us --junit j.xml
expect_status "a regression" 1 $?
expect_text "the parameter is named" "server.delay" out
expect_text "the phase is named" "where: server: delay" out
check base.yaml --set server.delay=50us --tolerance=900%
expect_status "a regression within the tolerance" 0 $?
check base.yaml --update --quick
expect_status "not what the file says" 2 $?
cp base.yaml other.yaml
check other.yaml --baseline base.baseline.json
expect_status "a baseline elsewhere" 0 $?
"$program" run base.yaml -o base.jsonl >out 2>err
check base.yaml --baseline base.jsonl
expect_status "a result as the baseline" 0 $?
mkdir folder
check base.yaml --update --baseline folder
expect_status "a folder" 0 $?
[ -s folder/base.baseline.json ] ||
    { echo "no baseline in the folder"; failures=$((failures + 1)); }
check base.yaml --baseline nowhere.json
expect_status "no such baseline" 2 $?
for mistake in ': >' 'head -c 300 base.baseline.json >' 'echo "{}" >' \
    'sed "s/\"version\": *1/\"version\": 99/" base.baseline.json >' \
    'head -n 3 base.jsonl | head -c 2000 >'; do
    eval "$mistake bad.json"
    check base.yaml --baseline bad.json
    expect_status "a baseline by $mistake" 2 $?
    expect_text "a baseline by $mistake" "bad.json" err
done

[ "$failures" = 0 ] && echo "check: good"
exit $((failures > 0))
