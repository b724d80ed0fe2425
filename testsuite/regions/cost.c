// SPDX-License-Identifier: GPL-3.0-or-later
// What measuring costs: `accessors', the same work without stopwatches (plain) and with
// them (watched) in turn, in a region each; `paths', as many paths as there is room for
// made in one region (first), and then entered in another one (again).

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ccprof.h"

#define ROUNDS 100
#define WORK   500
#define PATHS  2000

int plain_round(int n);
int watched_round(int n);

static void accessors(void)
{
    for (int i = 0; i <= ROUNDS; i++) {
        int sum = 0;
        CCPROF_REGION("plain")
        {
            sum += plain_round(WORK);
        }
        CCPROF_REGION("watched")
        {
            sum -= watched_round(WORK);
        }
        if (sum != 0)
            abort();
    }
}

static struct ccprof_region regions[PATHS];

static void through(void)
{
    for (int i = 0; i < PATHS; i++) {
        ccprof_region_begin(&regions[i]);
        ccprof_region_end(&regions[i]);
    }
}

static void paths(void)
{
    static char names[PATHS][8];

    for (int i = 0; i < PATHS; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        regions[i].name = names[i];
    }
    CCPROF_REGION("around")
    {
        CCPROF_REGION("first")
        {
            through();
        }
        for (int i = 0; i < 2; i++) {
            CCPROF_REGION("again")
            {
                through();
            }
        }
    }
}

int main(int count, char **vector)
{
    if (count > 1 && strcmp(vector[1], "paths") == 0)
        paths();
    else
        accessors();
    return 0;
}
