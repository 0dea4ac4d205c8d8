/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/text.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool text_error(int code, const char *path, struct error *err)
{
    const struct place where = { .file = path };
    switch (code) {
    case ENOENT:
        error_user(err, &where, "there is no such file");
        return error_hint(err, "check the spelling and the folder that the path starts from");
    case EISDIR:
        error_user(err, &where, "this is a folder, not a file");
        return error_hint(err, "name a file in it");
    case EACCES:
    case EPERM:
        error_user(err, &where, "the file cannot be read: %s", strerror(code));
        return error_hint(err, "check the permissions of the file and of the folders above it");
    case ENOTDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case ENXIO:
        error_user(err, &where, "the file cannot be opened: %s", strerror(code));
        return error_hint(err, "check the path");
    default:
        error_environment(err, &where, "reading failed: %s", strerror(code));
        return error_hint(err, "try again when the system has recovered");
    }
}

/* Into a buffer that doubles, up to one byte more than is allowed: that one says that it is too
 * much. */
static bool read_stream(struct arena *arena, FILE *stream, size_t size_max, struct text *text)
{
    size_t capacity = 4096;
    char *bytes = arena_alloc(arena, capacity);
    size_t size = 0;
    for (;;) {
        size += fread(bytes + size, 1, capacity - size, stream);
        if (size < capacity || size > size_max) {
            break;
        }
        capacity *= 2;
        char *larger = arena_alloc(arena, capacity);
        memcpy(larger, bytes, size);
        bytes = larger;
    }
    text->bytes = bytes;
    text->size = size;
    return ferror(stream) == 0;
}

bool text_read(struct arena *arena, const char *path, size_t size_max, struct text *text,
               struct error *err)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return text_error(errno, path, err);
    }
    struct text read = { .name = path };
    errno = 0;
    bool ok = read_stream(arena, stream, size_max, &read);
    int code = errno;
    fclose(stream);
    if (!ok) {
        return text_error(code, path, err);
    }
    if (read.size > size_max) {
        const struct place where = { .file = path };
        error_user(err, &where, "the file is larger than %zu MiB", size_max >> 20);
        return error_hint(err, "is it the file that you meant?");
    }
    *text = read;
    return true;
}

void text_skip_mark(struct text *text)
{
    if (text->size >= 3 && memcmp(text->bytes, "\xef\xbb\xbf", 3) == 0) {
        text->bytes += 3;
        text->size -= 3;
    }
}

/* The length of the UTF-8 character at `bytes`, 0 if it is none; shortest forms only, no
 * surrogates. */
static size_t decode(const unsigned char *bytes, size_t size, uint32_t *character)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {
        { 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 }
    };
    for (size_t trail = 0; trail < 4 && trail < size; trail++) {
        if ((bytes[0] & forms[trail].mask) != forms[trail].lead) {
            continue;
        }
        uint32_t value = bytes[0] & (unsigned char)~forms[trail].mask;
        for (size_t i = 1; i <= trail; i++) {
            if ((bytes[i] & 0xc0) != 0x80) {
                return 0;
            }
            value = value << 6 | (bytes[i] & 0x3f);
        }
        bool surrogate = value >= 0xd800 && value <= 0xdfff;
        *character = value;
        return value < forms[trail].least || value > 0x10ffff || surrogate ? 0 : trail + 1;
    }
    return 0;
}

/* YAML 1.1, section 5.1, without the byte order mark. */
static bool is_printable(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0x7e) || c == 0x85 ||
           (c >= 0xa0 && c <= 0xfffd && c != 0xfeff) || c >= 0x10000;
}

bool text_check(const struct text *text, struct error *err)
{
    const unsigned char *bytes = (const unsigned char *)text->bytes;
    struct place where = { .file = text->name, .line = 1, .column = 1 };
    for (size_t i = 0; i < text->size;) {
        uint32_t c = 0;
        size_t length = decode(bytes + i, text->size - i, &c);
        if (length == 0) {
            error_user(err, &where, "not UTF-8: the byte 0x%02x", bytes[i]);
            return error_hint(err, "save the file as UTF-8");
        }
        if (c == 0) {
            error_user(err, &where, "not a text file: a zero byte");
            return error_hint(err, "is it the file that you meant?");
        }
        if (!is_printable(c)) {
            error_user(err, &where, "the character U+%04X is not allowed here", c);
            return error_hint(err, "remove it, or write it as an escape in double quotes");
        }
        i += length;
        bool half = c == '\r' && i < text->size && bytes[i] == '\n';
        if ((c == '\n' || c == '\r') && !half) {
            where.line++;
            where.column = 1;
        } else {
            where.column++;
        }
    }
    return true;
}

const char *text_line(const struct text *text, int line, size_t *length)
{
    const char *end = text->bytes + text->size;
    const char *start = text->bytes;
    for (;; line--) {
        const char *stop = start;
        while (stop < end && *stop != '\n' && *stop != '\r') {
            stop++;
        }
        if (line <= 1) {
            *length = (size_t)(stop - start);
            return start;
        }
        if (stop == end) {
            return NULL;
        }
        start = stop + (*stop == '\r' && stop + 1 < end && stop[1] == '\n' ? 2 : 1);
    }
}
