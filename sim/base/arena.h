/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that lives and dies together: one arena a run, one an experiment. Allocation moves a
 * pointer; nothing is freed alone. When memory is out the program ends here, and only here, with
 * exit status 4.
 */
#ifndef RINGTAIL_SIM_BASE_ARENA_H
#define RINGTAIL_SIM_BASE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_create(void);
void arena_destroy(struct arena *arena); /* NULL is allowed */

/* `size` zeroed bytes, aligned to 64. Pages of a large block cost nothing until they are touched.
 */
void *arena_alloc(struct arena *arena, size_t size);

/* `count` zeroed elements of `size` bytes; the product may not overflow (the program ends as if
 * memory were out). */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* A copy of `text`, or of its first `length` bytes, with a terminating zero. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* printf into the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3), nonnull(2)));

/* Bytes asked of the system so far. */
size_t arena_bytes(const struct arena *arena);

#endif
