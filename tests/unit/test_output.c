/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/run/output.h"

static struct arena *arena;
static struct error error;
static char *folder;
static const char *path;

static void set_up(void)
{
    arena = arena_create();
    error = (struct error){ 0 };
    folder = arena_strdup(arena, "/tmp/ringtail-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    path = arena_printf(arena, "%s/out", folder);
}

static void tear_down(void)
{
    unlink(path);
    rmdir(folder);
    arena_destroy(arena);
}

TestSuite(output, .init = set_up, .fini = tear_down);

static bool holds(const char *text)
{
    char bytes[64] = "";
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    bool same = fgets(bytes, sizeof(bytes), file) != NULL && strcmp(bytes, text) == 0;
    fclose(file);
    return same;
}

static void put(const char *text)
{
    struct output output;
    cr_assert(output_open(arena, path, &output, &error), "%s", error.message);
    fputs(text, output.stream);
    cr_assert(output_commit(&output, &error), "%s", error.message);
}

Test(output, is_there_only_when_it_is_whole)
{
    struct output output;
    cr_assert(output_open(arena, path, &output, &error));
    fputs("half", output.stream);
    cr_expect_neq(access(path, F_OK), 0);
    cr_expect_eq(access(output.temporary, F_OK), 0);
    output_abandon(&output);
    cr_expect_neq(access(path, F_OK), 0);
    cr_expect_neq(access(output.temporary, F_OK), 0);
    put("one");
    put("two");
    cr_expect(holds("two"));
}

Test(output, a_full_disk_leaves_the_old_file)
{
    put("old");
    const struct rlimit small = { 1000, 1000 };
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct output output;
    cr_assert(output_open(arena, path, &output, &error));
    for (int i = 0; i < 5000; i++) {
        fputc('x', output.stream);
    }
    cr_expect_not(output_commit(&output, &error));
    cr_expect_neq(access(output.temporary, F_OK), 0);
    cr_expect(error.kind == ERROR_ENVIRONMENT && strstr(error.message, "writing failed") != NULL);
    cr_expect(holds("old"));
}

Test(output, what_is_no_file_is_written_to)
{
    cr_expect(output_is_replaceable(path) && !output_is_replaceable("/dev/full"));
    struct output output;
    cr_assert(output_open(arena, "/dev/full", &output, &error));
    fputs("x", output.stream);
    cr_expect_not(output_commit(&output, &error));
    cr_expect_eq(error.kind, ERROR_ENVIRONMENT);
    cr_expect_not(output_is_replaceable("/dev/full"));
}

Test(output, a_bad_path_is_the_users)
{
    struct output output;
    const char *bad = arena_printf(arena, "%s/nosuch/out", folder);
    cr_expect_not(output_open(arena, bad, &output, &error));
    cr_expect(error.kind == ERROR_USER && error.hint[0] != '\0');
}
