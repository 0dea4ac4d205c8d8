#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The program's reports of tests/golden/*.yaml are the stored ones, byte for byte.
#
#   tests/cli/golden.sh PROGRAM SOURCE-DIR
set -u
program=$1
golden=$2/tests/golden
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

"$golden/update.sh" "$program" "$scratch" || exit 1
bad=0
for stored in "$golden"/*.txt; do
    diff -u "$stored" "$scratch/$(basename "$stored")" || bad=1
done
[ "$bad" = 0 ] || echo "if this is meant: tests/golden/update.sh PROGRAM"
exit "$bad"
