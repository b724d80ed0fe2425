/* SPDX-License-Identifier: MIT */
/* Replaces longjmp.  Owns nothing.  Called wherever the program calls longjmp, signal
   handlers included.  */

#include "rt/process/jump.h"
#include "rt/os/libc.h"
#include "rt/regions/regions.h"

static void jump_leave(const void *buffer)
{
    uintptr_t stack = ccprof_jump_stack(buffer);
    if (stack != 0)
        ccprof_regions_jump(buffer, stack);
}

void ccprof_jump_longjmp(sigjmp_buf buffer, int value)
{
    jump_leave(buffer);
    ccprof_libc.siglongjmp(buffer, value);
}

void ccprof_jump_longjmp_checked(sigjmp_buf buffer, int value)
{
    jump_leave(buffer);
    ccprof_libc.siglongjmp_checked(buffer, value);
}
