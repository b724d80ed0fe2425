/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/names/unprofile.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static bool take_out(struct unit *unit, const struct pattern *pattern,
                     const struct names_style *style)
{
    bool any = false;
    for (size_t i = 0; i < unit->source_count; i++) {
        struct unit_source *source = &unit->sources[i];
        const struct identity_source identity = identity_of(unit, source);
        source->unprofiled = names_match(pattern, &identity, NULL, style);
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
               const struct names_style *style, struct fault *fault)
{
    bool any = false;
    if (!pattern->text)
        return true;
    for (size_t i = 0; i < count; i++)
        for (uint32_t u = 0; tables[i] && u < tables_unit_count(tables[i]); u++)
            any |= take_out(tables_unit(tables[i], u), pattern, style);
    return any || nothing_matches(pattern, fault);
}

/* The function by which a sample at the node was stored, if it is taken out with
   everything inlined in it there.  NULL: it is not, or NODE is no sample of
   time-field.  */
static const struct unit_source *stored_by(const struct program *program,
                                           const struct profile *profile,
                                           const struct profile_node *node,
                                           const struct unit **unit)
{
    struct tables_point at;
    bool outermost = node->parent == PROFILE_NO_NODE ||
                     profile_is_around(&profile->nodes[node->parent]);
    struct tables *tables =
        node->module < program->count ? program->tables[node->module] : NULL;
    if (!outermost || !tables || !tables_has_field(tables) ||
        elffile_is_code(tables_holder(tables), node->address) ||
        !tables_find(tables, node->address, &at))
        return NULL;
    const struct function *function = tables_function(tables, at.function);
    *unit = function->unit;
    return function_innermost(function, at.point)
               ? NULL
               : unit_source(function->unit, function->copies[0].source);
}

bool unprofile_has_callers(const struct program *program, const struct profile *profile,
                           const struct pattern *pattern, struct fault *fault)
{
    for (size_t i = 0; pattern->text && i < profile->node_count; i++) {
        const struct unit *unit;
        const struct unit_source *source =
            stored_by(program, profile, &profile->nodes[i], &unit);
        if (!source || !source->unprofiled || strcmp(source->name, "main") == 0)
            continue;
        struct identity_source identity = identity_of(unit, source);
        char *name = names_of(&identity, &(struct names_style){0});
        char *what = buf_format("-unprofile %s", pattern->text);
        fault_set(fault, FAULT_MISMATCH, what,
                  "time-field does not tell who called %s, which would have its time: "
                  "exclude it when it is compiled, with "
                  "-fplugin-arg-ccprof-exclude-function",
                  name);
        free(what);
        free(name);
        return false;
    }
    return true;
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
