/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands in for the modules that rt/process/run.c and write.c call, for check_rt_run:
   nothing is counted, and no modules are known.  */

#include "rt/count/counts.h"
#include "rt/count/firsts.h"
#include "rt/count/targets.h"
#include "rt/process/unregistered.h"
#include "rt/sample/sampler.h"
#include "rt/symbolize/trace.h"
#include "rt/table/modules.h"
#include "standins.h"

DOES_NOTHING(ccprof_targets_drop, (void))
DOES_NOTHING(ccprof_targets_told, (void))
DOES_NOTHING(ccprof_firsts_forked, (void))
RETURNS(bool, ccprof_firsts_any, (void), false)
DOES_NOTHING(ccprof_trace_end, (void))
RETURNS(uint64_t, ccprof_unregistered_gather, (void), 0)

DOES_NOTHING(ccprof_counts_drop, (void))
DOES_NOTHING(ccprof_counts_open, (void))
DOES_NOTHING(ccprof_counts_close, (void))
DOES_NOTHING(ccprof_counts_dataset_begin, (uint64_t dataset))
DOES_NOTHING(ccprof_counts_dataset_end, (uint64_t dataset, bool all))
RETURNS(bool, ccprof_counts_any, (void), false)
RETURNS(uint64_t, ccprof_counts_threads, (void), 0)

DOES_NOTHING(ccprof_sampler_look_out, (void))
RETURNS(const char *, ccprof_sampler_engine, (void), "none")
RETURNS(uint64_t, ccprof_sampler_threads, (void), 1)
RETURNS(uint64_t, ccprof_sampler_interrupted, (void), 0)
RETURNS(uint64_t, ccprof_sampler_unarmed, (void), 0)
RETURNS(uint64_t, ccprof_sampler_waits, (void), 0)

DOES_NOTHING(ccprof_modules_refresh, (struct ccprof_modules * modules))
DOES_NOTHING(ccprof_modules_thaw, (struct ccprof_modules * modules))
RETURNS(bool, ccprof_modules_freeze, (struct ccprof_modules * modules), true)
