/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A handler of a signal that measures regions of its own comes between any two
   instructions of a region's begin and cut (x86-64's trap flag), where the region around
   it is kept, and where it is not: it began while the gate was closed. It comes each
   time to frames that nobody has used before. Prints how often it came, and how deep the
   regions were. */

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ccprof.h"

#define TRAP_FLAG "0x100"
#define ENOUGH    (1 << 20) /* instructions that a begin never has */
#define FRAMES    3         /* what a handler and the region that it comes to use */

static struct ccprof_region filler = {"filler", 0}, step = {"step", 0},
                            handler = {"handler", 0}, both = {"both", 0};
static int closed, deepest;
static volatile sig_atomic_t handled, left; /* instructions until the handler comes */

static void handle(int number)
{
    if (number && --left != 0)
        return;
    handled++;
    unsigned long one = ccprof_region_begin(&handler);
    unsigned long two = ccprof_region_begin(&both);
    ccprof_region_cut(&two);
    ccprof_region_cut(&one);
}

static void begin_steps(void)
{
    __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torq $" TRAP_FLAG
                     ", (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

static void end_steps(void)
{
    __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq $~" TRAP_FLAG
                     ", (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

/* At DEPTH the handler comes to so many instructions of begin, and of cut. */
static void nest(int depth)
{
    unsigned long fillers[FRAMES];

    if (depth > deepest)
        return;
    if (closed)
        ccprof_stop();
    for (int i = 0; i < FRAMES; i++)
        fillers[i] = ccprof_region_begin(&filler);
    if (closed)
        ccprof_start();
    left = depth;
    begin_steps();
    unsigned long opened = ccprof_region_begin(&step);
    end_steps();
    if (depth == deepest && left <= 0)
        abort();
    nest(depth + 1);
    left = depth;
    begin_steps();
    ccprof_region_cut(&opened);
    end_steps();
    if (depth == deepest && left <= 0)
        abort();
    for (int i = FRAMES; i-- > 0;)
        ccprof_region_cut(&fillers[i]);
}

/* What is new is made under a lock, with all signals blocked; a trap would end the
   program there. */
static void make(void)
{
    unsigned long one = closed ? 0 : ccprof_region_begin(&filler);
    unsigned long two = ccprof_region_begin(&step);

    handle(0);
    ccprof_region_cut(&two);
    handle(0);
    if (!closed)
        ccprof_region_cut(&one);
}

/* How many instructions a begin or a cut has, of what is not new. */
static int most_instructions(void)
{
    unsigned long around = closed ? 0 : ccprof_region_begin(&filler);

    left = ENOUGH;
    begin_steps();
    unsigned long opened = ccprof_region_begin(&step);
    end_steps();
    int begin = ENOUGH - left;
    left = ENOUGH;
    begin_steps();
    ccprof_region_cut(&opened);
    end_steps();
    int cut = ENOUGH - left;
    if (!closed)
        ccprof_region_cut(&around);
    return begin > cut ? begin : cut;
}

int main(int argc, char **argv)
{
    struct sigaction action;

    closed = argc > 1 && strcmp(argv[1], "closed") == 0;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    if (sigaction(SIGTRAP, &action, NULL) != 0)
        abort();
    make();
    /* With other regions around it may have more. */
    deepest = 2 * most_instructions();
    nest(1);
    printf("%d %d\n", (int)handled, deepest);
    return 0;
}
