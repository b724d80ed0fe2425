/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares counts with the limits of a budget (budget.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/compare/budget.h"

#include <math.h>

struct checker {
    struct gate *gate;
    const struct budget_counts *counts;
    uint64_t threshold; /* in units of a relative limit's AMOUNT */
};

/* Returns AMOUNT of VALUE, rounded down; AMOUNT is in millionths of a percent. */
static uint64_t part_of(uint64_t value, uint64_t amount)
{
    const uint64_t whole = UINT64_C(100) * BUDGET_PERCENT;
    uint64_t part;
    if (__builtin_mul_overflow(value / whole, amount, &part) ||
        __builtin_add_overflow(part, value % whole * amount / whole, &part))
        return UINT64_MAX;
    return part;
}

/* Sets the limit of CHECK, and whether the count exceeds it. */
static void check_limit(const struct checker *checker, struct gate_check *check,
                        const struct budget_line *line)
{
    uint64_t amount = line->amount;
    if (line->form != BUDGET_MOST && amount < checker->threshold)
        amount = checker->threshold;
    uint64_t part = line->form == BUDGET_MOST ? 0 : part_of(check->before, amount);
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

/* Adds CHECK to the gate. The size of its change is its share of the measure's TOTAL. */
static void add_check(const struct checker *checker, struct gate_check *check,
                      uint64_t total)
{
    double from = check->measured  ? (double)check->before
                  : check->limited ? (double)check->limit
                                   : 0;
    check->size = fabs((double)check->now - from) / fmax((double)total, 1);
    gate_add(checker->gate, check);
}

static void check_each(const struct checker *checker, const struct budget_line *line,
                       const struct budget_each *each, uint64_t total)
{
    const struct runset *side = &checker->counts[line->counts - 1].side;
    struct gate_check check = {.function = &side->functions.list[each->function],
                               .line = line->number,
                               .word = line->word,
                               .now = each->now};
    check_limit(checker, &check, line);
    if (check.reason)
        check.reason = GATE_NO_LINE;
    check.object = check.function->module;
    add_check(checker, &check, total);
    checker->gate->limits++;
    checker->gate->beyond += check.failed;
}

/* Compares two lists of counts of a function; one of them may be NULL. Lists of the same
   length are compared point by point, other lists by their sums. Adds the failed checks,
   which are like COMMON. Returns whether there are any. */
static bool check_lists(const struct checker *checker, const struct budget_line *line,
                        const struct gate_check *common,
                        const struct linecounts_list *before,
                        const struct linecounts_list *now, uint64_t total)
{
    bool each = before && now && before->count == now->count, failed = false;
    for (size_t i = 0; i < (each ? now->count : 1); i++) {
        struct gate_check check = *common;
        check.points[0] = before;
        check.points[1] = now;
        check.nth = each ? i : GATE_ALL;
        check.before = each     ? before->points[i].count
                       : before ? linecounts_sum(before)
                                : 0;
        check.now = each ? now->points[i].count : now ? linecounts_sum(now) : 0;
        check_limit(checker, &check, line);
        if (check.failed)
            add_check(checker, &check, total);
        failed |= check.failed;
    }
    return failed;
}

/* Compares the lists of a function in the budget and now, which are in the same order.
   Returns whether a check failed. */
static bool check_points(const struct checker *checker, const struct budget_line *line,
                         const struct gate_check *common, const struct budget_sum *sum)
{
    const struct linecounts *now = &checker->counts[line->counts - 1].side.points;
    const struct linecounts_span spans[2] = {{line->points->lists, line->points->count},
                                             linecounts_of(now, sum->function)};
    size_t next[2] = {0, 0};
    bool failed = false;
    while (next[0] < spans[0].count || next[1] < spans[1].count) {
        const struct linecounts_list *lists[2];
        for (size_t s = 0; s < 2; s++)
            lists[s] = next[s] < spans[s].count ? &spans[s].lists[next[s]] : NULL;
        int order = !lists[0] ? 1
                    : !lists[1]
                        ? -1
                        : linecounts_by_outcome(lists[0]->outcome, lists[1]->outcome);
        if (order > 0)
            lists[0] = NULL;
        if (order < 0)
            lists[1] = NULL;
        for (size_t s = 0; s < 2; s++)
            next[s] += lists[s] != NULL;
        failed |= check_lists(checker, line, common, lists[0], lists[1], sum->total);
    }
    return failed;
}

static void check_line(const struct checker *checker, const struct budget_line *line,
                       const struct budget_sum *sum)
{
    const struct runset *side = &checker->counts[line->counts - 1].side;
    struct gate_check check = {.name = line->place.name,
                               .object = line->place.object,
                               .line = line->number,
                               .word = line->word,
                               .before = line->value,
                               .measured = line->measured,
                               .files = &side->points.files,
                               .now = sum->now};
    if (line->subject == BUDGET_NAME && sum->functions)
        check.function = &side->functions.list[sum->function];
    checker->gate->limits++;
    if (line->points && sum->functions == 1 && sum->now &&
        check_points(checker, line, &check, sum)) {
        checker->gate->beyond++;
        return;
    }
    if (line->subject != BUDGET_TOTAL && !sum->functions) {
        check.reason = GATE_NO_FUNCTION;
        check.failed = true;
    } else if (!line->points || sum->functions != 1 || !sum->now) {
        check_limit(checker, &check, line);
    }
    checker->gate->beyond += check.failed;
    add_check(checker, &check, sum->total);
}

static bool has_counted(const struct runset_run *run, uint32_t function)
{
    for (size_t c = 0; c < run->column_count; c++)
        if (function < run->count && run->columns[c].values[function])
            return true;
    return false;
}

/* Marks the checks of shared objects that the budget or the new counts lack, and adds
   these objects. */
static void check_objects(const struct checker *checker, const struct budget *budget,
                          size_t count)
{
    struct gate *gate = checker->gate;
    struct intern names = {0};
    struct tally counted = {0}, lost = {0}; /* keys: name, and 0: budget, 1: now */
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        if (line->counts && line->place.object && line->value)
            tally_add(&counted, intern_put(&names, line->place.object), 0, 0);
    }
    for (size_t c = 0; c < count; c++) {
        const struct runset *side = &checker->counts[c].side;
        for (uint32_t f = 0; f < side->functions.count; f++)
            if (side->functions.list[f].module && has_counted(&side->runs.list[0], f))
                tally_add(&counted, intern_put(&names, side->functions.list[f].module), 1,
                          0);
    }
    for (size_t i = 0; i < gate->check_count; i++) {
        struct gate_check *check = &gate->checks[i];
        bool added = check->reason == GATE_NO_LINE;
        if (!check->failed || !check->object || (!added && check->now))
            continue;
        uint32_t object = intern_put(&names, check->object), number;
        check->of_object = !index_get(&counted.keys, object, !added, 0, &number);
        if (check->of_object)
            tally_add(&lost, object, added, 0);
    }
    for (size_t i = 0; i < lost.keys.count; i++) {
        const uint64_t *key = lost.keys.keys[i].words;
        BUF_PUSH(gate->objects) = (struct gate_object){
            buf_copy(intern_text(&names, (uint32_t)key[0])), key[1], lost.counts[i]};
    }
    tally_free(&counted);
    tally_free(&lost);
    intern_free(&names);
}

void budget_check(struct gate *gate, const struct budget *budget,
                  const struct budget_found *found, const struct budget_counts *counts,
                  size_t count)
{
    const struct checker checker = {gate, counts,
                                    (uint64_t)llround(gate->threshold * BUDGET_PERCENT)};
    for (size_t i = 0, e = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        const struct budget_sum *sum = &found->sums[i];
        if (!line->counts)
            continue;
        for (; e < found->each.count && found->each.list[e].line == i; e++)
            check_each(&checker, line, &found->each.list[e], sum->total);
        if (line->subject != BUDGET_EACH || !sum->functions)
            check_line(&checker, line, sum);
    }
    check_objects(&checker, budget, count);
    gate_sort(gate);
}
