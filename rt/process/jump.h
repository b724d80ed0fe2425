/* SPDX-License-Identifier: MIT */
/* Tells regions of the program's setjmp and longjmp (regions.h).  What a processor keeps
   in the buffer, and the way of setjmp, which returns twice and so is no C, are in
   jump-NAME.c for each.  */

#ifndef CCPROF_JUMP_H
#define CCPROF_JUMP_H

#include <setjmp.h>
#include <stdint.h>

/* The stack pointer that is in a buffer of setjmp.  0: it is not known.  */
uintptr_t ccprof_jump_stack(const void *buffer);

/* These replace the functions of libc.  */
int ccprof_jump__setjmp(jmp_buf buffer);
int ccprof_jump_setjmp(jmp_buf buffer);
int ccprof_jump_sigsetjmp(sigjmp_buf buffer, int saves);
void ccprof_jump_longjmp(sigjmp_buf buffer, int value) __attribute__((noreturn));
void ccprof_jump_longjmp_checked(sigjmp_buf buffer, int value) __attribute__((noreturn));

#endif
