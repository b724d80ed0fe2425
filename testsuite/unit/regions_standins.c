/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands in for rt/regions, for tests of modules that call it: there are no regions.  */

#include "rt/regions/regions.h"

void ccprof_regions_open(void)
{
}

void ccprof_regions_close(void)
{
}

void ccprof_regions_drop(void)
{
}

bool ccprof_regions_any(void)
{
    return false;
}

bool ccprof_regions_ended(void)
{
    return false;
}

uint64_t ccprof_regions_threads(void)
{
    return 1;
}

uint64_t ccprof_regions_lost(void)
{
    return 0;
}

void ccprof_regions_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                          bool slice)
{
    (void)text;
    (void)modules;
    (void)slice;
}

const char *ccprof_regions_label(unsigned number)
{
    return number == 7 ? "seven" : number == CCPROF_REGIONS_NAMES - 1 ? "last" : "?";
}

void ccprof_regions_told(void)
{
}
