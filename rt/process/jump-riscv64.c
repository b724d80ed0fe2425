/* SPDX-License-Identifier: MIT */
/* The stack pointer in the buffer of glibc's setjmp; and setjmp.  */

#include <stdint.h>

#include "rt/process/jump.h"

/* The word, of 8 bytes.  */
#define JUMP_STACK 13

uintptr_t ccprof_jump_stack(const void *buffer)
{
    return ((const uint64_t *)buffer)[JUMP_STACK];
}

/* Notes the buffer and the stack pointer behind the call; then libc's function goes on in
   place of this one, with SAVES, whether it saves the signal mask.  It is jumped to as it
   would be called (libc-shared.c).  */
#define JUMP(name, saves)                                                                \
    "	.globl	" name "\n	.type	" name ",@function\n" name ":\n"                 \
    "	.cfi_startproc\n	addi	sp, sp, -32\n	.cfi_adjust_cfa_offset 32\n"                   \
    "	sd	a0, 0(sp)\n	sd	a1, 8(sp)\n	sd	ra, 16(sp)\n	"                                    \
    ".cfi_rel_offset ra, 16\n"                                                           \
    "	addi	a1, sp, 32\n	call	ccprof_regions_mark\n"                                      \
    "	ld	a0, 0(sp)\n	ld	a1, 8(sp)\n	ld	ra, 16(sp)\n	"                                    \
    ".cfi_restore ra\n"                                                                  \
    "	addi	sp, sp, 32\n	.cfi_adjust_cfa_offset -32\n	" saves "\n"             \
    "	tail	__sigsetjmp\n	.cfi_endproc\n	.size	" name ", .-" name "\n"

/* In a statically linked program these come before libc's.  */
#define JUMP_LIBC(name, own)                                                             \
    "	.weak	" name "\n	.type	" name ",@function\n	.set	" name ", " own  \
    "\n"

__asm__("	.text\n	.hidden	ccprof_jump__setjmp\n	.hidden	ccprof_jump_setjmp\n"
        "	.hidden	ccprof_jump_sigsetjmp\n	.hidden	ccprof_regions_mark\n" JUMP(
            "ccprof_jump__setjmp", "li	a1, 0") JUMP("ccprof_jump_setjmp", "li	a1, 1")
            JUMP("ccprof_jump_sigsetjmp", "") JUMP_LIBC("_setjmp", "ccprof_jump__setjmp")
                JUMP_LIBC("setjmp", "ccprof_jump_setjmp"));
