#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Files that are too odd to be stored: each ends with one error, status 2, soon, and in little
# memory.
#
#   tests/cli/bad_files.sh PROGRAM SOURCE-DIR
set -u
program=$(realpath "$1") || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
cd "$scratch" || exit 2
bad=0

# mistake TEXT WORDS...
mistake() {
    local text=$1 status
    shift
    timeout 20 "$program" "$@" >out 2>err
    status=$?
    if [ "$status" != 2 ] || [ -s out ] || ! grep -qF -- "$text" err ||
        [ "$(grep -c 'error: ' err)" != 1 ]; then
        echo "FAILED: ringtail $*: status $status, and not: $text"
        head -c 1000 err
        bad=1
    fi
}

experiment() {
    printf 'ringtail: 1\nrun: {measure: 1ms, repeats: 1}\nstack:\n'
    printf '  load: {model: closed_load}\n  disk: {model: device, service: %s}\n' "$1"
}

# 100 MB of brackets, and as much as is read at all.
head -c 100000000 /dev/zero | tr '\0' '[' >brackets.yaml
mistake 'the file is larger than 16 MiB' run brackets.yaml
head -c 16000000 brackets.yaml >fewer.yaml
mistake 'nested more than 64 deep' run fewer.yaml
rm brackets.yaml fewer.yaml

# Things that are no files of text.
mistake 'the file is larger than 16 MiB' run /dev/zero
mistake 'there is nothing in it' run /dev/null
mkfifo pipe
experiment 1us >pipe &
"$program" run pipe >out 2>err || { echo 'FAILED: a pipe is not read'; cat err; bad=1; }
wait

# Values: too many, a line without end, numbers.
experiment '{sequence: values.txt}' >values.yaml
yes 1us | head -1000001 >values.txt
mistake 'values.txt:1000001:1: error: more than 1000000 values' run values.yaml
head -c 1000000 /dev/zero | tr '\0' 9 >values.txt
mistake 'values.txt:1:1: error: ' run values.yaml
yes 1us | head -1000000 >values.txt
"$program" run values.yaml >out 2>err || { echo 'FAILED: a million values'; cat err; bad=1; }

# A file that may not be read; root may read all, so someone else has to try.
experiment 1us >secret.yaml
chmod 0 secret.yaml
if [ "$(id -u)" != 0 ]; then
    mistake 'secret.yaml: error: the file cannot be read: Permission denied' run secret.yaml
elif setpriv --reuid=65534 --clear-groups "$program" --version >out 2>&1; then
    cp "$program" ringtail && program="setpriv --reuid=65534 --clear-groups $scratch/ringtail"
    printf '#!/bin/sh\nexec %s "$@"\n' "$program" >as_nobody
    chmod 755 as_nobody
    program=$scratch/as_nobody
    mistake 'secret.yaml: error: the file cannot be read: Permission denied' run secret.yaml
else
    echo 'skipped: a file that may not be read'
fi
exit "$bad"
