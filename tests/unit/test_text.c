/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkstemp, fdopen, pipe, fork */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/time.h"
#include "sim/config/text.h"
#include "sim/config/yaml.h"

static void expect_unreadable(const char *path, const char *message)
{
    struct arena *arena = arena_create();
    struct error err = { 0 };
    cr_expect_null(yaml_load(arena, path, &err));
    cr_expect_eq(err.kind, ERROR_USER);
    cr_expect_str_eq(err.file, path);
    cr_expect_eq(err.line, 0);
    cr_expect_str_eq(err.message, message, "%s: %s", path, err.message);
    cr_expect_str_neq(err.hint, "");
    arena_destroy(arena);
}

Test(text, unreadable_files)
{
    expect_unreadable("/nonexistent/a.yaml", "there is no such file");
    expect_unreadable("/", "this is a folder, not a file");
    expect_unreadable("/dev/null/a", "the file cannot be opened: Not a directory");
    expect_unreadable("/dev/zero", "the file is larger than 16 MiB");
    char path[] = "/tmp/ringtail_text_XXXXXX";
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    chmod(path, 0);
    if (geteuid() != 0) {
        expect_unreadable(path, "the file cannot be read: Permission denied");
    }
    unlink(path);
}

Test(text, the_bound_is_exact)
{
    char path[] = "/tmp/ringtail_text_XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    cr_assert_not_null(file);
    for (int i = 0; i < 8192; i++) {
        fputc('#', file);
    }
    fclose(file);
    for (size_t max = 8191; max <= 8193; max++) {
        struct arena *arena = arena_create();
        struct error err = { 0 };
        struct text text = { 0 };
        cr_expect_eq(text_read(arena, path, max, &text, &err), max >= 8192);
        cr_expect_eq(text.size, max >= 8192 ? 8192u : 0u);
        arena_destroy(arena);
    }
    unlink(path);
}

/* A pipe has no size and arrives in pieces. */
Test(text, pipes)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    if (fork() == 0) {
        for (int i = 0; i < 10000; i++) {
            char line[32];
            int length = snprintf(line, sizeof(line), "k%d: v\n", i);
            if (write(ends[1], line, (size_t)length) != length) {
                _exit(1);
            }
        }
        _exit(0);
    }
    close(ends[1]);
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    struct arena *arena = arena_create();
    struct error err = { 0 };
    const struct node *root = yaml_load(arena, path, &err);
    cr_assert_not_null(root, "%s", err.message);
    cr_expect_eq(root->count, 10000u);
    cr_expect_str_eq(root->place.file, path);
    arena_destroy(arena);
}

static void expect_bytes(const char *bytes, size_t size, int line, int column, const char *message)
{
    struct text text = { "a.yaml", bytes, size };
    struct error err = { 0 };
    cr_expect_eq(text_check(&text, &err), message == NULL, "%s", err.message);
    if (message != NULL) {
        cr_expect_str_eq(err.message, message, "%s", err.message);
        cr_expect(err.line == line && err.column == column, "%s: %d:%d", message, err.line,
                  err.column);
    }
}

Test(text, utf8)
{
    static const char good[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\t\r\n\xf4\x8f\xbf\xbf";
    expect_bytes(good, sizeof(good) - 1, 0, 0, NULL);
    expect_bytes("", 0, 0, 0, NULL);
    expect_bytes("\xc3\xa9\xe9", 3, 1, 2, "not UTF-8: the byte 0xe9");
    expect_bytes("a\nb\r\nc\rd\xff", 9, 4, 2, "not UTF-8: the byte 0xff");
    expect_bytes("\xe2\x82", 2, 1, 1, "not UTF-8: the byte 0xe2");             /* cut */
    expect_bytes("\xc0\xaf", 2, 1, 1, "not UTF-8: the byte 0xc0");             /* too long */
    expect_bytes("\xe0\x9f\xbf", 3, 1, 1, "not UTF-8: the byte 0xe0");         /* too long */
    expect_bytes("\xed\xa0\x80", 3, 1, 1, "not UTF-8: the byte 0xed");         /* surrogate */
    expect_bytes("\xf4\x90\x80\x80", 4, 1, 1, "not UTF-8: the byte 0xf4");     /* too large */
    expect_bytes("\xf8\x88\x80\x80\x80", 5, 1, 1, "not UTF-8: the byte 0xf8"); /* five bytes */
    expect_bytes("\x80", 1, 1, 1, "not UTF-8: the byte 0x80");
    expect_bytes("a\0", 2, 1, 2, "not a text file: a zero byte");
    expect_bytes("a\x1b", 2, 1, 2, "the character U+001B is not allowed here");
    expect_bytes("\xc2\x9b", 2, 1, 1, "the character U+009B is not allowed here");
    expect_bytes("a\xef\xbb\xbf", 4, 1, 2, "the character U+FEFF is not allowed here");
}

Test(text, lines)
{
    struct text text = { "a", "one\ntwo\r\nthree\rfour", 19 };
    static const char *const lines[] = { "one", "two", "three", "four" };
    size_t length = 0;
    for (int i = 0; i < 4; i++) {
        const char *line = text_line(&text, i + 1, &length);
        cr_assert_not_null(line);
        cr_expect_eq(length, strlen(lines[i]));
        cr_expect_eq(memcmp(line, lines[i], length), 0);
    }
    cr_expect_null(text_line(&text, 5, &length));
}
