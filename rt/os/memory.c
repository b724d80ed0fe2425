/* SPDX-License-Identifier: MIT */
/* Maps pages, asks the kernel whether pages are readable, and finds the calling
   thread's own stack. Owns the known bounds of each thread's stack. Any thread may
   call these functions, and so may signal handlers. Only the constructor calls
   ccprof_safe_read_use_kernel. */

#define _GNU_SOURCE
#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "rt/os/memory.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"

static void *pages_map(void *at, size_t size, int flags)
{
    if (ccprof_strict)
        return NULL;
    int saved = errno;
    void *address = mmap(at, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

    errno = saved;
    return address == MAP_FAILED ? NULL : address;
}

void *ccprof_pages_map(size_t size)
{
    return pages_map(NULL, size, MAP_PRIVATE);
}

void *ccprof_pages_share(size_t size)
{
    return pages_map(NULL, size, MAP_SHARED);
}

bool ccprof_pages_clear(void *start, size_t size)
{
    return pages_map(start, size, MAP_PRIVATE | MAP_FIXED) != NULL;
}

bool ccprof_pages_make(struct ccprof_pages *pages, uint64_t size)
{
    bool possible = size != 0 && size <= SIZE_MAX / 2;

    pages->start = possible ? ccprof_pages_map(size) : NULL;
    pages->size = pages->start ? size : 0;
    return pages->start || size == 0;
}

void ccprof_pages_free(struct ccprof_pages *pages)
{
    if (!pages->start)
        return;
    munmap(pages->start, pages->size);
    *pages = (struct ccprof_pages){NULL, 0};
}

static bool safe_read_uses_kernel;

void ccprof_safe_read_use_kernel(void)
{
    safe_read_uses_kernel = true;
}

/* process_vm_readv on this process: the kernel always permits it, but a seccomp filter
   may not, and it costs more than a plain read. */
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

/* Calls rt_sigprocmask with an invalid first argument and with the page as the new
   signal mask. The kernel reads the mask before it checks this argument, so EINVAL
   means that the page is readable. Nearly every seccomp filter allows this system
   call. The call also fails at a page beyond the end of a mapped file that was
   truncated, where a plain read would raise SIGBUS. */
bool ccprof_safe_read_is_readable(uint64_t page)
{
    uint64_t value;

    if (safe_read_uses_kernel)
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

/* The unwinder reads the stack frames of other functions, which AddressSanitizer would
   report. */
__attribute__((no_sanitize_address)) bool
ccprof_safe_read(struct ccprof_safe_read *readable, uint64_t address, uint64_t *value)
{
    uint64_t last = address + sizeof *value - 1;
    uint64_t page = address & -CCPROF_SAFE_READ_PAGE;
    uint64_t last_page = last & -CCPROF_SAFE_READ_PAGE;

    if (safe_read_uses_kernel || readable->by_kernel)
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

/* The maximum distance in bytes between a stack pointer and the known part of the
   stack. The check between the two costs a system call per page. */
#define STACK_JUMP (UINT64_C(64) << 20)

__thread struct ccprof_thread_stack ccprof_thread_stack;

/* Returns an address above all frames of the thread's own stack. libc keeps its data
   about a thread at the top of the thread's stack, and the thread pointer points
   there. At the top of the first thread's stack are the random bytes from the kernel. */
static uint64_t stack_top(void)
{
    uint64_t top = ccprof_sys_gettid() == ccprof_sys_getpid()
                       ? getauxval(AT_RANDOM)
                       : (uintptr_t)__builtin_thread_pointer();
    return top & -UINT64_C(16);
}

/* All pages between POINTER and the known part must be readable. There is an
   unreadable page below each stack, so a different stack at a lower address is not
   mistaken for the thread's own stack. Pages are read upwards from the pointer:
   reading below the first thread's stack would make the kernel extend it. */
bool ccprof_thread_stack_look(uint64_t pointer)
{
    struct ccprof_thread_stack *stack = &ccprof_thread_stack;
    const uint64_t from = pointer & -CCPROF_SAFE_READ_PAGE;

    if (stack->low == 0)
        stack->low = stack_top();
    if (pointer >= stack->low || pointer < stack->floor || stack->low - from > STACK_JUMP)
        return false;
    for (uint64_t page = from; page < stack->low; page += CCPROF_SAFE_READ_PAGE)
        if (!ccprof_safe_read_is_readable(page)) {
            stack->floor = page + CCPROF_SAFE_READ_PAGE;
            return false;
        }
    stack->span += stack->low - from;
    stack->low = from;
    return true;
}
