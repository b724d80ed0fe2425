/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/gcda-values.h"
#include "mlprof/base/saturate.h"
#include "mlprof/export/gcovwords.h"
#include "mlprof/flow/flowcounts.h"
#include "rt/format.h"

#define TAG_RANGES   0x01a30000
#define TAG_POWERS   0x01a50000
#define TAG_LISTS    0x01a70000
#define TAG_INDIRECT 0x01a90000
#define TAG_SIZES    0x01ab0000
#define TAG_FIRST    0x01af0000

/* Of a call or an operand; GCC has no more (GCOV_TOPN_MAXIMUM_TRACKED_VALUES).  */
#define VALUES_MOST 32

/* Values are told of the calls and then of the lists.  */
static const struct arccounts_value *values_of(const struct arccounts_function *function,
                                               size_t of, size_t *count)
{
    const struct arccounts_value *first = function->values;
    const struct arccounts_value *end = first + function->value_count;
    while (first < end && first->of < of)
        first++;
    *count = 0;
    while (first + *count < end && first[*count].of == of)
        ++*count;
    return first;
}

static const struct arctables_list *list_of(const struct arccounts_function *function,
                                            size_t list)
{
    return &function->tables->lists[function->of->first_list + list];
}

/* How often the list's operand was used.  GCC takes a function that was never entered for
   one whose blocks were never executed.  */
static uint64_t times_of(const struct arccounts_function *function, size_t list)
{
    return function->times[0] ? function->times[list_of(function, list)->block] : 0;
}

/* What is told of a list: no more in all than the operand was used, and not of those that
   are larger than all that are told apart.  Gives how many, in VALUES.  */
static size_t list_values(const struct arccounts_function *function, size_t list,
                          struct arccounts_value *values)
{
    size_t count, kept = 0;
    const struct arccounts_value *from =
        values_of(function, function->of->indirect + list, &count);
    uint64_t left = times_of(function, list);
    for (size_t i = 0; i < count && kept < VALUES_MOST && left; i++) {
        if (from[i].value == CCPROF_LIST_MOST)
            continue;
        values[kept] = from[i];
        if (values[kept].count > left)
            values[kept].count = left;
        left -= values[kept++].count;
    }
    return kept;
}

/* How often there was any value, how many values there are, and each with its count.  */
static void put_values(FILE *out, uint64_t total, const struct arccounts_value *values,
                       size_t count)
{
    gcovwords_counter(out, total);
    gcovwords_counter(out, count);
    for (size_t i = 0; i < count; i++) {
        gcovwords_counter(out, values[i].value);
        gcovwords_counter(out, values[i].count);
    }
}

static size_t limit(size_t values)
{
    return values < VALUES_MOST ? values : VALUES_MOST;
}

static void put_indirect(FILE *out, const struct arccounts_function *function)
{
    uint32_t calls = function->of->indirect;
    size_t words = 2 * (size_t)calls, count;
    for (uint32_t i = 0; i < calls; i++) {
        values_of(function, i, &count);
        words += 2 * limit(count);
    }
    gcovwords_tag(out, TAG_INDIRECT, words, false);
    for (uint32_t i = 0; i < calls; i++) {
        const struct arccounts_value *values = values_of(function, i, &count);
        __int128 total = 0;
        for (size_t k = 0; k < count; k++)
            total += values[k].count;
        put_values(out, (uint64_t)flowsums_clamp(total), values, limit(count));
    }
}

/* Nothing is told of a list whose operand is not counted.  */
static void put_lists(FILE *out, const struct arccounts_function *function)
{
    struct arccounts_value values[VALUES_MOST];
    size_t lists = function->of->lists, words = 2 * lists;
    for (size_t i = 0; i < lists; i++)
        words += 2 * list_values(function, i, values);
    gcovwords_tag(out, TAG_LISTS, words, false);
    for (size_t i = 0; i < lists; i++) {
        size_t count = list_values(function, i, values);
        put_values(out, count ? times_of(function, i) : 0, values, count);
    }
}

static size_t count_lists(const struct arccounts_function *function,
                          enum ccprof_list kind)
{
    size_t count = 0;
    for (size_t i = 0; i < function->of->lists; i++)
        count += list_of(function, i)->kind == kind;
    return count;
}

/* Of each remainder: the quotient was never 0 or 1, so that GCC makes nothing of it.  But
   GCC compares the sum with the count of the block.  */
static void put_ranges(FILE *out, const struct arccounts_function *function)
{
    gcovwords_tag(out, TAG_RANGES, 4 * count_lists(function, CCPROF_LIST_REMAINDER),
                  false);
    for (size_t i = 0; i < function->of->lists; i++) {
        if (list_of(function, i)->kind != CCPROF_LIST_REMAINDER)
            continue;
        for (int k = 0; k < 3; k++)
            gcovwords_counter(out, 0);
        gcovwords_counter(out, times_of(function, i));
    }
}

/* Of each remainder how often its divisor was no power of two, and how often one.  */
static void put_powers(FILE *out, const struct arccounts_function *function)
{
    size_t count;
    gcovwords_tag(out, TAG_POWERS, 2 * count_lists(function, CCPROF_LIST_REMAINDER),
                  false);
    for (size_t i = 0; i < function->of->lists; i++) {
        uint64_t powers = 0;
        if (list_of(function, i)->kind != CCPROF_LIST_REMAINDER)
            continue;
        const struct arccounts_value *values =
            values_of(function, function->of->indirect + i, &count);
        for (size_t k = 0; k < count; k++)
            if (values[k].value && values[k].value < CCPROF_LIST_MOST &&
                !(values[k].value & (values[k].value - 1)))
                powers = saturate_add(powers, values[k].count);
        if (powers > times_of(function, i))
            powers = times_of(function, i);
        gcovwords_counter(out, times_of(function, i) - powers);
        gcovwords_counter(out, powers);
    }
}

/* Of each size the sum and how many there were; those that are larger than all that are
   told apart count as CCPROF_LIST_MOST.  */
static void put_sizes(FILE *out, const struct arccounts_function *function)
{
    size_t count;
    gcovwords_tag(out, TAG_SIZES, 2 * count_lists(function, CCPROF_LIST_SIZE), false);
    for (size_t i = 0; i < function->of->lists; i++) {
        __int128 sum = 0, number = 0;
        if (list_of(function, i)->kind != CCPROF_LIST_SIZE)
            continue;
        const struct arccounts_value *values =
            values_of(function, function->of->indirect + i, &count);
        for (size_t k = 0; k < count; k++) {
            sum += (__int128)values[k].value * values[k].count;
            number += values[k].count;
        }
        gcovwords_counter(out, (uint64_t)flowsums_clamp(sum));
        gcovwords_counter(out, (uint64_t)flowsums_clamp(number));
    }
}

void gcda_values_put(FILE *out, const struct arccounts_function *function)
{
    const struct arctables_function *of = function->of;
    if (count_lists(function, CCPROF_LIST_REMAINDER)) {
        put_ranges(out, function);
        put_powers(out, function);
    }
    if (of->lists)
        put_lists(out, function);
    if (of->indirect)
        put_indirect(out, function);
    if (count_lists(function, CCPROF_LIST_SIZE))
        put_sizes(out, function);
    if (!function->first)
        return;
    gcovwords_tag(out, TAG_FIRST, 1, false);
    gcovwords_counter(out, function->first);
}
