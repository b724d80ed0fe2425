/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the counts that budget-find.c found with the limits, and adds one check per
   line to the gate. Change the arithmetic of limits in percent here.  */

#include "mlprof/base/buf.h"
#include "mlprof/compare/budget.h"

#include <math.h>

/* Returns AMOUNT of VALUE, rounded down; AMOUNT is in millionths of a percent.  */
static uint64_t part_of(uint64_t value, uint64_t amount)
{
    const uint64_t whole = UINT64_C(100) * BUDGET_PERCENT;
    uint64_t part;
    if (__builtin_mul_overflow(value / whole, amount, &part) ||
        __builtin_add_overflow(part, value % whole * amount / whole, &part))
        return UINT64_MAX;
    return part;
}

/* Sets the limit of CHECK, and whether the count exceeds it.  */
static void check_limit(struct gate_check *check, const struct budget_line *line)
{
    uint64_t part = line->form == BUDGET_MOST ? 0 : part_of(check->before, line->amount);
    if (line->form != BUDGET_MOST && !check->measured) {
        check->reason = GATE_NO_VALUE;
        check->failed = true;
        return;
    }
    check->limited = true;
    if (line->form == BUDGET_MOST)
        check->limit = line->amount;
    else if (__builtin_add_overflow(check->before, part, &check->limit))
        check->limit = UINT64_MAX;
    check->failed = check->now > check->limit;
    if (line->form != BUDGET_WITHIN)
        return;
    uint64_t least = part < check->before ? check->before - part : 0;
    if (check->now < least) {
        check->limit = least;
        check->failed = true;
    }
}

/* Sets the size of the change: its share of the measure's TOTAL.  */
static void set_size(struct gate_check *check, uint64_t total)
{
    double from = check->measured  ? (double)check->before
                  : check->limited ? (double)check->limit
                                   : 0;
    check->size = fabs((double)check->now - from) / fmax((double)total, 1);
}

static void check_each(struct gate *gate, const struct budget_line *line,
                       const struct budget_each *each, uint64_t total)
{
    struct gate_check check = {.function = each->function,
                               .line = line->number,
                               .word = line->word,
                               .measure = line->measure,
                               .now = each->now};
    check_limit(&check, line);
    if (check.reason)
        check.reason = GATE_NO_LINE;
    set_size(&check, total);
    gate_add(gate, &check);
}

void budget_check(struct gate *gate, const struct budget *budget,
                  const struct budget_found *found)
{
    for (size_t i = 0, e = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        const struct budget_sum *sum = &found->sums[i];
        if (!line->selected)
            continue;
        struct gate_check check = {
            .name = line->shown,
            .function = line->subject == BUDGET_NAME ? sum->function : NULL,
            .line = line->number,
            .word = line->word,
            .measure = line->measure,
            .before = line->value,
            .measured = line->measured,
            .now = sum->now};
        for (; e < found->each_count && found->each[e].line == i; e++)
            check_each(gate, line, &found->each[e], sum->total);
        if (line->subject == BUDGET_EACH && sum->functions)
            continue;
        if (line->subject != BUDGET_TOTAL && !sum->functions) {
            check.reason = GATE_NO_FUNCTION;
            check.failed = true;
        } else {
            check_limit(&check, line);
        }
        set_size(&check, sum->total);
        gate_add(gate, &check);
    }
    gate->budget = true;
    gate->functions = gate->check_count;
    gate->beyond = gate->failed;
    gate_sort(gate);
}
