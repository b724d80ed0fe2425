/* SPDX-License-Identifier: MIT */
/* Owns nothing.  Called by the handler.  */

#define _GNU_SOURCE
#include <errno.h>

#include "rt/os/peek.h"
#include "rt/os/sys.h"

/* The smallest page there is.  */
#define PEEK_PAGE 4096u

/* The kernel reads the set before it looks at what is to be done with it, which is
   nonsense here.  (No system call is allowed in more places.)  */
static bool peek_is_readable(uint64_t address)
{
    return syscall(SYS_rt_sigprocmask, -1, address, NULL, sizeof(ccprof_sys_signals)) !=
               0 &&
           errno == EINVAL;
}

static bool peek_other_page(struct ccprof_peek *peek, uint64_t page)
{
    unsigned i = 0;

    if (page == 0)
        return false;
    while (i < CCPROF_PEEK_PAGES && peek->page[i] != page)
        i++;
    if (i == CCPROF_PEEK_PAGES) {
        if (!peek_is_readable(page))
            return false;
        i = peek->next++ % CCPROF_PEEK_PAGES;
        peek->page[i] = page;
    }
    peek->last = i;
    return true;
}

static inline bool peek_page(struct ccprof_peek *peek, uint64_t page)
{
    return (page != 0 && peek->page[peek->last] == page) || peek_other_page(peek, page);
}

struct peek_word {
    uint64_t value;
} __attribute__((packed, may_alias));

/* The stack of other functions is none of AddressSanitizer's business here.  */
__attribute__((no_sanitize_address)) bool ccprof_peek(struct ccprof_peek *peek,
                                                      uint64_t address, uint64_t *value)
{
    uint64_t last = address + sizeof *value - 1;
    uint64_t page = address & -(uint64_t)PEEK_PAGE;
    uint64_t last_page = last & -(uint64_t)PEEK_PAGE;

    if (last < address || !peek_page(peek, page) ||
        (last_page != page && !peek_page(peek, last_page)))
        return false;
    *value = ((const struct peek_word *)address)->value;
    return true;
}
