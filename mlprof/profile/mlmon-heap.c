/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/mlmon-heap.h"
#include "mlprof/base/buf.h"
#include "mlprof/profile/mlmon-points.h"

#include <stdlib.h>
#include <string.h>

static bool read_number(struct fields *fields, uint64_t *value)
{
    return fields_skip(fields, " ") && fields_decimal(fields, value);
}

static bool read_amount(struct fields *fields, struct heapdata_amount *amount)
{
    return read_number(fields, &amount->blocks) && read_number(fields, &amount->bytes);
}

/* Reads a line of the head: WORD, blocks and bytes, and behind these MORE unless it is
   NULL.  */
static bool read_sum(struct fields *fields, const char *word,
                     struct heapdata_amount *amount, uint64_t *more)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, word) || !read_amount(fields, amount) ||
        (more && !read_number(fields, more)) || !fields_end_of_line(fields)) {
        char *text =
            buf_format("it should be `%s' and %s numbers", word, more ? "three" : "two");
        fields_wrong(fields, text);
        free(text);
        return false;
    }
    if (amount->blocks > HEAPDATA_MOST || amount->bytes > HEAPDATA_MOST)
        return fields_wrong(fields, "more blocks or bytes than there can be");
    return true;
}

static bool read_count(struct fields *fields, const char *word, uint64_t *count)
{
    return fields_number_line(fields, word, count) &&
           (*count <= HEAPDATA_MOST || fields_wrong(fields, "a number out of range"));
}

/* Reads what stands behind `heap ' on the line, and the lines up to the first point.  */
static bool read_head(struct heapdata *heap, struct fields *fields, uint64_t *points)
{
    if (!fields_skip(fields, "exact "))
        return fields_wrong(fields, "a way to measure the heap that this mlprof does not "
                                    "know");
    heap->ended = fields_skip(fields, "ended");
    if (!heap->ended && !fields_skip(fields, "running"))
        return fields_wrong(fields, "it should be `ended' or `running'");
    if (!fields_end_of_line(fields))
        return fields_wrong(fields, "there is something behind the heap's heading");
    return read_sum(fields, "allocated", &heap->sums[HEAPDATA_TOTAL], NULL) &&
           read_sum(fields, "freed", &heap->sums[HEAPDATA_FREED], NULL) &&
           read_sum(fields, "alive", &heap->sums[HEAPDATA_LIVE], NULL) &&
           read_sum(fields, "peak", &heap->sums[HEAPDATA_PEAK], &heap->peak_time) &&
           read_count(fields, "unknown", &heap->unknown) &&
           read_count(fields, "unkept", &heap->unkept) &&
           read_count(fields, "memory", &heap->memory) &&
           fields_number_line(fields, "stacks", points);
}

/* The path from the root to the point that was read last.  */
struct branch {
    uint32_t *nodes;
    size_t depth, capacity;
};

static bool read_point(struct profile *profile, struct fields *fields,
                       struct branch *branch, struct heapdata_amount *sums)
{
    struct heapdata_amount amounts[HEAPDATA_MEASURES];
    uint64_t depth, address;
    uint32_t module;
    if (!fields_next_line(fields))
        return false;
    bool good = fields_decimal(fields, &depth) && fields_skip(fields, " ") &&
                mlmon_points_module(profile, fields, &module) &&
                fields_skip(fields, " ") && fields_hexadecimal(fields, &address);
    for (size_t i = 0; good && i < HEAPDATA_MEASURES; i++)
        good = read_amount(fields, &amounts[i]);
    if (!good || !fields_end_of_line(fields))
        return fields_wrong(
            fields, "it should be a depth, a module, an address, and eight numbers");
    if (depth > branch->depth)
        return fields_wrong(fields, "deeper than the point before it by more than one");
    if (!heapdata_add(sums, amounts))
        return fields_wrong(fields, "more blocks or bytes than there can be");
    if (depth == branch->capacity)
        branch->nodes =
            buf_grow(branch->nodes, &branch->capacity, depth + 1, sizeof *branch->nodes);
    uint32_t node =
        heapdata_put(&profile->heap, depth ? branch->nodes[depth - 1] : PROFILE_NO_NODE,
                     module, address);
    heapdata_add(profile->heap.nodes[node].of, amounts);
    branch->nodes[depth] = node;
    branch->depth = depth + 1;
    return true;
}

bool mlmon_heap_read(struct profile *profile, struct fields *fields)
{
    struct heapdata *heap = &profile->heap;
    struct branch branch = {0};
    struct heapdata_amount sums[HEAPDATA_MEASURES] = {0};
    uint64_t points;
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, "heap ")) {
        fields_unread(fields);
        return true;
    }
    heap->measured = true;
    bool good = read_head(heap, fields, &points);
    for (uint64_t i = 0; good && i < points; i++)
        good = read_point(profile, fields, &branch, sums);
    free(branch.nodes);
    for (size_t i = 0; good && i < HEAPDATA_MEASURES; i++)
        if (sums[i].blocks != heap->sums[i].blocks ||
            sums[i].bytes != heap->sums[i].bytes)
            return fields_wrong(fields, "the stacks do not add up to the heap's sums");
    return good;
}
