/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of amounts by measure and part. There are few columns, so a column is found
   by a search over all of them. */

#include "mlprof/rows/measured.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static uint64_t *add_column(struct measured *measured, const struct measure *measure,
                            enum measured_part part, bool blocks)
{
    uint64_t *amounts = buf_alloc((measured->capacity + 1) * sizeof *amounts);
    BUF_NEXT(measured->columns, measured->column_count, measured->column_capacity) =
        (struct measured_column){
            .measure = measure, .part = part, .blocks = blocks, .amounts = amounts};
    return amounts;
}

struct measured *measured_new(const struct measure *shown, const struct measure *memory,
                              size_t count)
{
    struct measured *measured = buf_alloc(sizeof *measured);
    *measured = (struct measured){
        .shown = shown, .memory = memory, .count = count, .capacity = count};
    for (enum measured_part part = 0; part < MEASURED_PARTS; part++)
        add_column(measured, shown, part, false);
    return measured;
}

static const struct measured_column *find_column(const struct measured *measured,
                                                 const struct measure *measure,
                                                 enum measured_part part, bool blocks)
{
    for (size_t i = 0; i < measured->column_count; i++) {
        const struct measured_column *column = &measured->columns[i];
        if (column->measure == measure && column->part == part &&
            column->blocks == blocks)
            return column;
    }
    return NULL;
}

struct measured *measured_with_branches(const struct measured *measured)
{
    struct measured *whole =
        measured_new(measured->shown, measured->memory, measured->count);
    for (size_t i = 0; i < measured->column_count; i++) {
        const struct measured_column *column = &measured->columns[i];
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
    for (size_t i = 0; i < measured->column_count; i++)
        free(measured->columns[i].amounts);
    free(measured->columns);
    free(measured);
}

void measured_grow(struct measured *measured, size_t count)
{
    size_t before = measured->capacity, after = before;
    for (size_t i = 0; count > before && i < measured->column_count; i++) {
        struct measured_column *column = &measured->columns[i];
        after = before;
        column->amounts =
            buf_grow(column->amounts, &after, count + 1, sizeof *column->amounts);
        memset(column->amounts + before, 0, (after - before) * sizeof *column->amounts);
    }
    measured->capacity = after;
    if (count > measured->count)
        measured->count = count;
}

uint64_t *measured_amounts(struct measured *measured, const struct measure *measure,
                           enum measured_part part, bool blocks)
{
    const struct measured_column *column = find_column(measured, measure, part, blocks);
    return column ? column->amounts : add_column(measured, measure, part, blocks);
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
