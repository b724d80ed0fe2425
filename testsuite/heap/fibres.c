/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates on stacks of fibres that end before the process does, in a thread if there is
   an argument.  Each round makes the same calls at the same stack pointer as one before,
   but where the words of the earlier stack were there is nothing that can be read. Prints
   how often `leafy' was called.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A frame of a page.  */
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

static void on_fibre(int pages, int frames)
{
    const size_t size = (size_t)pages * PAGE;
    void *stack = mmap(at, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    must(stack == at, "mmap");
    depth = frames;
    must(getcontext(&fibre) == 0, "getcontext");
    fibre.uc_stack.ss_sp = stack;
    fibre.uc_stack.ss_size = size;
    fibre.uc_link = NULL;
    makecontext(&fibre, run, 0);
    must(swapcontext(&first, &fibre) == 0, "swapcontext");
    munmap(at, size);
}

/* The fibre of a thread ends below the thread's stack.  */
static void *rounds(void *unused)
{
    leafy();
    for (int i = 0; i < ROUNDS; i++) {
        on_fibre(16, 10);
        on_fibre(12, 6);
        on_fibre(9, 3);
    }
    leafy();
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t made;

    (void)argv;
    leafy();
    if (argc == 1) {
        rounds(NULL);
    } else {
        must(pthread_create(&made, NULL, rounds, NULL) == 0, "pthread_create");
        pthread_join(made, NULL);
    }
    printf("%d\n", calls);
    return 0;
}
