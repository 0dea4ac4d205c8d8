#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ringtail as a user meets it: options, what goes to which stream, exit statuses, a full disk, a
# reader that goes away, Ctrl-C.
#
#   tests/cli/run.sh PROGRAM SOURCE-DIR
set -u
program=$1
golden=$2/tests/golden
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
bad=0
out=$scratch/out
err=$scratch/err

# expect STATUS WORDS...: runs the program; its output is in $out and $err.
expect() {
    local expected=$1 status
    shift
    "$program" "$@" >"$out" 2>"$err"
    status=$?
    [ "$status" = "$expected" ] || fail "ringtail $*: exit status $status, not $expected"
}

fail() {
    echo "FAILED: $1"
    sed 's/^/    /' "$err"
    bad=1
}

# says FILE TEXT
says() { grep -qF -- "$2" "$1" || fail "missing in $(basename "$1"): $2"; }
silent() { [ ! -s "$1" ] || fail "$(basename "$1") should be empty"; }

# Help and version.
expect 0 --version
says "$out" 'ringtail '
expect 0 help
says "$out" 'ringtail run FILE...'
expect 0 help run
says "$out" '--set PATH=VALUE'
cp "$out" "$scratch/help"
expect 0 run --help
cmp -s "$out" "$scratch/help" || fail 'run --help is not help run'
expect 0 models
says "$out" virtio_fs
for model in $(sed 's/ .*//' "$out"); do
    expect 0 help "$model"
    says "$out" 'phases of a request'
done
expect 0 help cpu
says "$out" 'wake'
expect 0 help experiment
says "$out" 'measure: 1000 requests'
expect 0 help distributions
for kind in exponential uniform normal lognormal pareto gamma mixture empirical sequence; do
    says "$out" "{$kind: "
done
expect 0 help metrics
says "$out" 'phase.queue:pending'
expect 0 help --markdown
says "$out" '## virtio_fs'
silent "$err"

# Mistakes: status 2, the message on stderr, a hint, and nothing on stdout.
mistake() {
    local text=$1
    shift
    expect 2 "$@"
    says "$err" 'error: '
    says "$err" "$text"
    silent "$out"
}
mistake 'no command'
mistake 'did you mean `run`?' rum
mistake 'did you mean `virtio_fs`?' help virtiofs
mistake 'unexpected `more`' models more
mistake 'unexpected `more`' help run more
mistake 'did you mean `metrics`?' help metric
mistake 'unexpected `more`' schema more
mistake 'no experiment to explain' explain
mistake 'unexpected `more`' explain "$golden/empty.yaml" more
mistake 'no experiment to run' run
mistake 'did you mean `--quick`?' run --quik "$golden/empty.yaml"
mistake 'takes no value' run --quick=yes "$golden/empty.yaml"
mistake 'needs a value' run "$golden/empty.yaml" --seed
mistake '`0` is too small' run -j0 "$golden/empty.yaml"
mistake 'x' run --repeats x "$golden/empty.yaml"
mistake 'too large' run --repeats 1000000000 "$golden/empty.yaml"
mistake 'nosuch.yaml' run nosuch.yaml
mistake 'nosuch.yaml' run "$golden/empty.yaml" nosuch.yaml
mistake '--set' run --set nosuch.path=1 "$golden/empty.yaml"
mistake 'time stands still' run --set disk.service=0s "$golden/empty.yaml"

# Options, in any place.
expect 0 run --set flood.rate=1k/s "$golden/two_loads.yaml" --repeats=2 -j 1 --seed 7
says "$out" 'seed 7   2 x'
silent "$err"
expect 0 run --quick -- "$golden/two_loads.yaml"
says "$out" quick
expect 0 run "$golden/two_loads.yaml" "$golden/virtio_fs.yaml"
says "$out" 'golden, two loads'
says "$out" 'golden, virtio-fs'

# A side that completes nothing.
expect 1 run "$golden/empty.yaml"
says "$out" 'no request of `load` was completed'

# The number of threads does not matter.
expect 0 run -j 1 "$golden/virtio_fs.yaml"
cp "$out" "$scratch/one"
expect 0 run -j2 "$golden/virtio_fs.yaml"
cmp -s "$out" "$scratch/one" || fail '-j 1 and -j 2 differ'

# A full disk is said; a reader that has seen enough is not.
"$program" run "$golden/two_loads.yaml" >/dev/full 2>"$err"
[ $? = 4 ] || fail 'a full disk is not exit status 4'
says "$err" 'cannot write to stdout: No space left on device'
"$program" help virtio_fs 2>"$err" >/dev/full
[ $? = 4 ] || fail 'a full disk is not exit status 4 for help'
"$program" run "$golden/virtio_fs.yaml" 2>"$err" | head -1 >"$out"
silent "$err"
says "$out" 'golden, virtio-fs'
(trap '' PIPE; "$program" run "$golden/virtio_fs.yaml" 2>"$err" | true)
silent "$err"

# Ctrl-C and the like: soon, with what is complete.  More repeats than anyone waits for.
for signal in INT TERM; do
    timeout -s "$signal" --preserve-status 2 "$program" run --repeats 20000 \
        "$golden/virtio_fs.yaml" >"$out" 2>"$err"
    [ $? = 130 ] || fail "SIG$signal is not exit status 130"
    says "$out" 'partial: '
    says "$out" 'fio.depth = 32'
    silent "$err"
done

# Progress on a terminal, on one line that is gone in the end. A container may have no terminals.
if script -qec true "$scratch/terminal" >"$scratch/terminal" 2>&1; then
    script -qec "$program run -j1 $golden/virtio_fs.yaml >$out" "$err" >"$scratch/terminal"
    tr '\r' '\n' <"$scratch/terminal" | grep -qE '^0 of 16 runs, 0:00 so far' ||
        fail 'no progress on a terminal'
    tail -c 4 "$scratch/terminal" | grep -q "$(printf '\r\033\\[K')" || fail 'the line stays'
    says "$out" 'golden, virtio-fs'
fi

exit "$bad"
