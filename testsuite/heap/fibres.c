/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates on stacks that end before the process does. Each round makes the same calls
   at the same stack pointer as one before, but where the words of the earlier stack were
   there is nothing that can be read. The argument says what kind of stack. Prints how
   often `leafy' was called. */

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE   4096
#define ROUNDS 30
#define NOIPA  __attribute__((noipa))

static ucontext_t first, fibre;
static char *const at = (char *)0x7e0000000000;
static int depth, calls;
static void *volatile keep;

static void must(int is, const char *what)
{
    if (is)
        return;
    perror(what);
    exit(1);
}

NOIPA static void leafy(void)
{
    keep = malloc(3000);
    free(keep);
    calls++;
}

/* A frame of a page. */
NOIPA static void frame(int n)
{
    volatile char room[PAGE - 16];

    room[0] = 1;
    if (n == 0)
        leafy();
    else
        frame(n - 1);
    room[1] = room[0];
}

static void run(void)
{
    frame(depth);
    swapcontext(&fibre, &first);
}

static void go(void *stack, size_t size, void (*what)(void))
{
    must(getcontext(&fibre) == 0, "getcontext");
    fibre.uc_stack.ss_sp = stack;
    fibre.uc_stack.ss_size = size;
    fibre.uc_link = NULL;
    makecontext(&fibre, what, 0);
    must(swapcontext(&first, &fibre) == 0, "swapcontext");
}

static void *map(size_t pages)
{
    void *made = mmap(at, pages * PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    must(made == at, "mmap");
    return made;
}

static void of_fibres(int pages, int frames)
{
    depth = frames;
    go(map(pages), pages * PAGE, run);
    munmap(at, pages * PAGE);
}

static void handler(int number)
{
    (void)number;
    frame(depth);
}

static void of_signals(int pages, int frames)
{
    const stack_t stack = {.ss_sp = map(pages), .ss_size = pages * PAGE};

    depth = frames;
    must(sigaltstack(&stack, NULL) == 0, "sigaltstack");
    raise(SIGUSR1);
    must(sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL) == 0, "sigaltstack");
    munmap(at, pages * PAGE);
}

static void each(void (*stack)(int pages, int frames))
{
    for (int i = 0; i < ROUNDS; i++) {
        stack(16, 10);
        stack(12, 6);
        stack(9, 3);
    }
}

/* The fibre of a thread ends below the thread's stack. */
static void *with_fibres(void *unused)
{
    leafy();
    each(of_fibres);
    return unused;
}

#ifdef __x86_64__
/* Calls FUNCTION on another stack; its frame is found by the frame pointer. */
void call_on(void (*function)(void), void *top);
__asm__(".type call_on,@function\n"
        "call_on:\n"
        ".cfi_startproc\n"
        "push %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset 6,-16\n"
        "mov %rsp,%rbp\n"
        ".cfi_def_cfa_register 6\n"
        "mov %rsi,%rsp\n"
        "call *%rdi\n"
        "leave\n"
        ".cfi_def_cfa 7,8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size call_on,.-call_on\n");

static char *other;

NOIPA static void inner(void)
{
    leafy();
    __asm__ volatile("");
}

NOIPA static void twice(void)
{
    call_on(inner, other + 16 * PAGE - 64);
    call_on(inner, other + 16 * PAGE - 64);
    __asm__ volatile("");
}

static void on_other(void)
{
    twice();
    swapcontext(&fibre, &first);
}

static void of_two(void)
{
    /* Below the other stack, as a walk expects a callee's frame. */
    other = mmap(at - 64 * PAGE, 16 * PAGE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    must(other == at - 64 * PAGE, "mmap");
    for (int i = 0; i < ROUNDS; i++) {
        go(map(16), 16 * PAGE, on_other);
        munmap(at, 16 * PAGE);
        twice();
    }
}
#else
static void of_two(void)
{
    for (int i = 0; i < 4 * ROUNDS; i++)
        leafy();
}
#endif

int main(int argc, char **argv)
{
    const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    const char *kind = argc > 1 ? argv[1] : "";
    pthread_t made;

    must(sigaction(SIGUSR1, &action, NULL) == 0, "sigaction");
    leafy();
    if (strcmp(kind, "fibres") == 0)
        each(of_fibres);
    if (strcmp(kind, "signals") == 0)
        each(of_signals);
    if (strcmp(kind, "thread") == 0) {
        must(pthread_create(&made, NULL, with_fibres, NULL) == 0, "pthread_create");
        pthread_join(made, NULL);
    }
    if (strcmp(kind, "two") == 0)
        of_two();
    leafy();
    printf("%d\n", calls);
    return 0;
}
