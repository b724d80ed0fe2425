/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/profile/mlmon-inside.h"

static bool read_bucket(struct heaptimes_bucket *bucket, struct fields *fields)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_decimal(fields, &bucket->most) ||
        !fields_number(fields, &bucket->alive) ||
        !fields_number(fields, &bucket->resident) || !fields_end_of_line(fields))
        return fields_wrong(fields, "it should be three numbers");
    if (bucket->most > HEAPDATA_MOST || bucket->alive > bucket->most ||
        bucket->resident > HEAPDATA_MOST)
        return fields_wrong(fields, "more bytes than there can be");
    return true;
}

bool mlmon_spans_head(struct heaptimes *times, struct fields *fields)
{
    uint64_t count;
    if (!fields_optional(fields, "times "))
        return true;
    bool good = fields_decimal(fields, &times->width) && fields_number(fields, &count);
    times->cells_known = good && fields_skip(fields, " stacks");
    if (!good || (!times->cells_known && !fields_skip(fields, " crowded")) ||
        !fields_end_of_line(fields))
        return fields_wrong(
            fields, "it should be `times', two numbers, and `stacks' or `crowded'");
    if (times->width == 0 || times->width > UINT32_MAX || count == 0 ||
        count > CCPROF_SPANS)
        return fields_wrong(fields, "no buckets of time, or too many");
    times->count = (uint32_t)count;
    for (uint32_t i = 0; i < times->count; i++)
        if (!read_bucket(&times->buckets[i], fields))
            return false;
    return true;
}

/* What the lines of a point tell so far.  */
struct born {
    uint64_t least; /* the next line is of no bucket before this one */
    struct heapdata_amount made, freed;
    bool sampled;
    uint64_t size;
};

/* Reads an amount, of blocks of one size if they were sampled.  */
static bool read_amount(const struct born *born, struct fields *fields,
                        struct heaptimes_cell *cell)
{
    uint64_t bytes;
    return fields_number(fields, &cell->blocks) && fields_number(fields, &cell->bytes) &&
           cell->blocks <= HEAPDATA_MOST && cell->bytes <= HEAPDATA_MOST &&
           (!born->sampled ||
            (!__builtin_mul_overflow(cell->blocks, born->size, &bytes) &&
             bytes == cell->bytes));
}

/* Reads what of ALIVE was freed in which bucket, up to the end of the line.  */
static bool read_freed(struct heaptimes *times, struct fields *fields, struct born *born,
                       struct heaptimes_cell *alive)
{
    struct heaptimes_cell cell = *alive;
    uint64_t bucket, least = alive->born;
    while (fields_number(fields, &bucket)) {
        if (bucket < least || bucket >= times->count ||
            !read_amount(born, fields, &cell) || cell.blocks > alive->blocks ||
            cell.bytes > alive->bytes)
            return false;
        cell.freed = (uint8_t)bucket;
        least = bucket + 1;
        alive->blocks -= cell.blocks;
        alive->bytes -= cell.bytes;
        born->freed.blocks += cell.blocks;
        born->freed.bytes += cell.bytes;
        BUF_NEXT(times->cells, times->cell_count, times->cell_capacity) = cell;
    }
    return fields_end_of_line(fields);
}

/* Reads what stands behind `born' on the line.  */
static bool read_born(struct heaptimes *times, struct fields *fields, struct born *born,
                      struct heapdata_amount *young)
{
    struct heaptimes_cell cell = {.size = born->sampled ? born->size : 0,
                                  .freed = HEAPTIMES_ALIVE};
    uint64_t bucket;
    if (!fields_number(fields, &bucket) || bucket < born->least ||
        bucket >= times->count || !read_amount(born, fields, &cell))
        return false;
    cell.born = (uint8_t)bucket;
    born->least = bucket + 1;
    born->made.blocks += cell.blocks;
    born->made.bytes += cell.bytes;
    if (!read_freed(times, fields, born, &cell))
        return false;
    if (cell.blocks)
        BUF_NEXT(times->cells, times->cell_count, times->cell_capacity) = cell;
    if (bucket >= heaptimes_young(times)) {
        young->blocks += cell.blocks;
        young->bytes += cell.bytes;
    }
    return true;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

bool mlmon_spans_point(struct heaptimes *times, struct fields *fields, bool sampled,
                       uint64_t size, struct heapdata_amount *amounts)
{
    struct born born = {.sampled = sampled, .size = size};
    struct heapdata_amount young = {0, 0};
    const struct heapdata_amount *live = &amounts[HEAPDATA_LIVE];
    while (times->cells_known && fields_optional(fields, "born"))
        if (!read_born(times, fields, &born, &young))
            return fields_wrong(fields, "it should be `born', buckets, blocks and bytes");
    if (born.made.blocks > amounts[HEAPDATA_TOTAL].blocks ||
        born.made.bytes > amounts[HEAPDATA_TOTAL].bytes ||
        born.freed.blocks > amounts[HEAPDATA_FREED].blocks ||
        born.freed.bytes > amounts[HEAPDATA_FREED].bytes)
        return fields_wrong(fields, "more blocks in buckets of time than there were");
    /* Where threads could not count all, less may be alive in all than in the buckets. */
    amounts[HEAPDATA_YOUNG] = (struct heapdata_amount){
        smaller(young.blocks, live->blocks), smaller(young.bytes, live->bytes)};
    return true;
}
