#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes anew what the program knows from its tables: docs/models.md and configs/schema.json.
#
#   docs/update.sh PROGRAM [FOLDER]     into FOLDER/models.md and FOLDER/schema.json
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")/.."
models=docs/models.md
schema=configs/schema.json
if [ $# -gt 1 ]; then
    models=$2/models.md
    schema=$2/schema.json
fi
"$program" help --markdown >"$models"
"$program" schema >"$schema"
