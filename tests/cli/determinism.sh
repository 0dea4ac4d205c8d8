#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds one stack that uses every distribution with each compiler that is there, with and without
# optimisation, for this very processor and with sanitizers, and compares the bytes of the dump of
# its requests.
#
#   determinism.sh PROGRAM SOURCE-DIR [REQUESTS]      1000000
set -eu
source_dir=$2
requests=${3:-1000000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$source_dir"

flags='-std=c17 -ffp-contract=off -fno-math-errno -D_POSIX_C_SOURCE=200809L -I. -w'
sources="sim/base/*.c sim/engine/*.c models/*.c tests/conformance/test_determinism.c
$(ls tests/conformance/*.c | grep -v '/\(test\|long\)_')"

# build NAME CC FLAGS...
build() {
    local name=$1
    shift
    # shellcheck disable=SC2086
    "$@" $flags $sources -o "$scratch/$name" -lxxhash -lm
}

# check CC FLAGS...: the dump of this build is that of the first one.
check() {
    local name
    name=$(echo "$*" | tr ' /,=' '____')
    if ! command -v "$1" >/dev/null; then
        echo "skipped, not installed: $*"
        return
    fi
    build "$name" "$@"
    if ! "$scratch/$name" --dump "$requests" | sha256sum >"$scratch/$name.sum" ||
        [ "${PIPESTATUS[0]}" != 0 ]; then
        echo "failed: $*"
        return 1
    fi
    echo "$(cut -c 1-16 "$scratch/$name.sum")  $*"
}

# Two at a time, one a compiler.
for cc in gcc clang; do
    (
        check "$cc" -O0
        check "$cc" -O3
        check "$cc" -O3 -march=native
        check "$cc" -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
    ) >"$scratch/$cc.out" 2>&1 &
done
status=0
wait -n || status=1
wait -n || status=1
cat "$scratch"/gcc.out "$scratch"/clang.out
if [ "$(cat "$scratch"/*.sum | sort -u | wc -l)" != 1 ]; then
    echo 'the builds do not agree'
    status=1
fi
exit $status
