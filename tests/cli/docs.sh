#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is made from the tables and committed is what the program says: docs/models.md and
# configs/schema.json.  Each experiment under configs names the schema.
#
#   tests/cli/docs.sh PROGRAM SOURCE-DIR
set -u
program=$1
source_dir=$2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
bad=0

"$source_dir/docs/update.sh" "$program" "$scratch" || exit 1
for file in docs/models.md configs/schema.json; do
    if ! diff -u "$source_dir/$file" "$scratch/$(basename "$file")"; then
        echo "$file is stale: docs/update.sh PROGRAM writes it anew"
        bad=1
    fi
done
while read -r file; do
    schema=$(sed -n '1s/^# yaml-language-server: \$schema=//p' "$file")
    if [ ! -f "$(dirname "$file")/$schema" ] || [ -z "$schema" ]; then
        echo "$file:1: no schema <- begin it with # yaml-language-server: \$schema=schema.json"
        bad=1
    fi
done < <(find "$source_dir/configs" -name '*.yaml')
exit "$bad"
