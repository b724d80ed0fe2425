/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of amounts by measure and part. There are few columns, so a column is found
   by a search over all of them. */

#include "mlprof/rows/measured.h"
#include "mlprof/base/buf.h"
#include "mlprof/profile/heapdata.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct measured_column *find_column(const struct measured *measured,
                                           const struct measure *measure,
                                           enum measured_part part, bool blocks)
{
    for (size_t i = 0; i < measured->columns.count; i++) {
        struct measured_column *column = &measured->columns.list[i];
        if (column->measure == measure && column->part == part &&
            column->blocks == blocks)
            return column;
    }
    return NULL;
}

struct measured_column *measured_column(struct measured *measured,
                                        const struct measure *measure,
                                        enum measured_part part, bool blocks)
{
    struct measured_column *column = find_column(measured, measure, part, blocks);
    if (column)
        return column;
    column = &BUF_PUSH(measured->columns);
    *column = (struct measured_column){
        .measure = measure,
        .part = part,
        .blocks = blocks,
        .amounts = buf_alloc((measured->capacity + 1) * sizeof *column->amounts)};
    return column;
}

uint64_t *measured_amounts(struct measured *measured, const struct measure *measure,
                           enum measured_part part, bool blocks)
{
    return measured_column(measured, measure, part, blocks)->amounts;
}

bool measured_has(const struct measured *measured, const struct measure *measure,
                  enum measured_part part, bool blocks)
{
    return find_column(measured, measure, part, blocks) != NULL;
}

struct measured *measured_new(const struct measure *shown, const struct measure *memory,
                              size_t count)
{
    struct measured *measured = buf_alloc(sizeof *measured);
    *measured = (struct measured){
        .shown = shown, .memory = memory, .count = count, .capacity = count};
    for (enum measured_part part = 0; part < MEASURED_PARTS; part++)
        measured_amounts(measured, shown, part, false);
    return measured;
}

struct measured *measured_with_branches(const struct measured *measured)
{
    struct measured *whole =
        measured_new(measured->shown, measured->memory, measured->count);
    for (size_t i = 0; i < measured->columns.count; i++) {
        const struct measured_column *column = &measured->columns.list[i];
        enum measured_part part =
            column->part == MEASURED_BRANCHES ? MEASURED_SELF : column->part;
        uint64_t *amounts =
            measured_amounts(whole, column->measure, part, column->blocks);
        for (size_t j = 0; j < measured->count; j++)
            if (column->amounts[j] == MEASURED_UNKNOWN)
                amounts[j] = MEASURED_UNKNOWN;
            else if (amounts[j] != MEASURED_UNKNOWN)
                amounts[j] += column->amounts[j];
    }
    return whole;
}

void measured_free(struct measured *measured)
{
    if (!measured)
        return;
    for (size_t i = 0; i < measured->columns.count; i++) {
        free(measured->columns.list[i].amounts);
        free(measured->columns.list[i].errors);
    }
    free(measured->columns.list);
    free(measured);
}

void measured_grow(struct measured *measured, size_t count)
{
    size_t before = measured->capacity, after = before;
    for (size_t i = 0; count > before && i < measured->columns.count; i++) {
        struct measured_column *column = &measured->columns.list[i];
        after = before;
        column->amounts =
            buf_grow(column->amounts, &after, count + 1, sizeof *column->amounts);
        memset(column->amounts + before, 0, (after - before) * sizeof *column->amounts);
        assert(!column->errors);
    }
    measured->capacity = after;
    if (count > measured->count)
        measured->count = count;
}

struct measured_value measured_get(const struct measured *measured, uint32_t number,
                                   const struct measure *measure, enum measured_part part,
                                   bool blocks)
{
    if (!measured)
        return (struct measured_value){.known = !measure};
    const struct measured_column *column = find_column(measured, measure, part, blocks);
    if (!column || column->amounts[number] == MEASURED_UNKNOWN)
        return (struct measured_value){.known = false};
    return (struct measured_value){.known = true, .amount = column->amounts[number]};
}

uint64_t measured_whole(const struct measured *measured, uint32_t number,
                        const struct measure *measure, enum measured_part part,
                        bool blocks)
{
    uint64_t branches =
        part == MEASURED_SELF
            ? measured_get(measured, number, measure, MEASURED_BRANCHES, blocks).amount
            : 0;
    return measured_get(measured, number, measure, part, blocks).amount + branches;
}

struct statistics_interval measured_interval(const struct measured *measured,
                                             uint32_t number,
                                             const struct measure *measure,
                                             enum measured_part part, bool blocks)
{
    static const struct statistics_error none;
    const struct measure *total = measure_of_heap(HEAPDATA_TOTAL);
    const struct measured_column *column = find_column(measured, measure, part, blocks);
    const struct heapdata_amount amount = {
        .bytes = measured_whole(measured, number, measure, part, false),
        .blocks = measured_whole(measured, number, measure, part, true)};
    return heapdata_interval(&amount,
                             measured_whole(measured, number, total, part, false),
                             column && column->errors ? &column->errors[number] : &none,
                             measured->sample, measure->heap.number, blocks);
}

static void add_errors(const struct measured *measured, struct measured_column *column,
                       uint32_t number, const struct statistics_error *error)
{
    if (!column->errors)
        column->errors = buf_alloc((measured->capacity + 1) * sizeof *column->errors);
    statistics_error_join(&column->errors[number], error);
}

void measured_add(struct measured *measured, uint32_t number, const struct measured *from,
                  uint32_t number_from)
{
    for (size_t i = 0; i < from->columns.count; i++) {
        const struct measured_column *other = &from->columns.list[i];
        struct measured_column *column =
            measured_column(measured, other->measure, other->part, other->blocks);
        if (other->amounts[number_from] != MEASURED_UNKNOWN)
            column->amounts[number] += other->amounts[number_from];
        if (other->errors)
            add_errors(measured, column, number, &other->errors[number_from]);
    }
}

void measured_add_called(struct measured *measured, uint32_t caller, uint32_t callee)
{
    for (size_t i = 0; i < measured->columns.count; i++) {
        struct measured_column *column = &measured->columns.list[i];
        if (column->part != MEASURED_TOTAL)
            continue;
        column->amounts[caller] += column->amounts[callee];
        if (column->errors)
            statistics_error_join(&column->errors[caller], &column->errors[callee]);
    }
}

void measured_stand_alone(struct measured *measured)
{
    for (size_t i = 0; i < measured->columns.count; i++) {
        struct measured_column *total = &measured->columns.list[i];
        const struct measured_column *self =
            find_column(measured, total->measure, MEASURED_SELF, total->blocks);
        if (total->part != MEASURED_TOTAL || !self)
            continue;
        memcpy(total->amounts, self->amounts, measured->count * sizeof *total->amounts);
        if (total->errors && self->errors)
            memcpy(total->errors, self->errors, measured->count * sizeof *total->errors);
    }
}
