/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/yaml_error.h"

#include <string.h>

#include "sim/base/time.h"

/* Which of libyaml's two marks is the place: where it noticed, or where what it was reading began.
 */
enum mark { NOTICED, BEGAN };

/* libyaml 0.2.5, scanner.c and parser.c. A row holds if the problem is equal and the context, where
 * it is not NULL, is too. */
static const struct {
    const char *problem;
    const char *context;
    enum mark mark;
    const char *message;
    const char *hint;
} translations[] = {
    { "mapping values are not allowed in this context", NULL, NOTICED, "a `:` cannot stand here",
      "line keys up, start a nested mapping on a line of its own, and quote text with `: `" },
    { "mapping keys are not allowed in this context", NULL, NOTICED, "a `?` cannot stand here",
      "put text that starts with `? ` in quotes" },
    { "block sequence entries are not allowed in this context", NULL, NOTICED,
      "a list cannot start here", "start it on a line of its own, or write `[a, b]`" },
    { "could not find expected ':'", NULL, BEGAN, "a key without a `:` after it",
      "write `key: value` on one line" },
    { "did not find expected key", NULL, NOTICED, "a key of the mapping is expected here",
      "line it up with the keys above it; text with special characters needs quotes" },
    { "did not find expected '-' indicator", NULL, NOTICED, "a `-` of the list is expected here",
      "line it up with the `-` above it" },
    { "did not find expected alphabetic or numeric character", "while scanning an alias", BEGAN,
      "a text cannot start with `*`, which is for aliases", "put it in quotes" },
    { "did not find expected alphabetic or numeric character", "while scanning an anchor", BEGAN,
      "a text cannot start with `&`, which is for anchors", "put it in quotes" },
    { "found unexpected ':'", NULL, NOTICED, "a `:` inside a flow collection's text",
      "put a blank after the `:`, or the text in quotes" },
    { "found unknown escape character", NULL, NOTICED, "an unknown escape in double quotes",
      "write `\\\\` for a backslash, or use single quotes" },
    { "did not find expected hexdecimal number", NULL, NOTICED,
      "an escape without its hexadecimal digits", "write `\\x41`, or use single quotes" },
    { "found invalid Unicode character escape code", NULL, NOTICED,
      "an escape that is no Unicode character", "use single quotes for text with backslashes" },
    { "did not find expected comment or line break", NULL, NOTICED,
      "text on the line of a `|` or `>`", "start the text on the next line, or quote it" },
    { "found an indentation indicator equal to 0", NULL, NOTICED, "an indentation of 0",
      "write 1 to 9, or leave it out" },
    { "did not find expected <document start>", NULL, NOTICED, "text after the document's end",
      "the document is one mapping; line its keys up" },
    { "could not find expected directive name", NULL, BEGAN, "an unknown `%` directive",
      "put text that starts with `%` in quotes" },
    { "found unknown directive name", NULL, BEGAN, "an unknown `%` directive",
      "put text that starts with `%` in quotes" },
    { "found incompatible YAML document", NULL, NOTICED, "an unknown version of YAML",
      "leave the %YAML line out" },
    { "found undefined tag handle", NULL, NOTICED, "tags are not known here",
      "put text that starts with `!` in quotes" },
};

struct place yaml_error_place(const char *name, yaml_mark_t mark)
{
    return (
        struct place){ .file = name, .line = (int)mark.line + 1, .column = (int)mark.column + 1 };
}

/* The character at a mark; '\0' at the end of its line. */
static char character_at(const struct text *text, yaml_mark_t mark)
{
    size_t length = 0;
    const char *line = text_line(text, (int)mark.line + 1, &length);
    size_t i = 0;
    for (size_t column = mark.column; line != NULL && i < length; i++) {
        bool starts_character = (line[i] & 0xc0) != 0x80;
        if (starts_character && column-- == 0) {
            return line[i];
        }
    }
    return '\0';
}

/* A tab in front of the text of the line at the mark. */
static bool error_tab(const struct text *text, yaml_mark_t mark, struct error *err)
{
    size_t length = 0;
    const char *line = text_line(text, (int)mark.line + 1, &length);
    for (size_t i = 0; line != NULL && i < length && (line[i] == ' ' || line[i] == '\t'); i++) {
        if (line[i] == '\t') {
            struct place where = { text->name, (int)mark.line + 1, (int)i + 1 };
            error_user(err, &where, "a tab in the indentation");
            error_hint(err, "indent with spaces");
            return true;
        }
    }
    return false;
}

static bool error_open_quote(const yaml_parser_t *parser, const struct text *text,
                             const struct yaml_progress *progress, struct error *err)
{
    yaml_mark_t start = parser->context_mark;
    bool open = parser->context != NULL &&
                strcmp(parser->context, "while scanning a quoted scalar") == 0 &&
                (strcmp(parser->problem, "found unexpected end of stream") == 0 ||
                 strcmp(parser->problem, "found unexpected document indicator") == 0);
    if (!open && progress->quoted && progress->start.line < progress->end.line &&
        progress->end.line == parser->problem_mark.line) {
        start = progress->start;
        open = true;
    }
    if (open) {
        struct place where = yaml_error_place(text->name, start);
        error_user(err, &where, "the quote that opens here is not closed");
        error_hint(err, "close it on its line with a `%c`", character_at(text, start));
    }
    return open;
}

/* A bracket that is open when the text ends, or meets what cannot follow. */
static bool error_open_bracket(const yaml_parser_t *parser, const struct text *text,
                               struct error *err)
{
    bool mapping = strcmp(parser->problem, "did not find expected ',' or '}'") == 0;
    if (!mapping && strcmp(parser->problem, "did not find expected ',' or ']'") != 0) {
        return false;
    }
    char open = mapping ? '{' : '[';
    char close = mapping ? '}' : ']';
    struct place where = yaml_error_place(text->name, parser->context_mark);
    struct place noticed = yaml_error_place(text->name, parser->problem_mark);
    char found = character_at(text, parser->problem_mark);
    if (where.line == noticed.line && found != '\0') {
        error_user(err, &noticed, "a `,` or the `%c` that closes column %d is expected here", close,
                   where.column);
        error_hint(err, "put a `,` between entries; text with special characters needs quotes");
    } else if (found == '\0') {
        error_user(err, &where, "the `%c` that opens here is not closed", open);
        error_hint(err, "add the `%c`", close);
    } else {
        error_user(err, &where,
                   "the `%c` that opens here is not closed, or a `,` is missing before line %d, "
                   "column %d",
                   open, noticed.line, noticed.column);
        error_hint(err, "add the `%c` or the `,`", close);
    }
    return true;
}

/* More text behind a value that has ended. */
static bool error_after_value(const yaml_parser_t *parser, const struct text *text,
                              struct error *err)
{
    if (strcmp(parser->problem, "did not find expected key") != 0 &&
        strcmp(parser->problem, "did not find expected '-' indicator") != 0) {
        return false;
    }
    size_t length = 0;
    const char *line = text_line(text, (int)parser->problem_mark.line + 1, &length);
    size_t blanks = 0;
    while (line != NULL && blanks < length && line[blanks] == ' ') {
        blanks++;
    }
    if (parser->problem_mark.column <= blanks) {
        return false; /* a line of its own */
    }
    struct place where = yaml_error_place(text->name, parser->problem_mark);
    char found = character_at(text, parser->problem_mark);
    if (found == ']' || found == '}') {
        error_user(err, &where, "a `%c` that closes nothing", found);
        error_hint(err, "remove it, or add the bracket that opens");
    } else {
        error_user(err, &where, "the value has ended before this text");
        error_hint(err, "put the whole value in one pair of quotes; in single quotes, `''` is an "
                        "apostrophe");
    }
    return true;
}

/* The end, or another bracket's end, where the open one expects a value. */
static bool error_open_flow(const struct yaml_progress *progress, char found, struct place where,
                            struct error *err)
{
    if (!progress->flow) {
        return false;
    }
    char close = progress->bracket == '{' ? '}' : ']';
    if (found == '\0') {
        error_user(err, &progress->open, "the `%c` that opens here is not closed",
                   progress->bracket);
        error_hint(err, "add the `%c`", close);
        return true;
    }
    if (found == ']' || found == '}') {
        error_user(err, &where, "the `%c` of line %d, column %d is not closed before this `%c`",
                   progress->bracket, progress->open.line, progress->open.column, found);
        error_hint(err, "add the `%c`", close);
        return true;
    }
    return false;
}

/* A character that starts no text. */
static bool error_bad_start(const yaml_parser_t *parser, const struct text *text,
                            const struct yaml_progress *progress, struct error *err)
{
    if (strcmp(parser->problem, "found character that cannot start any token") != 0 &&
        strcmp(parser->problem, "did not find expected node content") != 0) {
        return false;
    }
    char found = character_at(text, parser->problem_mark);
    struct place where = yaml_error_place(text->name, parser->problem_mark);
    if (error_open_flow(progress, found, where, err)) {
        return true;
    }
    if (found == ']' || found == '}') {
        error_user(err, &where, "a `%c` that closes nothing", found);
        error_hint(err, "remove it, or add the bracket that opens");
    } else if (found == '\0') {
        error_user(err, &where, "a value is missing here");
        error_hint(err, "is a bracket or quote before it left open?");
    } else if (found == '\t') {
        error_user(err, &where, "a tab where a value starts");
        error_hint(err, "use spaces");
    } else {
        error_user(err, &where, "a value cannot start with `%c`", found);
        error_hint(err, "put it in quotes, or remove the `%c`", found);
    }
    return true;
}

static bool error_translated(const yaml_parser_t *parser, const struct text *text,
                             struct error *err)
{
    for (size_t i = 0; i < ARRAY_LENGTH(translations); i++) {
        const char *context = translations[i].context;
        if (strcmp(translations[i].problem, parser->problem) == 0 &&
            (context == NULL || (parser->context != NULL && !strcmp(context, parser->context)))) {
            bool began = translations[i].mark == BEGAN && parser->context != NULL;
            struct place where =
                yaml_error_place(text->name, began ? parser->context_mark : parser->problem_mark);
            error_user(err, &where, "%s", translations[i].message);
            error_hint(err, "%s", translations[i].hint);
            return true;
        }
    }
    return false;
}

void yaml_error_set(const yaml_parser_t *parser, const struct text *text,
                    const struct yaml_progress *progress, struct error *err)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        error_environment(err, NULL, "out of memory");
        return;
    }
    if (error_open_quote(parser, text, progress, err) ||
        (!progress->flow && error_tab(text, parser->problem_mark, err)) ||
        error_after_value(parser, text, err) || error_open_bracket(parser, text, err) ||
        error_bad_start(parser, text, progress, err) || error_translated(parser, text, err)) {
        return;
    }
    struct place where = yaml_error_place(text->name, parser->problem_mark);
    error_user(err, &where, "not valid YAML: %s%s%s", parser->context ? parser->context : "",
               parser->context ? ", " : "", parser->problem);
    error_hint(err, "put text with special characters in quotes");
}
