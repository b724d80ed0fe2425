/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An allocator that raises a signal within the next call, if it is told to. */

#include <signal.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void __libc_free(void *at);

volatile int signals;

static void interrupt(void)
{
    if (!signals)
        return;
    signals = 0;
    raise(SIGUSR2);
}

void *malloc(size_t size)
{
    interrupt();
    return __libc_malloc(size);
}

void free(void *at)
{
    interrupt();
    __libc_free(at);
}
