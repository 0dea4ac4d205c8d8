/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines are read by their place with pread and appended with pwrite, so that what a killed program
 * leaves behind is whole but for its last line. The stream only holds the descriptor.
 */
#include "sim/run/result_source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/config/text.h"
#include "sim/run/output.h"

enum { STEP_BYTES = 4096 };

static bool fail_reading(const struct result_source *source, int code, struct error *err)
{
    const struct place where = { .file = source->name };
    error_environment(err, &where, "reading failed: %s", strerror(code));
    return error_hint(err, "try again when the system has recovered");
}

static bool fail_writing(const struct result_source *source, int code, struct error *err)
{
    const struct place where = { .file = source->name };
    error_environment(err, &where, "writing failed: %s", strerror(code == 0 ? EIO : code));
    return error_hint(err, "free some space; `run --resume -o FILE` goes on with what is complete");
}

/* ---- Bytes. ---- */

/* Makes room for `size` bytes and keeps the first `used`. */
static void reserve(struct result_source *source, size_t size, size_t used)
{
    if (size <= source->capacity) {
        return;
    }
    size_t capacity = source->capacity == 0 ? STEP_BYTES : source->capacity;
    while (capacity < size) {
        capacity *= 2;
    }
    char *bytes = arena_alloc(source->arena, capacity);
    if (used > 0) {
        memcpy(bytes, source->bytes, used);
    }
    source->bytes = bytes;
    source->capacity = capacity;
}

/* Returns how many bytes there are from `offset` on, at most `size`; -1 on failure. */
static ssize_t read_at(struct result_source *source, char *bytes, size_t size, uint64_t offset)
{
    size_t done = 0;
    while (done < size) {
        off_t from = (off_t)(offset + done);
        ssize_t got = pread(fileno(source->stream), bytes + done, size - done, from);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got < 0 ? -1 : (ssize_t)done;
        }
        done += (size_t)got;
    }
    return (ssize_t)done;
}

static bool write_at(struct result_source *source, const char *bytes, size_t size, uint64_t offset)
{
    size_t done = 0;
    while (done < size) {
        off_t to = (off_t)(offset + done);
        ssize_t put = pwrite(fileno(source->stream), bytes + done, size - done, to);
        if (put > 0) {
            done += (size_t)put;
        } else if (put == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* ---- Lines. ---- */

enum source_line result_source_next(struct result_source *source, struct line *line,
                                    struct error *err)
{
    uint64_t offset = line->number == 0 ? 0 : line->offset + line->size + 1;
    size_t size = 0;
    for (;;) {
        size_t room = size == 0 ? STEP_BYTES : size; /* whatever the longest line was */
        reserve(source, size + room, size);
        ssize_t got = read_at(source, source->bytes + size, room, offset + size);
        if (got < 0) {
            fail_reading(source, errno, err);
            return SOURCE_FAILED;
        }
        char *end = memchr(source->bytes + size, '\n', (size_t)got);
        if (end != NULL) {
            *end = '\0';
            *line = (struct line){ offset, (size_t)(end - source->bytes), line->number + 1 };
            return SOURCE_LINE;
        }
        size += (size_t)got;
        if (size > RESULT_LINE_BYTES_MAX) {
            const struct place where = { .file = source->name, .line = line->number + 1 };
            error_user(err, &where, "the line is too long for a result");
            error_hint(err, "name a file that `ringtail run -o FILE` wrote");
            return SOURCE_FAILED;
        }
        if ((size_t)got < room) {
            *line = (struct line){ offset, size, line->number + 1 };
            return size == 0 ? SOURCE_END : SOURCE_CUT;
        }
    }
}

const char *result_source_line(struct result_source *source, const struct line *line,
                               struct error *err)
{
    reserve(source, line->size + 1, 0);
    ssize_t got = read_at(source, source->bytes, line->size, line->offset);
    if (got != (ssize_t)line->size) {
        fail_reading(source, got < 0 ? errno : EIO, err);
        return NULL;
    }
    source->bytes[line->size] = '\0';
    return source->bytes;
}

bool result_source_append(struct result_source *source, json_t *json, struct line *line,
                          struct error *err)
{
    size_t size = json_dumpb(json, NULL, 0, JSON_COMPACT);
    reserve(source, size + 1, 0);
    json_dumpb(json, source->bytes, size, JSON_COMPACT);
    json_decref(json);
    source->bytes[size] = '\n';
    if (!write_at(source, source->bytes, size + 1, source->end)) {
        int code = errno;
        bool cut = ftruncate(fileno(source->stream), (off_t)source->end) == 0;
        return fail_writing(source, cut ? code : errno, err);
    }
    *line = (struct line){ source->end, size, source->lines + 1 };
    source->end += size + 1;
    source->lines++;
    return true;
}

/* ---- Files. ---- */

/* What cannot be read at a place, such as a pipe, is copied to where it can be. */
static bool copy_stream(struct result_source *source, struct error *err)
{
    FILE *copy = tmpfile();
    bool good = copy != NULL;
    reserve(source, STEP_BYTES, 0);
    for (size_t got = 1; good && got > 0;) {
        got = fread(source->bytes, 1, source->capacity, source->stream);
        good = fwrite(source->bytes, 1, got, copy) == got && ferror(source->stream) == 0;
    }
    good = good && fflush(copy) == 0;
    int code = errno;
    if (copy != NULL) {
        fclose(source->stream);
        source->stream = copy;
    }
    return good || fail_reading(source, code, err);
}

static bool open_stream(struct result_source *source, struct error *err)
{
    struct stat status;
    bool append = source->use == SOURCE_APPEND;
    int file = open(source->name, (append ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    source->stream = file < 0 ? NULL : fdopen(file, append ? "r+" : "r");
    if (source->stream == NULL || fstat(file, &status) != 0) {
        return text_error(errno, source->name, err);
    }
    if (S_ISDIR(status.st_mode)) {
        return text_error(EISDIR, source->name, err);
    }
    return S_ISREG(status.st_mode) || copy_stream(source, err);
}

static bool fail_header(const struct result_source *source, enum source_line what,
                        struct error *err)
{
    const struct place where = { .file = source->name, .line = 1 };
    if (what == SOURCE_END) {
        error_user(err, &where, "the file is empty");
        return error_hint(err, "name a file that `ringtail run -o FILE` wrote");
    }
    error_user(err, &where, "this is not a result of ringtail, or it is cut in its first line");
    return error_hint(err, "name a file that `ringtail run -o FILE` wrote");
}

static bool read_header(struct result_source *source, struct error *err)
{
    enum source_line what = result_source_next(source, &source->first, err);
    if (what == SOURCE_FAILED) {
        return false;
    }
    if (what != SOURCE_LINE) {
        return source->use == SOURCE_BROKEN_OFF || fail_header(source, what, err);
    }
    json_error_t ignored;
    json_t *json = json_loadb(source->bytes, source->first.size, JSON_REJECT_DUPLICATES, &ignored);
    if (json == NULL) {
        return fail_header(source, SOURCE_CUT, err);
    }
    const struct field_reader reader = { source->arena, { source->name, 1, 0 }, err, NULL };
    bool good = header_json_read(&reader, json, &source->header);
    json_decref(json);
    source->end = source->first.size + 1;
    source->lines = 1;
    return good;
}

static struct result_source begin(const char *name)
{
    struct arena *arena = arena_create();
    return (struct result_source){ .name = arena_strdup(arena, name), .arena = arena };
}

bool result_source_open(const char *path, enum source_use use, struct result_source *source,
                        struct error *err)
{
    struct result_source opened = begin(path);
    opened.use = use;
    if (!open_stream(&opened, err) || !read_header(&opened, err)) {
        result_source_close(&opened);
        return false;
    }
    *source = opened;
    return true;
}

bool result_source_open_any(const char *path, struct result_source *source, struct error *err)
{
    size_t length = strlen(path);
    bool part = length > 5 && strcmp(path + length - 5, ".part") == 0;
    if (!result_source_open(path, part ? SOURCE_BROKEN_OFF : SOURCE_READ, source, err)) {
        return false;
    }
    if (source->header.experiment == NULL) {
        const struct place where = { .file = path };
        error_user(err, &where, "the run was broken off before its first record");
        error_hint(err, "`ringtail run --resume` goes on with it");
        result_source_close(source);
        return false;
    }
    return true;
}

bool result_source_create(const char *path, const struct experiment *experiment,
                          struct result_source *source, struct error *err)
{
    struct result_source made = begin(path == NULL ? "a temporary file" : path);
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    made.stream = path == NULL ? tmpfile() : file < 0 ? NULL : fdopen(file, "w+");
    if (made.stream == NULL) {
        int code = errno;
        result_source_close(&made);
        if (path != NULL) {
            return output_error(path, code, err);
        }
        error_environment(err, NULL, "no temporary file can be made: %s", strerror(code));
        return error_hint(err, "name a result with `-o FILE`, which needs none");
    }
    struct line line = { 0 };
    if (!result_source_append(&made, header_json_of(experiment), &line, err) ||
        !read_header(&made, err)) {
        result_source_close(&made);
        if (path != NULL) {
            unlink(path);
        }
        return false;
    }
    *source = made;
    return true;
}

void result_source_close(struct result_source *source)
{
    if (source->stream != NULL) {
        fclose(source->stream);
    }
    arena_destroy(source->arena);
    *source = (struct result_source){ 0 };
}
