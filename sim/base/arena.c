/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* madvise */

#include "sim/base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, CHUNK_BYTES = 64 * 1024, LARGE_BYTES = CHUNK_BYTES / 4, EXIT_MEMORY = 4 };
enum { PAGE_BYTES = 4096, HUGE_BYTES = 4 << 20 };

/* A chunk's bytes follow its head. Large blocks get a chunk of their own. */
struct chunk {
    _Alignas(ALIGNMENT) struct chunk *next;
    size_t used;
    size_t size;
};

struct arena {
    struct chunk *small; /* the first one has room */
    struct chunk *large;
    size_t bytes;
};

static void end_out_of_memory(size_t size)
{
    fprintf(stderr, "ringtail: error: out of memory (%zu bytes asked)\n", size);
    exit(EXIT_MEMORY);
}

/* calloc's large blocks are fresh pages of the system, zero without being touched. It aligns to 16,
 * so the head moves up inside the block; the byte before it says how far. */
static struct chunk *chunk_create(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2) {
        end_out_of_memory(size);
    }
    size_t total = sizeof(struct chunk) + size;
    total = (total + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *block = calloc(1, total + ALIGNMENT);
    if (block == NULL) {
        end_out_of_memory(total);
    }
    if (total >=
        HUGE_BYTES) { /* fewer misses of the page tables; a hint, so the answer does not matter */
        uintptr_t page = ((uintptr_t)block + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
        madvise((void *)page, total / PAGE_BYTES * PAGE_BYTES, MADV_HUGEPAGE);
    }
    size_t shift = ALIGNMENT - (uintptr_t)block % ALIGNMENT;
    struct chunk *chunk = (struct chunk *)(void *)(block + shift);
    ((unsigned char *)chunk)[-1] = (unsigned char)shift;
    chunk->size = size;
    arena->bytes += total + ALIGNMENT;
    return chunk;
}

static void *block_of(struct chunk *chunk)
{
    return (unsigned char *)chunk - ((unsigned char *)chunk)[-1];
}

struct arena *arena_create(void)
{
    struct arena *arena = calloc(1, sizeof(*arena));
    if (arena == NULL) {
        end_out_of_memory(sizeof(*arena));
    }
    return arena;
}

static void chunks_destroy(struct chunk *chunk)
{
    while (chunk != NULL) {
        struct chunk *next = chunk->next;
        free(block_of(chunk));
        chunk = next;
    }
}

void arena_destroy(struct arena *arena)
{
    if (arena != NULL) {
        chunks_destroy(arena->small);
        chunks_destroy(arena->large);
        free(arena);
    }
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size >= LARGE_BYTES) {
        struct chunk *chunk = chunk_create(arena, size);
        chunk->next = arena->large;
        arena->large = chunk;
        return chunk + 1;
    }
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (arena->small == NULL || arena->small->size - arena->small->used < size) {
        struct chunk *chunk = chunk_create(arena, CHUNK_BYTES);
        chunk->next = arena->small;
        arena->small = chunk;
    }
    struct chunk *chunk = arena->small;
    void *memory = (char *)(chunk + 1) + chunk->used;
    chunk->used += size;
    return memory;
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        end_out_of_memory(SIZE_MAX);
    }
    return arena_alloc(arena, total);
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    size_t used = 0;
    while (used < length && text[used] != '\0') {
        used++;
    }
    char *copy = arena_alloc(arena, used + 1);
    memcpy(copy, text, used);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = arena_alloc(arena, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

size_t arena_bytes(const struct arena *arena)
{
    return arena->bytes;
}
