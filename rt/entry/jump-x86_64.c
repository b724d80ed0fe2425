/* SPDX-License-Identifier: MIT */
/* Replaces setjmp, and reads the stack pointer from a buffer of glibc's setjmp. Owns
   nothing. glibc encrypts the stack pointer with the thread's guard value. */

#include <stdint.h>

#include "rt/entry/hooks.h"

/* Index of the 8-byte word with the stack pointer. */
#define JUMP_STACK 6

uintptr_t ccprof_jump_stack(const void *buffer)
{
    uint64_t stack = ((const uint64_t *)buffer)[JUMP_STACK], guard;

    __asm__("mov %%fs:0x30, %0" : "=r"(guard));
    return (stack >> 17 | stack << (64 - 17)) ^ guard;
}

/* Defines a setjmp function. It records the buffer and the stack pointer after the
   call, then jumps to libc's function, which returns directly to the caller. SAVES
   sets the argument that says whether the signal mask is saved. The jump uses the
   same slot as a call (libc-shared.c). */
#define JUMP(name, saves)                                                                \
    "	.globl	" name "\n	.type	" name ",@function\n" name ":\n"                 \
    "	.cfi_startproc\n	endbr64\n"                                                        \
    "	push	%rdi\n	.cfi_adjust_cfa_offset 8\n	push	%rsi\n"                                \
    "	.cfi_adjust_cfa_offset 8\n	sub	$8, %rsp\n	.cfi_adjust_cfa_offset "                 \
    "8\n"                                                                                \
    "	lea	32(%rsp), %rsi\n	call	ccprof_regions_mark\n"                                   \
    "	add	$8, %rsp\n	.cfi_adjust_cfa_offset -8\n	pop	%rsi\n"                             \
    "	.cfi_adjust_cfa_offset -8\n	pop	%rdi\n	.cfi_adjust_cfa_offset -8\n"                \
    "	" saves "\n	jmp	__sigsetjmp@PLT\n"                                               \
    "	.cfi_endproc\n	.size	" name ", .-" name "\n"

/* Gives these functions libc's names, for statically linked programs. */
#define JUMP_LIBC(name, target)                                                          \
    "	.weak	" name "\n	.type	" name ",@function\n	.set	" name           \
    ", " target "\n"

__asm__("	.text\n	.hidden	ccprof_jump__setjmp\n	.hidden	ccprof_jump_setjmp\n"
        "	.hidden	ccprof_jump_sigsetjmp\n	.hidden	ccprof_regions_mark\n" JUMP(
            "ccprof_jump__setjmp", "xor	%esi, %esi") JUMP("ccprof_jump_setjmp",
                                                          "mov	$1, %esi")
            JUMP("ccprof_jump_sigsetjmp", "") JUMP_LIBC("_setjmp", "ccprof_jump__setjmp")
                JUMP_LIBC("setjmp", "ccprof_jump_setjmp"));
