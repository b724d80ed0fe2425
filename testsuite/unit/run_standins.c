/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands in for the modules that rt/process/run.c and write.c call, for check_rt_run:
   nothing is counted, and no modules are known.  */

#include <stdbool.h>
#include <stdint.h>

#include "rt/count/counts.h"
#include "rt/count/firsts.h"
#include "rt/count/targets.h"
#include "rt/process/unregistered.h"
#include "rt/sample/sampler.h"
#include "rt/symbolize/trace.h"
#include "rt/table/modules.h"

void ccprof_targets_drop(void)
{
}

void ccprof_targets_told(void)
{
}

void ccprof_firsts_forked(void)
{
}

bool ccprof_firsts_any(void)
{
    return false;
}

void ccprof_counts_drop(void)
{
}

void ccprof_trace_end(void)
{
}

uint64_t ccprof_unregistered_gather(void)
{
    return 0;
}

void ccprof_counts_open(void)
{
}

void ccprof_counts_close(void)
{
}

void ccprof_counts_dataset_begin(uint64_t dataset)
{
    (void)dataset;
}

void ccprof_counts_dataset_end(uint64_t dataset, bool all)
{
    (void)dataset;
    (void)all;
}

bool ccprof_counts_any(void)
{
    return false;
}

uint64_t ccprof_counts_threads(void)
{
    return 0;
}

const char *ccprof_sampler_engine(void)
{
    return "none";
}

uint64_t ccprof_sampler_threads(void)
{
    return 1;
}

uint64_t ccprof_sampler_interrupted(void)
{
    return 0;
}

uint64_t ccprof_sampler_unarmed(void)
{
    return 0;
}

uint64_t ccprof_sampler_waits(void)
{
    return 0;
}

void ccprof_modules_refresh(struct ccprof_modules *modules)
{
    (void)modules;
}

bool ccprof_modules_freeze(struct ccprof_modules *modules)
{
    (void)modules;
    return true;
}

void ccprof_modules_thaw(struct ccprof_modules *modules)
{
    (void)modules;
}
