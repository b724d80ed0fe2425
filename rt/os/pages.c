/* SPDX-License-Identifier: MIT */
/* Maps and unmaps pages.  Owns nothing.  Any thread may call this, handlers included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>

#include "rt/os/pages.h"
#include "rt/os/strict.h"

void *ccprof_pages_map(size_t size)
{
    if (ccprof_strict)
        return NULL;
    int saved = errno;
    void *at =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    errno = saved;
    return at == MAP_FAILED ? NULL : at;
}

bool ccprof_pages_make(struct ccprof_pages *pages, uint64_t size)
{
    bool possible = size != 0 && size <= SIZE_MAX / 2;

    pages->at = possible ? ccprof_pages_map(size) : NULL;
    pages->size = pages->at ? size : 0;
    return pages->at || size == 0;
}

void ccprof_pages_free(struct ccprof_pages *pages)
{
    if (!pages->at)
        return;
    munmap(pages->at, pages->size);
    *pages = (struct ccprof_pages){NULL, 0};
}
