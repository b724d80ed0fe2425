/* SPDX-License-Identifier: MIT */
/* Asks the kernel whether a page is readable.  Called by the SIGPROF handler and other
   handlers, and wherever the program calls its allocator; the constructor calls
   watched.  */

#define _GNU_SOURCE
#include <errno.h>
#include <sys/uio.h>

#include "rt/os/safe-read.h"
#include "rt/os/sys.h"

static bool safe_read_is_watched;

void ccprof_safe_read_watched(void)
{
    safe_read_is_watched = true;
}

/* A process may always read itself by this call.  But a filter of system calls may forbid
   the call, and it costs more than a plain read.  */
size_t ccprof_safe_read_bytes(uint64_t address, void *to, size_t size)
{
    struct iovec into = {to, size};
    struct iovec from = {(void *)(uintptr_t)address, size};
    long got = syscall(SYS_process_vm_readv, ccprof_sys_getpid(), &into, 1, &from, 1, 0);

    return got < 0 ? 0 : (size_t)got;
}

static bool safe_read_by_kernel(uint64_t address, uint64_t *value)
{
    return ccprof_safe_read_bytes(address, value, sizeof *value) == sizeof *value;
}

/* The kernel reads the new mask before it checks the first argument, which is invalid
   here: EINVAL tells that the page is readable.  (No system call is allowed by more
   filters.)  The call also fails at a page of a mapped file that has become shorter,
   where a plain read would raise SIGBUS.  */
bool ccprof_safe_read_is_readable(uint64_t page)
{
    uint64_t value;

    if (safe_read_is_watched)
        return safe_read_by_kernel(page, &value);
    return syscall(SYS_rt_sigprocmask, -1, page, NULL, sizeof(ccprof_sys_signals)) != 0 &&
           errno == EINVAL;
}

static bool safe_read_other_page(struct ccprof_safe_read *readable, uint64_t page)
{
    unsigned i = 0;

    if (page == 0)
        return false;
    while (i < CCPROF_SAFE_READ_PAGES && readable->page[i] != page)
        i++;
    if (i == CCPROF_SAFE_READ_PAGES) {
        if (!ccprof_safe_read_is_readable(page))
            return false;
        i = readable->next++ % CCPROF_SAFE_READ_PAGES;
        readable->page[i] = page;
    }
    readable->last = i;
    return true;
}

static inline bool safe_read_page(struct ccprof_safe_read *readable, uint64_t page)
{
    return (page != 0 && readable->page[readable->last] == page) ||
           safe_read_other_page(readable, page);
}

struct safe_read_word {
    uint64_t value;
} __attribute__((packed, may_alias));

/* AddressSanitizer must not check reads from the stack of other functions.  */
__attribute__((no_sanitize_address)) bool
ccprof_safe_read(struct ccprof_safe_read *readable, uint64_t address, uint64_t *value)
{
    uint64_t last = address + sizeof *value - 1;
    uint64_t page = address & -CCPROF_SAFE_READ_PAGE;
    uint64_t last_page = last & -CCPROF_SAFE_READ_PAGE;

    if (safe_read_is_watched)
        return safe_read_by_kernel(address, value);
    if (last < address)
        return false;
    if ((address - readable->low >= readable->span ||
         last - readable->low >= readable->span) &&
        (!safe_read_page(readable, page) ||
         (last_page != page && !safe_read_page(readable, last_page))))
        return false;
    *value = ((const struct safe_read_word *)address)->value;
    return true;
}
