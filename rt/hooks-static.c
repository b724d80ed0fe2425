/* SPDX-License-Identifier: MIT */
/* In a statically linked program these come before libc's _exit and _Exit, and
   libc's own calls arrive here too.  Weak: a program may have its own.

   Owns nothing.  Called wherever the program or libc calls _exit, signal handlers
   and children of vfork included.  */

#define _GNU_SOURCE
#include "hooks.h"
#include "run.h"
#include "sys.h"

__attribute__((weak, noreturn, visibility("default"))) void _exit(int status)
{
    ccprof_run_end(false);
    for (;;)
        syscall(SYS_exit_group, status);
}

__attribute__((weak, alias("_exit"), noreturn, visibility("default"))) void
_Exit(int status);

void ccprof_hooks_set(const void *address)
{
    (void)address;
}
