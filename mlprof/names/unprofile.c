/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/names/unprofile.h"
#include "mlprof/base/buf.h"
#include "mlprof/names/names.h"

#include <stdlib.h>

static bool matches(const struct pattern *pattern, bool long_name,
                    const struct unit *unit, const struct unit_source *source)
{
    const struct identity_source identity = identity_of(unit, source);
    return names_match(pattern, &identity, NULL, long_name);
}

static bool take_out(struct unit *unit, const struct pattern *pattern, bool long_name)
{
    bool any = false;
    for (size_t i = 0; i < unit->source_count; i++) {
        struct unit_source *source = &unit->sources[i];
        source->unprofiled = matches(pattern, long_name, unit, source);
        any |= source->unprofiled;
    }
    return any;
}

static bool nothing_matches(const struct pattern *pattern, struct fault *fault)
{
    char *what = buf_format("-unprofile %s", pattern->text);
    fault_set(fault, FAULT_MISMATCH, what, "no function of the program matches");
    free(what);
    return false;
}

bool unprofile(struct tables *const *tables, size_t count, const struct pattern *pattern,
               bool long_name, struct fault *fault)
{
    bool any = false;
    if (!pattern->text)
        return true;
    for (size_t i = 0; i < count; i++)
        for (uint32_t u = 0; tables[i] && u < tables_unit_count(tables[i]); u++)
            any |= take_out(tables_unit(tables[i], u), pattern, long_name);
    return any || nothing_matches(pattern, fault);
}

void unprofile_artificial(struct tables *const *tables, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t u = 0; tables[i] && u < tables_unit_count(tables[i]); u++) {
            struct unit *unit = tables_unit(tables[i], u);
            for (size_t s = 0; s < unit->source_count; s++)
                unit->sources[s].folded =
                    (unit->sources[s].flags & CCPROF_SOURCE_ARTIFICIAL) != 0;
        }
}
