/* SPDX-License-Identifier: MIT */
/* Replaces setjmp, and reads the stack pointer from a buffer of glibc's setjmp. Owns
   nothing. */

#include <stdint.h>

#include "rt/entry/hooks.h"

/* Index of the 8-byte word with the stack pointer. */
#define JUMP_STACK 13

uintptr_t ccprof_jump_stack(const void *buffer)
{
    return ((const uint64_t *)buffer)[JUMP_STACK];
}

/* Defines a setjmp function. It records the buffer and the stack pointer after the
   call, then jumps to libc's function, which returns directly to the caller. SAVES
   sets the argument that says whether the signal mask is saved. The jump uses the
   same slot as a call (libc-shared.c). */
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

/* Gives these functions libc's names, for statically linked programs. */
#define JUMP_LIBC(name, target)                                                          \
    "	.weak	" name "\n	.type	" name ",@function\n	.set	" name           \
    ", " target "\n"

__asm__("	.text\n	.hidden	ccprof_jump__setjmp\n	.hidden	ccprof_jump_setjmp\n"
        "	.hidden	ccprof_jump_sigsetjmp\n	.hidden	ccprof_regions_mark\n" JUMP(
            "ccprof_jump__setjmp", "li	a1, 0") JUMP("ccprof_jump_setjmp", "li	a1, 1")
            JUMP("ccprof_jump_sigsetjmp", "") JUMP_LIBC("_setjmp", "ccprof_jump__setjmp")
                JUMP_LIBC("setjmp", "ccprof_jump_setjmp"));
