/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates on random paths of calls, with frames of all sizes, and leaves some of them
   by jumps. It keeps its own stack, and prints how many blocks and bytes each path has
   allocated, the outermost function first. */

#include <alloca.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST   16
#define PATHS  200000
#define BLOCKS 60000

struct path {
    char text[MOST + 1];
    unsigned long blocks, bytes;
};

static struct path paths[PATHS];
static char stack[MOST + 1];
static int depth;
static unsigned long total;
static jmp_buf outside;

static volatile char sink;

static unsigned random_below(unsigned most)
{
    static unsigned long state = 1;
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % most;
}

static unsigned hash_of(const char *text)
{
    unsigned hash = 5381;
    while (*text)
        hash = 33 * hash + (unsigned char)*text++;
    return hash % PATHS;
}

static void note(size_t bytes)
{
    unsigned at = hash_of(stack);

    while (paths[at].text[0] && strcmp(paths[at].text, stack) != 0)
        at = (at + 1) % PATHS;
    strcpy(paths[at].text, stack);
    paths[at].blocks++;
    paths[at].bytes += bytes;
    total++;
}

static void go(void);

/* Not each call allocates, so that a walk does not meet each of them. Some paths are
   left in the middle. */
#define FUNCTION(name, before)                                                           \
    __attribute__((noipa)) static void function_##name(unsigned size)                    \
    {                                                                                    \
        before;                                                                          \
        stack[depth++] = #name[0];                                                       \
        stack[depth] = '\0';                                                             \
        unsigned count = random_below(3);                                                \
        for (unsigned i = 0; i < count; i++) {                                           \
            unsigned bytes = 1 + random_below(100);                                      \
            void *volatile block = NULL;                                                 \
            if (random_below(3) == 0) {                                                  \
                block = malloc(bytes);                                                   \
                note(bytes);                                                             \
            }                                                                            \
            go();                                                                        \
            free(block);                                                                 \
        }                                                                                \
        if (random_below(200) == 0)                                                      \
            longjmp(outside, 1);                                                         \
        stack[--depth] = '\0';                                                           \
        sink = (char)size;                                                               \
    }

FUNCTION(a, (void)0)
FUNCTION(b, volatile char *room = alloca(1 + size * 16); room[0] = 1)
FUNCTION(c, char room[1 + size]; memset(room, (int)size, sizeof room); sink = room[size])
FUNCTION(d, char room[2000]; memset(room, 1, size); sink = room[0])
FUNCTION(e, _Alignas(128) char room[128]; memset(room, 1, size); sink = room[5])

/* Of the same frames as the first: only return addresses tell them apart. */
FUNCTION(f, (void)0)
FUNCTION(g, (void)0)

static void (*const functions[])(unsigned) = {
    function_a, function_b, function_c, function_d, function_e, function_f, function_g};

/* Inlined where it can be: whoever calls it calls the function. */
static inline __attribute__((always_inline)) void step(void)
{
    functions[random_below(7)](random_below(40));
}

static void go(void)
{
    if (depth < MOST && random_below(10) < 8)
        step();
}

int main(void)
{
    while (total < BLOCKS) {
        depth = 0;
        stack[depth] = '\0';
        if (!setjmp(outside))
            step();
    }
    for (unsigned i = 0; i < PATHS; i++)
        if (paths[i].blocks)
            printf("%s %lu %lu\n", paths[i].text, paths[i].blocks, paths[i].bytes);
    return 0;
}
