#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the stored texts of tests/golden anew.  Look at the difference before you commit it.
#
#   tests/golden/update.sh PROGRAM [FOLDER]     into FOLDER (tests/golden)
set -eu
program=$(realpath "$1")
golden=$(dirname "$(realpath "$0")")
into=$(realpath "${2:-$golden}")
cd "$golden"
for experiment in *.yaml; do
    status=0
    "$program" run "$experiment" >"$into/${experiment%.yaml}.txt" || status=$?
    [ "$status" -le 1 ]
done
"$program" run --quick virtio_fs.yaml >"$into/quick.txt"
"$program" help virtio_fs >"$into/help_virtio_fs.txt"
