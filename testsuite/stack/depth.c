/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deep DEPTH SECONDS: works below so many calls: down calls itself, at every fourth level
   by way of over, or with `turns' as third argument at each by one of three ways.  */

#include <stdlib.h>
#include <time.h>

#define KEEP       __attribute__((noinline, noclone))
#define NOT_LAST() __asm__ volatile("" ::: "memory")

static volatile unsigned long burnt;
static double seconds;

static KEEP void burn(void)
{
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (clock() < end)
        for (int i = 0; i < 100000; i++)
            burnt += (unsigned long)i;
    NOT_LAST();
}

static KEEP void down(int depth);
static KEEP void turn(unsigned depth);

static KEEP void over(int depth)
{
    down(depth - 1);
    NOT_LAST();
}

static KEEP void down(int depth)
{
    if (depth <= 1)
        burn();
    else if (depth % 4 == 0)
        over(depth - 1);
    else
        down(depth - 1);
    NOT_LAST();
}

static KEEP void left(unsigned depth)
{
    turn(depth);
    NOT_LAST();
}

static KEEP void turn(unsigned depth)
{
    unsigned way = (depth * 2654435761u >> 16) % 3;
    if (depth <= 1)
        burn();
    else if (way == 0)
        turn(depth - 1);
    else if (way == 1)
        left(depth - 1);
    else
        turn(depth - 1);
    NOT_LAST();
}

static KEEP void start(int depth, int turns)
{
    if (turns)
        turn((unsigned)depth);
    else
        down(depth);
    NOT_LAST();
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    seconds = atof(argv[2]);
    start(atoi(argv[1]), argc > 3);
    return 0;
}
