/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks that can be reached at the end, or cannot, in each way, and in threads; or
   threads that map and unmap memory: reach [threads|storm]. Each way has blocks of a
   size of its own. */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct node {
    struct node *next;
    char rest[1];
};

static void *volatile global;
static struct node *list;
static char *volatile inside;
static void *volatile lost;
static __thread void *volatile variable;
static void **mapped;
static int tell[2];

/* The compiler does not know what becomes of what a pointer refers to. */
#define KEEP(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")

#define MAKES static __attribute__((noinline, noclone)) void

/* Overwrites what calls have left on the stack. */
MAKES clear(void)
{
    volatile char area[8192];
    memset((char *)area, 0, sizeof area);
    KEEP(area);
}

MAKES make_global(void)
{
    global = malloc(1001);
}

MAKES make_list(void)
{
    for (int i = 0; i < 5; i++) {
        struct node *node = calloc(1, 102);
        node->next = list;
        list = node;
    }
}

/* Only a pointer into the middle of the block is left. */
MAKES make_inside(void)
{
    inside = (char *)malloc(1003) + 40;
}

MAKES make_variable(void)
{
    variable = malloc(1004);
}

MAKES make_mapped(void)
{
    mapped =
        mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mapped[100] = malloc(1005);
}

MAKES make_large(void)
{
    void **large = calloc(1, 3 << 20);
    large[200000] = malloc(1006);
    mapped[101] = large;
}

MAKES make_lost(void)
{
    lost = malloc(2001);
    lost = NULL;
}

/* The head is lost, and by it the rest. */
MAKES make_lost_list(void)
{
    struct node *volatile head = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *node = calloc(1, 202);
        node->next = head;
        head = node;
        KEEP(node);
    }
    head = NULL;
}

/* Two blocks refer to each other. */
MAKES make_cycle(void)
{
    struct node *volatile one = calloc(1, 203), *volatile other = calloc(1, 203);
    one->next = other;
    other->next = one;
    KEEP(one);
    one = other = NULL;
}

/* A block that was freed still has the address. */
MAKES make_stale(void)
{
    void **volatile holder = calloc(1, 5000);
    holder[50] = malloc(2004);
    KEEP(holder);
    free(holder);
    holder = NULL;
}

static void *wait(void *unused)
{
    void *volatile own = malloc(1007);
    char byte;
    (void)unused;
    variable = malloc(1008);
    while (read(tell[0], &byte, 1) != 1)
        ;
    free(own);
    return NULL;
}

static void *leave(void *unused)
{
    void *volatile own = malloc(2005);
    (void)unused;
    own = NULL;
    clear();
    return NULL;
}

/* Maps and unmaps memory, and allocates, until the end. */
static void *storm(void *unused)
{
    (void)unused;
    for (;;) {
        void **at = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        void **block = malloc(300000);
        if (at == MAP_FAILED || !block)
            abort();
        at[1000] = block;
        block[1000] = at;
        global = block;
        munmap(at, 1 << 20);
        free(block);
    }
    return NULL;
}

int main(int count, char **argument)
{
    pthread_t thread, other;
    if (count > 1 && strcmp(argument[1], "storm") == 0) {
        for (int i = 0; i < 3; i++)
            if (pthread_create(&thread, NULL, storm, NULL) != 0)
                return 1;
        make_list();
        usleep(20000);
        return 0;
    }
    make_global();
    make_list();
    make_inside();
    make_variable();
    make_mapped();
    make_large();
    make_lost();
    make_lost_list();
    make_cycle();
    make_stale();
    if (count > 1) {
        if (pipe(tell) != 0 || pthread_create(&thread, NULL, wait, NULL) != 0 ||
            pthread_create(&other, NULL, leave, NULL) != 0)
            return 1;
        pthread_join(other, NULL);
        usleep(200000);
    }
    clear();
    exit(0);
}
