#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that are missing, and does what one came for.
#
#   ./setup.sh build    what a build needs
#   ./setup.sh test     and what the tests need
#   ./setup.sh long     and what the long suite needs
#   ./setup.sh main     build, then the main job: ringtail run configs/virtio_fs_read.yaml
#   ./setup.sh check    test, then all tests but the long suite
#
# Where nothing is missing it installs nothing and needs neither network nor rights.
set -eu
cd "$(dirname "$0")"

build='gcc libc6-dev cmake ninja-build pkg-config libyaml-dev libjansson-dev libxxhash-dev'
# llvm: clang's link-time optimisation, and names in the reports of its sanitizers.
test="$build libcriterion-dev clang clang-format libclang-rt-14-dev libomp-dev llvm valgrind jq
    parallel python3-jsonschema python3-yaml"
# Slurm: a cluster of one node, which a test starts and ends.
long="$test munge slurm-client slurmctld slurmd"

fail() {
    echo "setup.sh: $1" >&2
    exit 1
}

missing() {
    for package; do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || printf '%s ' "$package"
    done
}

install() {
    packages=$(missing "$@")
    [ -n "$packages" ] || return 0
    command -v apt-get >/dev/null ||
        fail "apt-get is missing; install what your system calls: $packages"
    as_root='env DEBIAN_FRONTEND=noninteractive'
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "neither root nor sudo; install: $packages"
        as_root="sudo $as_root"
    fi
    echo "setup.sh: installing $packages"
    # Unquoted: words of their own.
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq --no-install-recommends $packages
}

case ${1:-} in
build) install $build ;;
test) install $test ;;
long) install $long ;;
main)
    install $build
    cmake --preset release
    cmake --build --preset release --target ringtail
    build/release/ringtail run configs/virtio_fs_read.yaml
    ;;
check)
    install $test
    cmake --preset ci
    cmake --build --preset ci
    ctest --preset ci
    ;;
*)
    sed -n '3,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
