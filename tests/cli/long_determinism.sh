#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the program with each compiler that is there, with and without optimisation, runs
# experiments on one thread and on two, whole and in shards, and compares the bytes of what they
# print and of their results.
#
#   long_determinism.sh PROGRAM SOURCE-DIR
set -eu
program=$(realpath "$1")
source_dir=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$source_dir"

version=$("$program" --version | sed 's/^ringtail //')
flags="-std=c17 -ffp-contract=off -fno-math-errno -fopenmp -D_POSIX_C_SOURCE=200809L -I. -w
-DRINGTAIL_VERSION=\"$version\" $(pkg-config --cflags yaml-0.1 jansson libxxhash)"
libraries="$(pkg-config --libs yaml-0.1 jansson libxxhash) -lm"
experiments='configs/virtio_fs_read.yaml configs/cases/ring_full.yaml tests/golden/two_loads.yaml'

# outputs PROGRAM FOLDER: what it makes of the experiments, one file for each that must agree.
outputs() {
    local made=$2 experiment name threads
    mkdir -p "$made"
    for experiment in $experiments; do
        name=$(basename "$experiment" .yaml)
        for threads in 1 2; do
            "$1" run --quick -j "$threads" -o "$made/$name.result.j$threads" "$experiment" \
                >"$made/$name.text.j$threads"
        done
        for shard in 3 1 2; do
            "$1" run --quick -j 1 --shard "$shard/3" -o "$made/shard$shard" "$experiment" >/dev/null
        done
        "$1" merge -o "$made/$name.result.merged" "$made/shard2" "$made/shard3" "$made/shard1"
        "$1" report "$made/$name.result.merged" >"$made/$name.text.merged"
        rm "$made"/shard?
    done
}

# check CC FLAGS...: builds the program and runs it.
check() {
    local name
    name=$(echo "$*" | tr ' /,=' '____')
    if ! command -v "$1" >/dev/null; then
        echo "skipped, not installed: $*"
        return
    fi
    # shellcheck disable=SC2086 # flags and libraries are words
    "$@" $flags sim/*/*.c models/*.c -o "$scratch/$name" $libraries || return 1
    outputs "$scratch/$name" "$scratch/made/$name" || return 1
    echo "built and run: $*"
}

# Two at a time, one a compiler; and the program of this build.
status=0
for cc in gcc clang; do
    (
        check "$cc" -O0
        check "$cc" -O3
    ) >"$scratch/$cc.out" 2>&1 &
done
wait -n || status=1
wait -n || status=1
cat "$scratch"/gcc.out "$scratch"/clang.out
outputs "$program" "$scratch/made/program"

# Files of one name up to the last dot hold the same bytes.
for experiment in $experiments; do
    for what in result text; do
        name=$(basename "$experiment" .yaml).$what
        sums=$(sha256sum "$scratch"/made/*/"$name".* | cut -c 1-16)
        echo "$(echo "$sums" | head -1)  $name, $(echo "$sums" | wc -l) times"
        if [ "$(echo "$sums" | sort -u | wc -l)" != 1 ]; then
            echo "these do not agree:"
            (cd "$scratch/made" && sha256sum */"$name".*)
            status=1
        fi
    done
done
exit $status
