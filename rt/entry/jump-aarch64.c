/* SPDX-License-Identifier: MIT */
/* Replaces setjmp, and reads the stack pointer from a buffer of glibc's setjmp. Owns
   nothing. glibc encrypts the stack pointer with a guard value. A setjmp of our own
   reveals the guard. */

#include <stdint.h>

#include "rt/entry/hooks.h"

/* Index of the 8-byte word with the stack pointer. */
#define JUMP_STACK 13

static __attribute__((noinline)) uint64_t jump_guard(void)
{
    jmp_buf buffer;
    uint64_t stack;

    __asm__ volatile("mov %0, sp" : "=r"(stack));
    if (_setjmp(buffer))
        return 0;
    return ((const uint64_t *)(const void *)buffer)[JUMP_STACK] ^ stack;
}

uintptr_t ccprof_jump_stack(const void *buffer)
{
    return ((const uint64_t *)buffer)[JUMP_STACK] ^ jump_guard();
}

/* Defines a setjmp function. It records the buffer and the stack pointer after the
   call, then jumps to libc's function, which returns directly to the caller. SAVES
   sets the argument that says whether the signal mask is saved. The jump uses the
   same slot as a call (libc-shared.c). */
#define JUMP(name, saves)                                                                \
    "	.globl	" name "\n	.type	" name ",%function\n" name ":\n"                 \
    "	.cfi_startproc\n	hint	#34\n	stp	x0, x1, [sp, #-32]!\n"                             \
    "	.cfi_adjust_cfa_offset 32\n	str	x30, [sp, #16]\n	"                                 \
    ".cfi_rel_offset 30, 16\n"                                                           \
    "	add	x1, sp, #32\n	bl	ccprof_regions_mark\n"                                        \
    "	ldr	x30, [sp, #16]\n	.cfi_restore 30\n	ldp	x0, x1, [sp], "                         \
    "#32\n"                                                                              \
    "	.cfi_adjust_cfa_offset -32\n	" saves "\n"                                     \
    "	b	__sigsetjmp\n	.cfi_endproc\n	.size	" name ", .-" name "\n"

/* Gives these functions libc's names, for statically linked programs. */
#define JUMP_LIBC(name, target)                                                          \
    "	.weak	" name "\n	.type	" name ",%function\n	.set	" name           \
    ", " target "\n"

__asm__("	.text\n	.hidden	ccprof_jump__setjmp\n	.hidden	ccprof_jump_setjmp\n"
        "	.hidden	ccprof_jump_sigsetjmp\n	.hidden	ccprof_regions_mark\n" JUMP(
            "ccprof_jump__setjmp", "mov	w1, #0")
            JUMP("ccprof_jump_setjmp", "mov	w1, #1") JUMP("ccprof_jump_sigsetjmp", "")
                JUMP_LIBC("_setjmp", "ccprof_jump__setjmp")
                    JUMP_LIBC("setjmp", "ccprof_jump_setjmp"));
