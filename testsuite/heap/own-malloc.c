/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An allocator to be preloaded or linked, whose addresses are unusual. It takes a page
   for each block, in turn near the lowest address, in between, and as high as there are
   any, and gives the block at an offset of 8 bytes. Its malloc calls its calloc, through
   a slot. */

#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096

/* Of each block, in front of it. */
struct head {
    size_t size;
};

static void *page(size_t size)
{
    static const uintptr_t hint[] = {0x20000, 0x100000000, 0x200000000000, 0x7ffe00000000,
                                     (uintptr_t)1 << 55};
    static _Atomic unsigned turn;
    const unsigned now = turn++;
    void *wanted = (void *)(hint[now % 5] + (uintptr_t)(now % 4096) * PAGE * 16);
    void *at = mmap(wanted, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    struct head *head;

    if (__builtin_mul_overflow(count, size, &bytes) ||
        bytes > SIZE_MAX - sizeof *head - PAGE || !(head = page(bytes + sizeof *head))) {
        errno = ENOMEM;
        return NULL;
    }
    head->size = bytes;
    return head + 1;
}

static void *(*volatile by_slot)(size_t, size_t);

void *malloc(size_t size)
{
    return (by_slot ? by_slot : calloc)(size, 1);
}

void free(void *at)
{
    struct head *head = at;

    if (at) {
        int saved = errno;
        munmap(head - 1, head[-1].size + sizeof *head);
        errno = saved;
    }
}

void *realloc(void *at, size_t size)
{
    void *to;

    if (at && size == 0) {
        free(at);
        return NULL;
    }
    to = malloc(size);
    if (to && at) {
        const size_t before = ((struct head *)at)[-1].size;
        memcpy(to, at, before < size ? before : size);
        free(at);
    }
    return to;
}
