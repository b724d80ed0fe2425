/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jumps between two stacks by _longjmp, as coroutines of C do: to glibc's checked form of
   it (__longjmp_chk) a jump to a stack below would be an error.  Then it uses CPU time.
 */

#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "burn.h"

enum { STACK = 1 << 16 };

static jmp_buf home, inside;
static ucontext_t begin, back;

static void body(void)
{
    if (!_setjmp(inside))
        swapcontext(&begin, &back);
    puts("inside");
    _longjmp(home, 1);
}

/* How the coroutine is begun: it has not ended when this returns.  */
static void make(char *stack)
{
    getcontext(&begin);
    begin.uc_stack.ss_sp = stack;
    begin.uc_stack.ss_size = STACK;
    makecontext(&begin, body, 0);
    swapcontext(&back, &begin);
}

int main(void)
{
    make(malloc(STACK));
    if (!_setjmp(home))
        _longjmp(inside, 1);
    puts("home");
    burn(0.05);
    return 0;
}
