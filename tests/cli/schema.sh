#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The schema takes every experiment that is shipped, and what explain makes of it, and refuses
# mistakes.
#
#   tests/cli/schema.sh PROGRAM SOURCE-DIR
set -u
program=$1
source_dir=$2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
good=$(find "$source_dir/configs" "$source_dir/tests/golden" -name '*.yaml')
for file in $good; do
    "$program" explain "$file" >"$scratch/explained_$(basename "$file")" || exit 1
done
"$program" schema >"$scratch/schema.json" || exit 1
# Debian's, whatever comes first on the path.
# shellcheck disable=SC2086 # names without blanks
/usr/bin/python3 "$source_dir/tests/cli/schema.py" "$scratch/schema.json" \
    "$source_dir/tests/bad_input" $good "$scratch"/explained_*
