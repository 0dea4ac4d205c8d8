#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The conformance suite, shortened, under valgrind: no invalid access, nothing uninitialised, no
# leak.
#
#   conformance.sh PROGRAM SOURCE-DIR
set -eu
tests=$(dirname "$1")/tests
if ! command -v valgrind >/dev/null; then
    echo 'skipped, not installed: valgrind'
    exit 0
fi
check() {
    valgrind --quiet --error-exitcode=1 --leak-check=full --show-leak-kinds=all \
        --errors-for-leak-kinds=all "$tests/conformance_$1" "${@:2}"
}
check test_models --quick
check test_zero_load
check test_shapes
