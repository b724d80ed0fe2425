// SPDX-License-Identifier: GPL-3.0-or-later
// The variable with the options, and their defaults.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/options.h"

struct options options = {.profile = OPTIONS_PROFILE_MEASURE,
                          .kinds = CCPROF_KIND_TIME,
                          .position = CCPROF_POSITION_EXPRESSION,
                          .mark = OPTIONS_MARK_SOURCE,
                          .blocks = false,
                          .branch = false,
                          .mispredicted = false,
                          .stack = false,
                          .trace = false,
                          .train = false,
                          .train_order = false,
                          .train_values = false,
                          .targets = false,
                          .verbose = false,
                          .remarks = true,
                          .dormant = false,
                          .check = false,
                          .ignore_scopes = false,
                          .fault = NULL,
                          .tail_calls = OPTIONS_TAIL_CALLS_ALWAYS};

static const struct {
    const char *name;
    unsigned kind;
} kinds[] = {
    {"time-label", CCPROF_KIND_TIME},
    {"time", CCPROF_KIND_TIME},
    {"time-field", CCPROF_KIND_FIELD},
    {"count", CCPROF_KIND_COUNT},
    {"call", CCPROF_KIND_CALL},
    {"alloc", CCPROF_KIND_ALLOC},
    {"instructions", CCPROF_KIND_INSTRUCTIONS},
};

unsigned options_kind(const char *name, size_t size)
{
    for (const auto &k : kinds)
        if (strlen(k.name) == size && !memcmp(k.name, name, size))
            return k.kind;
    return 0;
}
