/* SPDX-License-Identifier: MIT */
/* Maps and unmaps pages.  Called where a chain of calls is asked for, handlers included,
   and where a thread needs a stack for that.  */

#define _GNU_SOURCE
#include <sys/mman.h>

#include "rt/os/pages.h"

bool ccprof_pages_make(struct ccprof_pages *pages, uint64_t size)
{
    void *at = MAP_FAILED;

    if (size != 0 && size <= SIZE_MAX / 2)
        at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pages->at = at == MAP_FAILED ? NULL : at;
    pages->size = pages->at ? size : 0;
    return pages->at || size == 0;
}

void ccprof_pages_free(struct ccprof_pages *pages)
{
    if (pages->at)
        munmap(pages->at, pages->size);
    *pages = (struct ccprof_pages){NULL, 0};
}
