#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every mistake of tests/bad_input is answered with its message: exit status 2, nothing on stdout,
# and stderr begins with NAME.err.  The arguments are those of NAME.args, else `run NAME.yaml`.
#
#   tests/cli/bad_input.sh PROGRAM SOURCE-DIR
set -u
program=$(realpath "$1") || exit 2
cd "$2/tests/bad_input" || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
count=0
for expected in *.err; do
    name=${expected%.err}
    arguments="run $name.yaml"
    [ ! -e "$name.args" ] || arguments=$(cat "$name.args")
    # shellcheck disable=SC2086 # arguments are words
    "$program" $arguments >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    count=$((count + 1))
    head -n "$(wc -l <"$expected")" "$scratch/err" >"$scratch/head"
    if [ "$status" -ne 2 ] || [ -s "$scratch/out" ] || ! cmp -s "$expected" "$scratch/head"; then
        failed=$((failed + 1))
        echo "bad_input/$name: status $status, and stderr is not as expected:"
        diff -u "$expected" "$scratch/head"
    fi
done
echo "$count cases, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
