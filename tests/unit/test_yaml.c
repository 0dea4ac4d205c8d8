/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sim/base/time.h"
#include "sim/config/yaml.h"

/* Writes a tree as `{key: value, list: ['quoted']}`; recursion is bounded by YAML_DEPTH_MAX. */
static size_t write_tree(const struct node *node, char *text, size_t size)
{
    size_t used = 0;
    if (node->kind == NODE_SCALAR) {
        const char *quote = node->quoted ? "'" : "";
        return (size_t)snprintf(text, size, "%s%s%s", quote, node->text, quote);
    }
    bool mapping = node->kind == NODE_MAPPING;
    text[used++] = mapping ? '{' : '[';
    for (size_t i = 0; i < node->count; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s", i > 0 ? ", " : "");
        if (mapping) {
            used += write_tree(node->entries[i].key, text + used, size - used);
            used += (size_t)snprintf(text + used, size - used, ": ");
        }
        const struct node *child = mapping ? node->entries[i].value : node->items[i];
        used += write_tree(child, text + used, size - used);
    }
    text[used++] = mapping ? '}' : ']';
    text[used] = '\0';
    return used;
}

static void expect_tree(const char *bytes, const char *expected)
{
    struct arena *arena = arena_create();
    struct error err = { 0 };
    char shown[4000] = "";
    const struct node *root = yaml_parse(arena, "a.yaml", bytes, strlen(bytes), &err);
    cr_expect_not_null(root, "%s\n%s", bytes, err.message);
    if (root != NULL) {
        write_tree(root, shown, sizeof(shown));
        cr_expect_str_eq(shown, expected, "%s\n%s", bytes, shown);
    }
    arena_destroy(arena);
}

struct mistake {
    const char *bytes;
    const char *message; /* "line:column: message" */
    const char *hint;    /* NULL: any, but there is one */
};

static void expect_mistake(const char *bytes, size_t size, const char *message, const char *hint)
{
    struct arena *arena = arena_create();
    struct error err = { 0 };
    char shown[1200];
    const struct node *root = yaml_parse(arena, "a.yaml", bytes, size, &err);
    cr_expect_null(root, "accepted: %.100s", bytes);
    cr_expect_eq(err.kind, ERROR_USER);
    cr_expect_str_eq(err.file, "a.yaml");
    snprintf(shown, sizeof(shown), "%d:%d: %s", err.line, err.column, err.message);
    cr_expect_str_eq(shown, message, "%.100s\n  is      %s\n  but not %s", bytes, shown, message);
    cr_expect_str_neq(err.hint, "", "%.100s: no hint", bytes);
    if (hint != NULL) {
        cr_expect_str_eq(err.hint, hint, "%.100s\n%s", bytes, err.hint);
    }
    arena_destroy(arena);
}

static void expect_mistakes(const struct mistake *mistakes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        expect_mistake(mistakes[i].bytes, strlen(mistakes[i].bytes), mistakes[i].message,
                       mistakes[i].hint);
    }
}

Test(yaml, trees)
{
    expect_tree("a: 1\nb: [x, 'y', \"z\"]\nc: {}\nd:\n", "{a: 1, b: [x, 'y', 'z'], c: {}, d: }");
    expect_tree("- a\n- b: c\n  d: e\n", "[a, {b: c, d: e}]");
    expect_tree("z: 1\na: 2\nm: 3\n", "{z: 1, a: 2, m: 3}");
    expect_tree("a: |\n  x\n  y\n", "{a: 'x\ny\n'}");
    expect_tree("fio.depth", "fio.depth");
    expect_tree("\xef\xbb\xbf"
                "a: 1\n",
                "{a: 1}");
    expect_tree("a: 1\r\nb: x\r\n", "{a: 1, b: x}");
    expect_tree("a: {b: 1,\n\tc: 2}\n", "{a: {b: 1, c: 2}}");
    expect_tree("%YAML 1.2\n---\na: yes\n...\n", "{a: yes}");
    expect_tree("a: &x {b: 1}\nc: *x\nd: [*x, *x]\n",
                "{a: {b: 1}, c: {b: 1}, d: [{b: 1}, {b: 1}]}");
    expect_tree("a: &x 1\nb: &x 2\nc: *x\n", "{a: 1, b: 2, c: 2}");
}

Test(yaml, places_count_characters_from_one)
{
    const char *bytes = "# head\n\xc3\xa9: {\xc3\xbc: 1, key: [x]}\r\nlast: \"q\"\n";
    struct arena *arena = arena_create();
    struct error err = { 0 };
    const struct node *root = yaml_parse(arena, "a.yaml", bytes, strlen(bytes), &err);
    cr_assert_not_null(root, "%s", err.message);
    const struct node *inner = node_find(root, "\xc3\xa9");
    cr_assert_not_null(inner);
    cr_expect_str_eq(inner->place.file, "a.yaml");
    cr_expect_eq(inner->place.line, 2);
    cr_expect_eq(inner->place.column, 4);
    cr_expect_eq(inner->entries[1].key->place.column, 11);
    cr_expect_eq(node_find(inner, "key")->items[0]->place.column, 17);
    cr_expect_eq(node_find(root, "last")->place.line, 3);
    cr_expect_eq(node_find(root, "last")->place.column, 7);
    cr_expect_null(node_find(root, "las"));
    cr_expect_eq(root->nodes, 10);
    cr_expect_eq(root->height, 3);
    arena_destroy(arena);
}

Test(yaml, merges)
{
    /* What is written out wins; so does an earlier mapping; the first place is kept. */
    expect_tree(
        "b: &b {x: 1, y: 2, z: 3}\no: &o {y: 9, w: 8}\na: {p: 0, <<: [*b, *o], y: 5, q: 6}",
        "{b: {x: 1, y: 2, z: 3}, o: {y: 9, w: 8}, a: {p: 0, x: 1, y: 5, z: 3, w: 8, q: 6}}");
    expect_tree("o: &o {y: 9, w: 8}\na: {y: 7, <<: *o}\n", "{o: {y: 9, w: 8}, a: {y: 7, w: 8}}");
    expect_tree("x: &x {a: 1}\ny: &y {<<: *x, b: 2}\nz: {<<: *y, a: 3}\n",
                "{x: {a: 1}, y: {a: 1, b: 2}, z: {a: 3, b: 2}}");
    expect_tree("a: {<<: {k: 1}, \"<<\": text}\n", "{a: {k: 1, '<<': text}}");
    expect_tree("a: {<<: []}\n", "{a: {}}");
    /* Values are replaced whole, not merged into. */
    expect_tree("b: &b {q: {hz: 1, n: 2}}\na:\n  <<: *b\n  q: {hz: 5}\n",
                "{b: {q: {hz: 1, n: 2}}, a: {q: {hz: 5}}}");
}

Test(yaml, merge_mistakes)
{
    static const struct mistake mistakes[] = {
        { "a: {<<: 3}\n", "1:9: `<<` can only merge mappings",
          "write `<<: *name` or `<<: [*one, *two]`, where `&name` marks a mapping above" },
        { "a: {<<: [{a: 1}, 3]}\n", "1:18: `<<` can only merge mappings", NULL },
        { "x: &x {a: 1}\na: {<<: *x, <<: *x}\n",
          "2:13: duplicate key `<<`; the first is at line 2, column 5",
          "merge a list instead: `<<: [*one, *two]`" },
        { "x: &x {b: 1}\na: {<<: *x, b: 2, b: 3}\n",
          "2:19: duplicate key `b`; the first is at line 2, column 13", NULL },
    };
    expect_mistakes(mistakes, ARRAY_LENGTH(mistakes));
}

Test(yaml, key_mistakes)
{
    static const struct mistake mistakes[] = {
        { "a: 1\nb: {depth: 1,\n  depth: 2}\n",
          "3:3: duplicate key `depth`; the first is at line 2, column 5",
          "remove one of them, or rename it" },
        { "a: 1\nb: 2\n'a': 3\n", "3:1: duplicate key `a`; the first is at line 1, column 1",
          NULL },
        { "{a: 1}: 2\n", "1:1: a key cannot be a mapping", NULL },
        { "? [a]\n: 2\n", "1:3: a key cannot be a list", NULL },
        { "a: {{x}}\n", "1:5: a key cannot be a mapping", NULL },
        { "x: &x {a: 1}\n? *x\n: 1\n", "2:3: a key cannot be a mapping", NULL },
        { "\"\": 1\n", "1:1: a key is missing", "write `key: value`" },
        { ": 1\n", "1:1: a key of the mapping is expected here", NULL },
        { "a: 1\nfoo\nb: 2\n", "2:1: a key without a `:` after it",
          "write `key: value` on one line" },
        { "a: b: c\n", "1:5: a `:` cannot stand here", NULL },
        { "a: 1\n  b: 2\n", "2:4: a `:` cannot stand here", NULL },
        { "a:\n  b: 1\n c: 2\n", "3:2: a key of the mapping is expected here", NULL },
        { "  a: 1\nb: 2\n", "2:1: text after the document's end", NULL },
        { "a: - 1\n", "1:4: a list cannot start here", NULL },
        { "a:\n - 1\n b: 2\n", "3:2: a `-` of the list is expected here", NULL },
        { "a: ? b\n", "1:4: a `?` cannot stand here", NULL },
    };
    expect_mistakes(mistakes, ARRAY_LENGTH(mistakes));
    char key[1100];
    snprintf(key, sizeof(key), "? %01025d\n: 1\n", 0);
    expect_mistake(key, strlen(key), "1:3: a key of more than 1024 bytes", NULL);
}

Test(yaml, tabs)
{
    static const struct mistake mistakes[] = {
        { "a:\n\tb: 1\n", "2:1: a tab in the indentation", "indent with spaces" },
        { "a: 1\n\tb: 2\n", "2:1: a tab in the indentation", NULL },
        { "a:\n  b: 1\n    \tc: 2\n", "3:5: a tab in the indentation", NULL },
        { "a:\n  - 1\n\t- 2\n", "3:1: a tab in the indentation", NULL },
    };
    expect_mistakes(mistakes, ARRAY_LENGTH(mistakes));
}

Test(yaml, open_quotes_and_brackets)
{
    static const struct mistake mistakes[] = {
        { "title: \"virtio\nseed: 1\n", "1:8: the quote that opens here is not closed",
          "close it on its line with a `\"`" },
        { "title: 'virtio\nseed: 1\n", "1:8: the quote that opens here is not closed",
          "close it on its line with a `'`" },
        { "title: \"virtio\nother: \"x\"\nseed: 1\n",
          "1:8: the quote that opens here is not closed", NULL },
        { "a: {b: \"x, c: 1}\nd: {e: \"y\"}\n", "1:8: the quote that opens here is not closed",
          NULL },
        { "title: 'it's'\n", "1:12: the value has ended before this text", NULL },
        { "a: \"x\" y\n", "1:8: the value has ended before this text", NULL },
        { "a: {b: 1, c: 2\nd: 3\n",
          "1:4: the `{` that opens here is not closed, or a `,` is missing before line 2, column 2",
          "add the `}` or the `,`" },
        { "a: {b: 1", "1:4: the `{` that opens here is not closed", "add the `}`" },
        { "a: [1, 2\n", "1:4: the `[` that opens here is not closed", "add the `]`" },
        { "[[[\n", "1:3: the `[` that opens here is not closed", NULL },
        { "run: {warmup: 10s measure: 30s}\n",
          "1:26: a `,` or the `}` that closes column 6 is expected here", NULL },
        { "a: [1, 2}\n", "1:9: a `,` or the `]` that closes column 4 is expected here", NULL },
        { "a: {b: [x, }\n", "1:12: the `[` of line 1, column 8 is not closed before this `}`",
          "add the `]`" },
        { "a: }\n", "1:4: a `}` that closes nothing", NULL },
        { "a: {b: 1}}\n", "1:10: a `}` that closes nothing", NULL },
    };
    expect_mistakes(mistakes, ARRAY_LENGTH(mistakes));
}

Test(yaml, characters_with_a_meaning)
{
    static const struct mistake mistakes[] = {
        { "a: *.txt\n", "1:4: a text cannot start with `*`, which is for aliases",
          "put it in quotes" },
        { "a: & b\n", "1:4: a text cannot start with `&`, which is for anchors", NULL },
        { "a: @foo\n", "1:4: a value cannot start with `@`", NULL },
        { "a: %foo\n", "1:4: a value cannot start with `%`", NULL },
        { "%foo\n", "1:1: an unknown `%` directive", NULL },
        { "%%foo\n", "1:1: an unknown `%` directive", NULL },
        { "%YAML 3.0\n---\na: 1\n", "1:1: an unknown version of YAML", NULL },
        { "a: [b, , c]\n", "1:8: a value cannot start with `,`", NULL },
        { "a: \"\\q\"\n", "1:5: an unknown escape in double quotes", NULL },
        { "a: \"\\xzz\"\n", "1:7: an escape without its hexadecimal digits", NULL },
        { "a: \"\\ud800\"\n", "1:7: an escape that is no Unicode character", NULL },
        { "a: \"b\\0c\"\n", "1:4: a text with a zero byte", NULL },
        { "a: | foo\n  x\n", "1:6: text on the line of a `|` or `>`", NULL },
        { "a: |0\n  x\n", "1:5: an indentation of 0", NULL },
        { "a: !!python/object:os.system x\n",
          "1:4: the tag `!!python/object:os.system` is not known here", NULL },
        { "a: !foo x\n", "1:4: the tag `!foo` is not known here", NULL },
        { "a: !!map {}\n", "1:4: the tag `!!map` is not known here", NULL },
        { "a: !x!y z\n", "1:4: tags are not known here", NULL },
    };
    expect_mistakes(mistakes, ARRAY_LENGTH(mistakes));
}

Test(yaml, documents)
{
    static const struct mistake mistakes[] = {
        { "", "1:1: there is nothing in it but blanks and comments", NULL },
        { "# hi\n\n", "1:1: there is nothing in it but blanks and comments", NULL },
        { "---\n", "1:1: there is nothing in it but blanks and comments", NULL },
        { "\xef\xbb\xbf", "1:1: there is nothing in it but blanks and comments", NULL },
        { "a: 1\n---\nb: 2\n", "2:1: a second document starts here", "write one document a file" },
        { "a: 1\n...\nb: 2\n", "3:1: text after the document's end", NULL },
        { "title: \"caf\xe9\"\n", "1:12: not UTF-8: the byte 0xe9", "save the file as UTF-8" },
        { "a: b\x1b[0m\n", "1:5: the character U+001B is not allowed here", NULL },
    };
    expect_mistakes(mistakes, ARRAY_LENGTH(mistakes));
    expect_mistake("a: b\0c\n", 7, "1:5: not a text file: a zero byte", NULL);
}

Test(yaml, alias_mistakes)
{
    static const struct mistake mistakes[] = {
        { "a: *foo\n", "1:4: no anchor `&foo` above this alias", "there are no anchors above it" },
        { "x: &fop 1\na: *foo\n", "2:4: no anchor `&foo` above this alias", "did you mean `fop`?" },
        { "a: &a {b: *a}\n", "1:11: the alias `*a` stands inside what it names",
          "`&a` is at line 1, column 4" },
        { "&r a: *s\n", "1:7: no anchor `&s` above this alias", NULL },
    };
    expect_mistakes(mistakes, ARRAY_LENGTH(mistakes));
}

/* ---- Hostile documents: refused before they cost anything. ---- */

static void expect_cheap(const char *bytes, size_t size, const char *message)
{
    clock_t start = clock();
    expect_mistake(bytes, size, message, NULL);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    cr_expect_lt(seconds, 2.0, "%s took %f s", message, seconds);
}

/* Thirty levels of nine aliases each: 9^30 values; with merges, 9^30 entries. */
static size_t write_bomb(char *text, size_t size, const char *first, const char *open,
                         const char *close)
{
    size_t used = (size_t)snprintf(text, size, "a0: &a0 %s\n", first);
    for (int i = 1; i < 30; i++) {
        used += (size_t)snprintf(text + used, size - used, "a%d: &a%d %s*a%d", i, i, open, i - 1);
        for (int k = 1; k < 9; k++) {
            used += (size_t)snprintf(text + used, size - used, ", *a%d", i - 1);
        }
        used += (size_t)snprintf(text + used, size - used, "%s\n", close);
    }
    return used;
}

Test(yaml, alias_bombs)
{
    static char text[8192];
    size_t size = write_bomb(text, sizeof(text), "[x, x, x, x, x, x, x, x, x]", "[", "]");
    expect_cheap(text, size, "7:10: the document expands to more than 1000000 values");
    size = write_bomb(text, sizeof(text), "{k: x}", "{<<: [", "]}");
    expect_cheap(text, size, "7:30: the document expands to more than 1000000 values");
}

Test(yaml, depth)
{
    static char text[8192];
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    struct arena *arena = arena_create();
    struct error err = { 0 };
    cr_expect_not_null(yaml_parse(arena, "a.yaml", text, 128, &err), "%s", err.message);
    arena_destroy(arena);
    memset(text, '[', 65);
    expect_cheap(text, 65, "1:65: lists and mappings are nested more than 64 deep");
    size_t used = (size_t)snprintf(text, sizeof(text), "a0: &a0 [x]\n");
    for (int i = 1; i < 80; i++) {
        used +=
            (size_t)snprintf(text + used, sizeof(text) - used, "a%d: &a%d [*a%d]\n", i, i, i - 1);
    }
    expect_cheap(text, used, "64:12: lists and mappings are nested more than 64 deep");
}

Test(yaml, floods)
{
    size_t size = YAML_BYTES_MAX;
    struct arena *arena = arena_create();
    char *bytes = arena_alloc(arena, size);
    memset(bytes, '[', size);
    expect_cheap(bytes, size, "1:65: lists and mappings are nested more than 64 deep");
    memset(bytes, '{', size);
    expect_cheap(bytes, size, "1:2: a key cannot be a mapping");
    for (size_t i = 0; i < size; i += 2) {
        memcpy(bytes + i, "- ", 2);
    }
    expect_cheap(bytes, size, "1:129: lists and mappings are nested more than 64 deep");
    for (size_t i = 0; i < size; i += 2) {
        memcpy(bytes + i, i == 0 ? "[ " : "x,", 2);
    }
    expect_cheap(bytes, size, "1:2000001: the document expands to more than 1000000 values");
    arena_destroy(arena);
}

Test(yaml, many_keys_and_anchors)
{
    struct arena *arena = arena_create();
    size_t capacity = 2000000;
    char *bytes = arena_alloc(arena, capacity);
    size_t used = 0;
    for (int i = 0; i < 100000; i++) {
        used += (size_t)snprintf(bytes + used, capacity - used, "k%d: v\n", i % 99999);
    }
    expect_cheap(bytes, used, "100000:1: duplicate key `k0`; the first is at line 1, column 1");
    used = 0;
    for (int i = 0; i < 300; i++) {
        used += (size_t)snprintf(bytes + used, capacity - used, "k%d: &a%d v\n", i, i);
    }
    expect_cheap(bytes, used, "257:7: more than 256 anchors");
    arena_destroy(arena);
}

/* Cut anywhere or with any byte changed, a document is a tree or one error with a place. */
Test(yaml, every_cut_and_every_change_is_answered)
{
    static const char whole[] = "base: &b {x: [1, 'two', \"th\\x41\"], y: &y 2}\n"
                                "stack:\n  <<: [*b, {z: *y}]\n  - q\n# end\nt: |\n  text\n";
    static const char changes[] = "\t\n{}[],:&*!|>'\"%@#-? \\\xff";
    char bytes[sizeof(whole)];
    for (size_t at = 0; at < sizeof(whole) - 1; at++) {
        for (size_t change = 0; change < sizeof(changes); change++) {
            struct arena *arena = arena_create();
            struct error err = { 0 };
            memcpy(bytes, whole, sizeof(whole));
            bytes[at] = changes[change];
            size_t size = change == 0 ? at : sizeof(whole) - 1;
            const struct node *root = yaml_parse(arena, "a.yaml", bytes, size, &err);
            cr_assert_eq(root == NULL, err.kind == ERROR_USER);
            cr_assert(root != NULL || (err.line > 0 && err.column > 0 && err.hint[0] != '\0'));
            arena_destroy(arena);
        }
    }
}
