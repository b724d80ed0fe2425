/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the checks of a gate, and describes a check in words (gate.h). */

#include "mlprof/compare/gate.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void gate_add(struct gate *gate, const struct gate_check *check)
{
    struct gate_check *added =
        &BUF_NEXT(gate->checks, gate->check_count, gate->check_capacity);
    *added = *check;
    added->number = gate->check_count;
    gate->failed += check->failed;
}

BUF_COMPARE(by_size, struct gate_check,
            BUF_ORDER(b->failed, a->failed)
                    ?: (a->failed ? BUF_ORDER(b->size, a->size) : 0)
                    ?: BUF_ORDER(a->number, b->number))

void gate_sort(struct gate *gate)
{
    BUF_SORT(gate->checks, gate->check_count, by_size);
}

void gate_free(struct gate *gate)
{
    for (size_t i = 0; i < gate->object_count; i++)
        free(gate->objects[i].name);
    free(gate->objects);
    free(gate->checks);
}

bool gate_has_new_compiler(const struct gate *gate)
{
    const char *const *compilers = gate->compilers;
    return compilers[0] && compilers[1] && strcmp(compilers[0], compilers[1]) != 0;
}

const struct linecounts_list *gate_points(const struct gate_check *check)
{
    return check->points[1] ? check->points[1] : check->points[0];
}

/* Returns the point of a check; NULL if the check is not of a single point, or if the
   position of the point is unknown. */
static const struct linecounts_point *placed_point(const struct gate_check *check)
{
    const struct linecounts_list *points = gate_points(check);
    const struct linecounts_point *point =
        !points || check->nth == GATE_ALL ? NULL : &points->points[check->nth];
    return point && point->line ? point : NULL;
}

uint32_t gate_position(const struct gate_check *check, const char **file)
{
    const struct linecounts_point *point = placed_point(check);
    const struct runset_function *function = check->function;
    *file = point      ? intern_text(check->files, point->file)
            : function ? function->path ? function->path : function->file
                       : NULL;
    if (gate_points(check))
        return point ? point->line : 0;
    return *file ? function->line : 0;
}

char *gate_name(const struct gate_check *check)
{
    const struct linecounts_list *points = gate_points(check);
    const char *name = check->name ? check->name : check->function->shown;
    return points && points->outcome ? buf_format("%s.<case %s>", name, points->outcome)
                                     : buf_copy(name);
}

char *gate_unit(const struct gate_check *check)
{
    const struct linecounts_list *points = gate_points(check);
    const char *unit = points && points->outcome ? "outcomes" : check->word;
    if (!points || check->nth != GATE_ALL)
        return buf_copy(unit);
    return buf_format("%s (%s%zu, now %zu)", unit, points->outcome ? "" : "lines: ",
                      check->points[0] ? check->points[0]->count : 0,
                      check->points[1] ? check->points[1]->count : 0);
}

/* Returns the change from BEFORE, which is not 0, to NOW. Shows the sign of a change
   even if it rounds to 0.00, and does not round to -100.00 unless NOW is 0. */
static char *percent(uint64_t before, uint64_t now)
{
    double growth = 100 * ((double)now / (double)before - 1);
    if (growth > -0.005 && growth < 0.005)
        return buf_copy(now < before ? "-0.00%" : "+0.00%");
    return buf_format("%+.2f%%", growth > -99.99 || !now ? growth : -99.99);
}

char *gate_excess(const struct gate_check *check)
{
    static const char *const words[] = {
        [GATE_NO_FUNCTION] = "gone", [GATE_NO_VALUE] = "unset", [GATE_NO_LINE] = "new"};
    if (check->reason)
        return buf_copy(words[check->reason]);
    return check->limited && check->limit ? percent(check->limit, check->now)
                                          : buf_copy("-");
}

char *gate_change(const struct gate_check *check)
{
    if (!check->measured)
        return buf_copy("-");
    if (!check->before)
        return buf_copy(check->now ? "new" : "-");
    return check->now ? percent(check->before, check->now) : buf_copy("gone");
}

/* Returns `, NOUN VALUE MORE (CHANGE)', where CHANGE leads from VALUE to NOW. */
static char *compared(const char *noun, uint64_t value, const char *more, uint64_t now)
{
    BUF_OWN char *number = text_count(value);
    BUF_OWN char *change = value && now ? percent(value, now) : NULL;
    return change ? buf_format(", %s %s%s (%.*s %%)", noun, number, more,
                               (int)strlen(change) - 1, change)
                  : buf_format(", %s %s%s", noun, number, more);
}

char *gate_sentence(const struct gate_check *check)
{
    static const char *const reasons[] = {
        [GATE_NO_REASON] = "",
        [GATE_NO_FUNCTION] = ": no function matches",
        [GATE_NO_VALUE] = ", but the limit needs a measured value: -gate-update",
        [GATE_NO_LINE] = ", but no line of its own: -gate-update adds it"};
    bool limited = check->limited && !check->reason;
    bool same = limited && check->measured && check->limit == check->before;
    bool counted = check->reason != GATE_NO_FUNCTION;
    BUF_OWN char *unit = gate_unit(check), *now = text_count(check->now);
    BUF_OWN char *limit =
        limited ? compared("limit", check->limit, same ? " as before" : "", check->now)
                : buf_copy("");
    BUF_OWN char *before = check->measured && !same
                               ? compared("before", check->before, "", check->now)
                               : buf_copy("");
    return buf_format("%s%s%s%s%s%s", unit, counted ? " " : "", counted ? now : "",
                      reasons[check->reason], limit, before);
}
