/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation of single blocks (buf_), of texts written through a FILE (buf_open), and
   of many small pieces that are freed together (pool_). */

#define _GNU_SOURCE
#include "mlprof/base/buf.h"

#include <malloc.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void buf_no_memory(void)
{
    fputs("mlprof: out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

void *buf_alloc(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (!memory)
        buf_no_memory();
    return memory;
}

void buf_free_own(void *pointer)
{
    free(*(void **)pointer);
}

char *buf_copy_prefix(const char *text, size_t length)
{
    char *copy = buf_alloc(length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *buf_copy(const char *text)
{
    return buf_copy_prefix(text, strlen(text));
}

char *buf_format(const char *format, ...)
{
    /* Avoid vasprintf for short texts: it allocates twice. */
    char small[256];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(small, sizeof small, format, arguments);
    if (length < 0)
        buf_no_memory();
    char *text = buf_alloc((size_t)length + 1);
    if ((size_t)length < sizeof small)
        memcpy(text, small, (size_t)length);
    else
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

void *buf_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return array;
    size_t room = *capacity + *capacity / 2 + 8;
    if (room < need)
        room = need;
    if (room > SIZE_MAX / size)
        buf_no_memory();
    array = realloc(array, room * size);
    if (!array)
        buf_no_memory();
    *capacity = room;
    return array;
}

void buf_sort(void *array, size_t count, size_t size,
              int compare(const void *one, const void *other))
{
    if (count)
        qsort(array, count, size, compare);
}

FILE *buf_open(char **text, size_t *size)
{
    FILE *stream = open_memstream(text, size);
    if (!stream)
        buf_no_memory();
    return stream;
}

void buf_close(FILE *stream)
{
    bool good = !ferror(stream);
    if (fclose(stream) || !good)
        buf_no_memory();
}

void buf_separate(FILE *stream, const char *separator)
{
    if (ftello(stream) > 0)
        fputs(separator, stream);
}

char *buf_close_text(FILE *stream, char **text)
{
    buf_close(stream);
    if (**text)
        return *text;
    free(*text);
    return NULL;
}

/* Size of a pool's block in bytes: small, to save memory for small profiles. */
#define BLOCK ((size_t)64 << 10)

struct pool_block {
    struct pool_block *before;
    size_t size; /* size of BYTES */
    alignas(max_align_t) unsigned char bytes[];
};

static void add_block(struct pool *pool, size_t size)
{
    if (size > SIZE_MAX - sizeof *pool->last)
        buf_no_memory();
    struct pool_block *block = malloc(sizeof *block + size);
    if (!block)
        buf_no_memory();
    *block = (struct pool_block){.before = pool->last, .size = size};
    pool->last = block;
    pool->left = size;
}

void *pool_alloc(struct pool *pool, size_t size)
{
    const size_t most = alignof(max_align_t) - 1;
    if (size > SIZE_MAX - most)
        buf_no_memory();
    size = (size + most) & ~most;
    if (!pool->last || size > pool->left)
        add_block(pool, size > BLOCK ? size : BLOCK);
    void *piece = pool->last->bytes + (pool->last->size - pool->left);
    pool->left -= size;
    return piece;
}

void *pool_copy(struct pool *pool, const void *memory, size_t size)
{
    void *copy = pool_alloc(pool, size);
    if (size)
        memcpy(copy, memory, size);
    return copy;
}

void pool_free(struct pool *pool)
{
    while (pool->last) {
        struct pool_block *before = pool->last->before;
        free(pool->last);
        pool->last = before;
    }
    *pool = (struct pool){0};
}

/* Sizes in bytes. Memory that is reserved but never accessed costs nothing. */
#define RESERVED (64 << 20) /* first part of the heap, in huge pages */
#define STEP     (1 << 20)  /* later growth of the heap, step by step */
#define APART    (16 << 20) /* larger arrays are mapped, and grow without copying */

void buf_use_large_pages(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)sbrk(0);
    mallopt(M_MMAP_THRESHOLD, APART);
    mallopt(M_TRIM_THRESHOLD, 2 * RESERVED);
    mallopt(M_TOP_PAD, RESERVED);
    /* Allocate more than the free memory of the heap, so that the heap grows. Without
       volatile, GCC would remove the call. */
    void *volatile first = malloc(STEP);
    free(first);
    mallopt(M_TOP_PAD, STEP);
    uintptr_t end = (uintptr_t)sbrk(0);
    start = (start + page - 1) / page * page;
    if (end > start)
        madvise((void *)start, end - start, MADV_HUGEPAGE);
}
