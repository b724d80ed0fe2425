/* SPDX-License-Identifier: MIT */
/* Tells the room of regions (regions.h) of the program's setjmp and longjmp.  Each
   processor has a file jump-NAME.c, with what setjmp stores in its buffer, and with the
   replacement of setjmp, which returns twice and so cannot be written in C.  */

#ifndef CCPROF_JUMP_H
#define CCPROF_JUMP_H

#include <setjmp.h>
#include <stdint.h>

/* Returns the stack pointer in a buffer of setjmp; 0 if it is not known.  */
uintptr_t ccprof_jump_stack(const void *buffer);

/* The replacements of libc's functions.  */
int ccprof_jump__setjmp(jmp_buf buffer);
int ccprof_jump_setjmp(jmp_buf buffer);
int ccprof_jump_sigsetjmp(sigjmp_buf buffer, int saves);
void ccprof_jump_longjmp(sigjmp_buf buffer, int value) __attribute__((noreturn));
void ccprof_jump_longjmp_checked(sigjmp_buf buffer, int value) __attribute__((noreturn));

#endif
