/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knows what it allocates, by function, in blocks of all sizes: prints for each function
   its name, the blocks and bytes that it has allocated, and those that are alive in the
   end. Two threads free each other's blocks. With an argument they do nothing. */

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Blocks of one function at a time. */
#define MOST 60000

static void *block[2][MOST];
static pthread_barrier_t both;
static int idle;

struct told {
    unsigned long blocks, bytes;
};

static struct told allocated[8], alive[8];

static void count(struct told *told, size_t bytes, int sign)
{
    __atomic_fetch_add(&told->blocks, (unsigned long)sign, __ATOMIC_RELAXED);
    __atomic_fetch_add(&told->bytes, (unsigned long)sign * bytes, __ATOMIC_RELAXED);
}

/* The other thread frees all but the last KEPT blocks. */
static void pass(int self, int blocks, int kept)
{
    (void)self;
    pthread_barrier_wait(&both);
    for (int i = 0; i < blocks - kept; i++)
        free(block[!self][i]);
    pthread_barrier_wait(&both);
}

/* Of random sizes, some of which grow or shrink. */
#define FUNCTION(number, name, count_of, least, range, kept, call)                       \
    __attribute__((noipa)) static void name(int self)                                    \
    {                                                                                    \
        unsigned state = (unsigned)self + 1;                                             \
        for (int i = 0; i < (count_of); i++) {                                           \
            state = state * 1103515245 + 12345;                                          \
            size_t size = (least) + (state >> 8) % (range);                              \
            block[self][i] = call;                                                       \
            count(&allocated[number], size, 1);                                          \
            if (i < (count_of) - (kept))                                                 \
                continue;                                                                \
            count(&alive[number], size, 1);                                              \
        }                                                                                \
        pass(self, count_of, kept);                                                      \
    }

static void *grown(size_t size)
{
    void *half = malloc(size / 2);
    count(&allocated[3], size / 2, 1);
    return realloc(half, size);
}

FUNCTION(0, tiny, 30000, 0, 16, 8000, malloc(size))
FUNCTION(1, small, 5000, 100, 900, 1000, calloc(1, size))
FUNCTION(2, middle, 300, 8000, 20000, 80, memalign(64, size))
FUNCTION(3, large, 60, 50000, 50000, 20, grown(size))
FUNCTION(4, huge, 3, 4000000, 1000, 1, malloc(size))

static void *work(void *argument)
{
    int self = argument != NULL;

    if (idle)
        return NULL;
    tiny(self);
    small(self);
    middle(self);
    large(self);
    huge(self);
    return NULL;
}

int main(int argc, char **argv)
{
    static const char *const name[] = {"tiny", "small", "middle", "grown", "huge"};
    pthread_t other;

    (void)argv;
    idle = argc > 1;
    pthread_barrier_init(&both, NULL, 2);
    if (pthread_create(&other, NULL, work, &other) != 0)
        abort();
    work(NULL);
    pthread_join(other, NULL);
    for (int i = 0; i < 5; i++)
        printf("%s %lu %lu %lu %lu\n", name[i], allocated[i].blocks, allocated[i].bytes,
               alive[i].blocks, alive[i].bytes);
    return 0;
}
