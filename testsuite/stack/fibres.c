/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fibres WAY: two fibres that take turns make 1,000 steps each, and main makes ten. WAY
   is how they change stacks: `swap' (swapcontext, through main), `direct' (swapcontext,
   from one to the other), `deep' (through main, under so many frames as are not kept on
   the stack), `jump' (siglongjmp), `hand' (code of their own), or `moves' (swapcontext,
   and one goes on in another thread). `hand' is for x86-64 alone. `signal' has no
   fibres, but a handler on a stack of its own. */

#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define SIZE  262144
#define STEPS 1000

static ucontext_t home, fibre[2];
static sigjmp_buf home_jump, fibre_jump[2];
static void *home_stack, *fibre_stack[2];
static char stack[2][SIZE] __attribute__((aligned(64)));
static const char *way;
static volatile unsigned sink;

/* Stores the stack pointer at FROM, and goes on with that at TO. */
void change(void **from, void **to);
#ifdef __x86_64__
__asm__(".text\n"
        ".type change,@function\n"
        "change:\n"
        "	push %rbp\n	push %rbx\n	push %r12\n	push %r13\n	push "
        "%r14\n	push %r15\n"
        "	mov %rsp, (%rdi)\n	mov (%rsi), %rsp\n"
        "	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n	pop "
        "%rbx\n	pop %rbp\n"
        "	ret\n"
        ".size change,.-change\n");
#else
void change(void **from, void **to)
{
    (void)from, (void)to;
    abort();
}
#endif

__attribute__((noinline)) static void step(void)
{
    sink++;
}

__attribute__((noinline)) static void yield(int self)
{
    if (strcmp(way, "hand") == 0)
        change(&fibre_stack[self], &home_stack);
    else if (strcmp(way, "jump") == 0) {
        if (sigsetjmp(fibre_jump[self], 0) == 0)
            siglongjmp(home_jump, 1);
    } else
        swapcontext(&fibre[self], strcmp(way, "direct") == 0 ? &fibre[!self] : &home);
}

__attribute__((noinline)) static void turns(int self)
{
    for (int i = 0; i < STEPS; i++) {
        step();
        yield(self);
    }
}

__attribute__((noinline)) static void deeper(int self, int depth)
{
    if (depth > 0)
        deeper(self, depth - 1);
    else
        turns(self);
    sink--;
}

static void body(int self)
{
    deeper(self, strcmp(way, "deep") == 0 ? 100 : 0);
    if (strcmp(way, "direct") == 0 && self == 0)
        swapcontext(&fibre[0], &fibre[1]);
    if (strcmp(way, "hand") == 0)
        change(&fibre_stack[self], &home_stack);
    if (strcmp(way, "jump") == 0)
        siglongjmp(home_jump, 1);
}

static void body_0(void)
{
    body(0);
}

static void body_1(void)
{
    body(1);
}

static void make(int self)
{
    void **top = (void **)(stack[self] + SIZE) - 2;

    getcontext(&fibre[self]);
    fibre[self].uc_stack.ss_sp = stack[self];
    fibre[self].uc_stack.ss_size = SIZE;
    fibre[self].uc_link = &home;
    if (strcmp(way, "hand") != 0) {
        makecontext(&fibre[self], self ? body_1 : body_0, 0);
    } else {
        *top-- = NULL;
        *top = self ? (void *)body_1 : (void *)body_0;
        fibre_stack[self] = top - 6;
    }
}

__attribute__((noinline)) static void go_on(int self, int first)
{
    if (strcmp(way, "hand") == 0)
        change(&home_stack, &fibre_stack[self]);
    else if (strcmp(way, "jump") == 0) {
        if (sigsetjmp(home_jump, 0) != 0)
            return;
        if (first)
            setcontext(&fibre[self]);
        siglongjmp(fibre_jump[self], 1);
    } else
        swapcontext(&home, &fibre[self]);
}

static void *go_on_in_thread(void *unused)
{
    go_on(0, 0);
    return unused;
}

static void handle(int number)
{
    step();
    sink += (unsigned)number;
}

static void signals(void)
{
    stack_t other = {.ss_sp = stack[0], .ss_size = SIZE};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};

    sigaltstack(&other, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < 2 * STEPS; i++)
        raise(SIGUSR1);
}

int main(int count, char **arguments)
{
    pthread_t thread;

    way = arguments[count - 1];
    if (strcmp(way, "signal") == 0) {
        signals();
    } else {
        make(0);
        make(1);
        for (int i = 0; i <= STEPS && (i == 0 || strcmp(way, "direct") != 0); i++) {
            go_on(0, i == 0);
            if (strcmp(way, "direct") != 0)
                go_on(1, i == 0);
        }
    }
    if (strcmp(way, "moves") == 0) {
        make(0);
        go_on(0, 1);
        pthread_create(&thread, NULL, go_on_in_thread, NULL);
        pthread_join(thread, NULL);
    }
    for (int i = 0; i < 10; i++)
        step();
    return 0;
}
