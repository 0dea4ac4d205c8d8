#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Plants one violation of each kind in a copy of the sources and sees that tests/tidy.sh names it,
# at its line.
#
#   tests/tidy_test.sh [TOP]     CC names the compiler (cc)
set -eu
top=${1:-.}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
(cd "$top" && tar -cf - --exclude=./build --exclude=./.git .) | tar -xf - -C "$copy"
cd "$copy"
: >expected

# expect FILE:LINE TEXT: tidy must print a line that starts with the one and holds the other.
expect() { printf '%s\t%s\n' "$1" "$2" >>expected; }

# plant FILE LINE TEXT < BODY: a file of the licence line and BODY, wrong at LINE; 0: nowhere.
plant() {
    { echo '/* SPDX-License-Identifier: Apache-2.0 */'; cat; } >"$1"
    [ "$2" = 0 ] || expect "$1:$2" "$3"
}

# model NAME LINE TEXT < BODY: a model that is wrong at LINE, known to models.def.
model() {
    { cat; printf 'struct model { int zz; };\nconst struct model %s_model = {\n};\n' "$1"; } |
        plant "models/$1.c" "$2" "$3"
    echo "MODEL($1)" >>models/models.def
}

lines() { i=0; while [ $i -lt "$1" ]; do echo "$2"; i=$((i + 1)); done; }

model zz_allocates 3 'malloc: models do not allocate' <<'C'
#include <stdlib.h>
void *zz_allocates(void) { return malloc(1); }
C
model zz_includes 2 'not in this layer' <<'C'
#include "sim/base/arena.h"
C
model zz_libm 3 'log: differs between processors' <<'C'
#include <math.h>
double zz_libm(double x) { return log(x); }
C
model zz_long 254 'over 250 lines' <<C
$(lines 250 '/* . */')
C
model zz_prints 3 'printf: only sim/cli prints' <<'C'
#include <stdio.h>
#define SAY printf
void zz_prints(void) { SAY("model\n"); }
C
model zz_sorted_last 0 '' </dev/null
model zz_sorted 0 '' </dev/null
expect "models/models.def:$(wc -l <models/models.def)" 'not in alphabetical order'
plant models/zz_unlisted.c 1 'not in models/models.def' </dev/null
expect models/zz_unlisted.c:1 'no zz_unlisted_model'

plant sim/base/zz_upward.c 2 'not in this layer' <<'C'
#include "sim/engine/model.h"
C
plant sim/engine/zz_knows_model.c 2 'not in this layer' <<'C'
#include "models/registry.h"
C
plant traces/zz_knows_model.c 2 'not in this layer' <<'C'
#include "models/registry.h"
C
plant sim/config/zz_upward.c 2 'not in this layer' <<'C'
#include "sim/run/zz.h"
C
plant sim/run/zz_angle.c 2 'not in this layer' <<'C'
#include <sim/report/zz.h>
C
plant sim/base/zz_alone.h 1 'does not compile alone' <<'C'
uint64_t zz_alone(void);
C
plant sim/base/zz_unguarded.h 1 'does not compile alone' <<'C'
struct zz { int zz; };
C
plant sim/base/zz_long.h 201 'over 200 lines' <<C
$(lines 200 '/* . */')
C
plant sim/base/zz_wide.c 2 'over 100 columns' <<C
/* $(lines 49 x | tr '\n' ' ') */
C
plant sim/base/zz_function.c 3 'function over 70 lines' <<C
void zz_function(void)
{
$(lines 69 '    ;')
}
C
plant sim/base/zz_global.c 2 'zz_global: a variable that outlives' <<'C'
int zz_global = 1;
C
plant sim/base/zz_static.c 4 'count: a variable that outlives' <<'C'
int zz_static(void)
{
    static int count;
    return ++count;
}
C
plant sim/run/zz_clock.c 3 'time: makes runs differ' <<'C'
#include <time.h>
time_t zz_clock(void) { return time(NULL); }
C
plant sim/report/zz_exits.c 3 'exit: only sim/cli exits' <<'C'
#include <stdlib.h>
void zz_exits(void) { exit(1); }
C
plant sim/cli/zz_unchecked.c 3 'atoi: unchecked' <<'C'
#include <stdlib.h>
int zz_unchecked(const char *text) { return atoi(text); }
C
plant sim/cli/zz_may_print.c 0 '' <<'C'
#include <stdio.h>
#include <stdlib.h>

static const char *const words[] = {"one", "two"};

void zz_may_print(int i);
void zz_may_print(int i)
{
    puts(words[i]);
    exit(0);
}
C
plant sim/engine/zz_marks.c 2 'resolve it' <<C
/* FIX""ME */
C
sed -i 's/""//' sim/engine/zz_marks.c
echo '/* no licence line */' >sim/engine/zz_licence.c
expect sim/engine/zz_licence.c:1 'no licence line'
plant sim/engine/zz_asserts.c 2 'asserts are on' <<'C'
#ifdef NDEBUG
#endif
C

if sh tests/tidy.sh . >found; then
    echo "tidy passed a tree full of violations"
    exit 1
fi
missed=0
while IFS='	' read -r place text; do
    if ! grep -F "$place: " found | grep -qF "$text"; then
        echo "tidy does not say: $place: $text"
        missed=1
    fi
done <expected
if grep 'sim/cli/zz_may_print\.c.*only' found; then
    echo "tidy forbids what sim/cli may do"
    missed=1
fi
echo "$(wc -l <expected) violations planted"
exit $missed
