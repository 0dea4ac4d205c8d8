#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks the rules of CONTRIBUTING.md that a compiler does not: who includes whom, sizes, which
# functions a layer calls, that only constants are global, that headers stand alone.  Calls and
# globals are read from symbol tables, so a comment or a macro does not deceive it.
#
#   tests/tidy.sh [TOP]     CC names the compiler (cc)
#
# Prints FILE:LINE: what is wrong <- what to do, and fails if anything is.
set -u
export LC_ALL=C
cd "${1:-.}" || exit 2
CC=${CC:-cc}
flags='-std=c17 -D_POSIX_C_SOURCE=200809L -DRINGTAIL_VERSION="0" -fopenmp -I.'
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

layered=$(ls sim/*/*.[ch] models/*.[ch] traces/*.[ch] 2>/dev/null)
tests=$(ls tests/*.[ch] tests/*/*.[ch] 2>/dev/null)
scripts=$(ls ./*.sh CMakeLists.txt cmake/*.cmake tests/*.txt tests/*.sh tests/*/*.sh .ci/run \
    models/models.def 2>/dev/null)

# FILE:LINE:TEXT of grep to FILE:LINE: TEXT <- ADVICE.
advise() { sed "s|^\([^:]*:[0-9]*\): *\(.*\)|\1: \2 <- $1|"; }

# may_include ALLOWED FILES...: our own headers that files may include, as a regular expression.
may_include() {
    allowed=$1
    shift
    grep -sHnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*("|<(sim|models|traces|tests)/)' "$@" |
        grep -vE ":#include \"($allowed)" |
        advise 'not in this layer or one below it; move the code or pass the value down'
}

check_includes() {
    base=sim/base/
    engine="$base|sim/engine/"
    registry='models/registry\.h"|models/models\.def"'
    config="$engine|$registry|sim/config/"
    run="$config|sim/run/|traces/"
    report="$run|sim/report/"
    may_include "$base" sim/base/*.[ch]
    may_include "$engine" sim/engine/*.[ch]
    may_include "$engine|traces/" traces/*.[ch]
    may_include "$config" sim/config/*.[ch]
    may_include "$run" sim/run/*.[ch]
    may_include "$report" sim/report/*.[ch]
    may_include "$report|sim/cli/" sim/cli/*.[ch]
    for file in models/*.[ch]; do
        case $file in
        models/registry.[ch]) may_include "$engine|$registry" "$file" ;;
        *) may_include 'sim/engine/model\.h"' "$file" ;;
        esac
    done
}

check_sizes() {
    for file in $layered $tests; do
        limit=500
        case $file in
        *.h) limit=200 ;;
        models/registry.c) ;;
        models/*) limit=250 ;;
        esac
        lines=$(wc -l <"$file")
        [ "$lines" -le "$limit" ] ||
            echo "$file:$lines: over $limit lines <- split it by concept"
    done
    # A character of UTF-8 is one column: its continuation bytes do not count.
    awk '{ gsub(/[\200-\277]/, "") }
         length > 100 { print FILENAME ":" FNR ": over 100 columns <- break the line" }' \
        $layered $tests $scripts
    awk '/^\{/ { start = FNR }
         /^\}/ { if (start && FNR - start + 1 > 70) print FILENAME ":" start \
                 ": function over 70 lines <- name a part of it"; start = 0 }' $layered $tests
}

check_texts() {
    for file in $layered $tests $scripts; do
        head -n 2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2\.0' ||
            echo "$file:1: no licence line <- add SPDX-License-Identifier: Apache-2.0"
    done
    grep -nE '\b(FIX''ME|X''XX|TO''DO)\b' $layered $tests $scripts /dev/null |
        advise 'resolve it, or say it as a limit'
    grep -nE '\bN''DEBUG\b' $layered $tests /dev/null | grep -v '^tests/build_flags\.c:' |
        advise 'asserts are on in every build'
}

check_models_def() {
    list=models/models.def
    [ -e "$list" ] || return
    grep -n '^MODEL(' "$list" | awk -F: -v list="$list" '
        $2 <= last { print list ":" $1 ": not in alphabetical order, or twice <- sort the lines" }
        { last = $2 }'
    for file in models/*.c; do
        name=$(basename "$file" .c)
        [ "$name" = registry ] && continue
        grep -q "^MODEL($name)" "$list" ||
            echo "$file:1: not in $list <- add the line MODEL($name)"
        grep -q "^const struct model ${name}_model = {" "$file" ||
            echo "$file:1: no ${name}_model <- end it with const struct model ${name}_model"
    done
}

# Twice, so that a missing include guard is seen too.
check_headers() {
    printf '%s\n' $layered $tests | grep '\.h$' |
        FLAGS="$flags" CC="$CC" xargs -r -P 2 -I{} sh -c '
            printf "#include \"{}\"\n#include \"{}\"\n" |
                $CC $FLAGS -x c -fsyntax-only - 2>/dev/null ||
                echo "{}:1: does not compile alone <- include what it uses; guard it"'
}

# Objects without optimisation and builtins, so that what is written is what is called, and
# without -fpie, so that constants that hold pointers stand in a read-only section.
compile_sources() {
    printf '%s\n' $layered | xargs -r -n 1 dirname | sort -u | (cd "$scratch" && xargs -r mkdir -p)
    printf '%s\n' $layered | grep '\.c$' |
        FLAGS="$flags" CC="$CC" OUT="$scratch" xargs -r -P 2 -I{} sh -c '
            $CC $FLAGS -O0 -g0 -w -fno-builtin -fno-pie -c {} -o $OUT/{}.o 2>/dev/null ||
                echo "{}:1: does not compile <- build it"'
}

# FILE TYPE SYMBOL of each object, TYPE as nm says it.
symbols() {
    (cd "$scratch" && find . -name '*.o' | sort | xargs -r nm -A -P) |
        sed -n 's|^\./\(.*\)\.o: \([^ ]*\) \([A-Za-z]\).*|\1 \3 \2|p'
}

# complain FILE SYMBOL TEXT: at the first line of code that names the symbol.
complain() {
    line=$(grep -nwE "$2" "$1" | grep -vE '^[0-9]+: *(/\*|\*|//|#include)' | sed 's/:.*//;q')
    echo "$1:${line:-1}: $2: $3"
}

libm='log log2 log10 log1p exp exp2 exp10 expm1 pow sin cos tan asin acos atan atan2 sinh cosh tanh
cbrt hypot erf erfc tgamma lgamma'
libm=" $(for name in $libm; do printf '%s ' "$name" "${name}f" "${name}l"; done)"

check_calls() {
    while read -r file type symbol; do
        [ "$type" = U ] || continue
        case $symbol in
        atoi | atol | atoll | atof | strcpy | strcat | sprintf | vsprintf | gets | strtok)
            complain "$file" "$symbol" 'unchecked <- use the helpers of units, error, arena' ;;
        esac
        # What is allowed stands first.
        case $file:$symbol in
        sim/cli/*) continue ;;
        sim/base/arena.c:exit | sim/base/arena.c:stderr) continue ;;
        esac
        case $symbol in
        printf | vprintf | puts | putchar | perror | stdout | stderr)
            complain "$file" "$symbol" \
                'only sim/cli prints <- return a struct error, or take a FILE' ;;
        exit | _exit | _Exit | quick_exit | abort)
            complain "$file" "$symbol" \
                'only sim/cli exits <- return a struct error, or assert' ;;
        rand | srand | random | srandom | rand_r | drand48 | arc4random | getrandom | \
            time | clock | gettimeofday | clock_gettime | timespec_get | getenv)
            complain "$file" "$symbol" \
                'makes runs differ <- draw from the stage'\''s stream; ask stage_now' ;;
        esac
        case $file in
        sim/base/* | sim/engine/* | models/*)
            case $libm in
            *" $symbol "*)
                complain "$file" "$symbol" \
                    'differs between processors <- use sim/base/elementary.h' ;;
            esac ;;
        esac
        case $file:$symbol in
        models/*:malloc | models/*:calloc | models/*:realloc | models/*:free | models/*:strdup | \
            models/*:aligned_alloc | models/*:posix_memalign)
            complain "$file" "$symbol" 'models do not allocate <- use the arena of the run' ;;
        esac
    done
}

# b, c, d: data that can be written.  A static in a function is NAME.1 to gcc, FUNCTION.NAME to
# clang; both make a symbol for each of OpenMP's critical sections.
check_globals() {
    while read -r file type symbol; do
        case $type:$symbol in
        [bBcCdD]:.gomp_critical_user_*) ;;
        [bBcCdD]:*)
            name=${symbol%.[0-9]*}
            complain "$file" "${name##*.}" \
                'a variable that outlives its function <- make it const, or a field of the state' ;;
        esac
    done
}

# clang-format's versions disagree with each other; .clang-format is written for 14.
check_format() {
    format=$(command -v clang-format-14 || command -v clang-format) || return
    "$format" --version | grep -q 'version 14\.' || return
    "$format" --dry-run $layered $tests 2>&1 | awk -F: '
        /^[^ ].*-Wclang-format-violations/ && !seen[$1]++ {
            print $1 ":" $2 ": not formatted <- build the target format"
        }'
}

{
    check_includes
    check_sizes
    check_texts
    check_models_def
    check_headers
    compile_sources
    symbols >"$scratch/symbols"
    check_calls <"$scratch/symbols"
    check_globals <"$scratch/symbols"
    check_format
} >"$scratch/found"
sort -t: -k1,1 -k2,2n "$scratch/found"
[ ! -s "$scratch/found" ]
