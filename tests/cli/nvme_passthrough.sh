#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The NVMe experiment as a user runs it: each of the four published rates within
# 2 %.
#
#   tests/cli/nvme_passthrough.sh PROGRAM SOURCE-DIR
set -eu
program=$1
"$program" run "$2/configs/nvme_passthrough.yaml" --format csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["metric"] == "rate" && $column["measured"] != "" {
        found++
        ratio = $column["value"] / $column["measured"]
        printf "%s %s: %.0f/s, published %.0f/s\n", $column["nvme.mode"], $column["variant"],
            $column["value"], $column["measured"]
        if (ratio < 0.98 || ratio > 1.02)
            bad++
    }
    END {
        if (found != 4)
            print found + 0 " published rates are beside simulated ones, not 4"
        exit bad > 0 || found != 4
    }'
