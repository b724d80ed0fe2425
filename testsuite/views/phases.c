/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program with phases, one within the other and one within itself, of which one goes on
   in a library's function and one has nothing; and blocks by a wrapper of malloc: for
   views-agree.test.  */

#include <ccprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *volatile kept;

static void *get(size_t size)
{
    void *block = malloc(size);
    if (!block)
        abort();
    return block;
}

static char *copy(const char *text)
{
    return strcpy(get(strlen(text) + 1), text);
}

static int by_value(const void *one, const void *other)
{
    return *(const unsigned *)one < *(const unsigned *)other
               ? -1
               : *(const unsigned *)one > *(const unsigned *)other;
}

static unsigned mix(unsigned x, int rounds)
{
    for (int i = 0; i < rounds; i++)
        x = (x ^ x >> 15) * 0x2c1b3c6d + (x & 1 ? 3 : 7);
    return x;
}

static unsigned sorted(unsigned count)
{
    unsigned *numbers = get(count * sizeof *numbers), middle;
    CCPROF_LABEL("sort");
    for (unsigned i = 0; i < count; i++)
        numbers[i] = mix(i, 20);
    qsort(numbers, count, sizeof *numbers, by_value);
    middle = numbers[count / 2];
    free(numbers);
    return middle;
}

static unsigned nested(int depth)
{
    CCPROF_LABEL("nested");
    return depth ? nested(depth - 1) + mix((unsigned)depth, 2000) : sorted(2000);
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 10;
    unsigned sum = mix(1, 100000);
    for (int i = 0; i < count; i++) {
        CCPROF_LABEL("work");
        char *text = copy("a name");
        sum += nested(i % 5) + (unsigned)strlen(text);
        free(text);
        if (i % 3 == 0) {
            kept = malloc(100);
            free(kept);
        }
    }
    {
        CCPROF_LABEL("nothing");
    }
    printf("%u\n", sum);
}
