/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the heap of a data file: sums, times, and a line with amounts for each point.
   Checks that the amounts agree with each other. */

#include "mlprof/base/buf.h"
#include "mlprof/profile/heapdata.h"
#include "mlprof/profile/mlmon-inside.h"

#include <stdlib.h>

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

/* Reads the optional lines of the heap over time: `times' and the
   buckets. */
static bool read_times(struct heaptimes *times, struct fields *fields)
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

/* The state of reading the `born' lines of a point, and their sums so far. */
struct born {
    uint64_t least; /* first bucket that the next line may have */
    struct heapdata_amount made, freed;
    bool sampled;
    uint64_t size;
};

/* Reads an amount. If blocks were sampled, all have the same size. */
static bool read_cell(const struct born *born, struct fields *fields,
                      struct heaptimes_cell *cell)
{
    uint64_t bytes;
    return fields_number(fields, &cell->blocks) && fields_number(fields, &cell->bytes) &&
           cell->blocks <= HEAPDATA_MOST && cell->bytes <= HEAPDATA_MOST &&
           (!born->sampled ||
            (!__builtin_mul_overflow(cell->blocks, born->size, &bytes) &&
             bytes == cell->bytes));
}

/* Reads the rest of the line: for each bucket, how much of ALIVE was freed in it. */
static bool read_freed(struct heaptimes *times, struct fields *fields, struct born *born,
                       struct heaptimes_cell *alive)
{
    struct heaptimes_cell cell = *alive;
    uint64_t bucket, least = alive->born;
    while (fields_number(fields, &bucket)) {
        if (bucket < least || bucket >= times->count || !read_cell(born, fields, &cell) ||
            cell.blocks > alive->blocks || cell.bytes > alive->bytes)
            return false;
        cell.freed = (uint8_t)bucket;
        least = bucket + 1;
        alive->blocks -= cell.blocks;
        alive->bytes -= cell.bytes;
        born->freed.blocks += cell.blocks;
        born->freed.bytes += cell.bytes;
        BUF_PUSH(times->cells) = cell;
    }
    return fields_end_of_line(fields);
}

/* Reads the line after `born'. */
static bool read_born(struct heaptimes *times, struct fields *fields, struct born *born,
                      struct heapdata_amount *young)
{
    struct heaptimes_cell cell = {.size = born->sampled ? born->size : 0,
                                  .freed = HEAPTIMES_ALIVE};
    uint64_t bucket;
    if (!fields_number(fields, &bucket) || bucket < born->least ||
        bucket >= times->count || !read_cell(born, fields, &cell))
        return false;
    cell.born = (uint8_t)bucket;
    born->least = bucket + 1;
    born->made.blocks += cell.blocks;
    born->made.bytes += cell.bytes;
    if (!read_freed(times, fields, born, &cell))
        return false;
    if (cell.blocks)
        BUF_PUSH(times->cells) = cell;
    if (bucket >= heaptimes_young(times)) {
        young->blocks += cell.blocks;
        young->bytes += cell.bytes;
    }
    return true;
}

static uint64_t minimum(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns whether PART is not greater than ALL. */
static bool are_within(const struct heapdata_amount *part,
                       const struct heapdata_amount *all)
{
    return part->blocks <= all->blocks && part->bytes <= all->bytes;
}

/* Reads the lines `born' that follow the line of a point. AMOUNTS are the point's
   amounts. If SAMPLED, its blocks have SIZE bytes. Adds cells to TIMES, still without
   a node, and young blocks to AMOUNTS. */
static bool read_times_of_point(struct heaptimes *times, struct fields *fields,
                                bool sampled, uint64_t size,
                                struct heapdata_amount *amounts)
{
    struct born born = {.sampled = sampled, .size = size};
    struct heapdata_amount young = {0, 0};
    const struct heapdata_amount *live = &amounts[HEAPDATA_LIVE];
    while (times->cells_known && fields_optional(fields, "born"))
        if (!read_born(times, fields, &born, &young))
            return fields_wrong(fields, "it should be `born', buckets, blocks and bytes");
    if (!are_within(&born.made, &amounts[HEAPDATA_TOTAL]) ||
        !are_within(&born.freed, &amounts[HEAPDATA_FREED]))
        return fields_wrong(fields, "more blocks in buckets of time than there were");
    /* If threads could not count all blocks, the total in use may be less than the sum
       of the buckets. */
    amounts[HEAPDATA_YOUNG] = (struct heapdata_amount){
        minimum(young.blocks, live->blocks), minimum(young.bytes, live->bytes)};
    return true;
}

#define REACHES (HEAPDATA_LEAKED - HEAPDATA_LOST)

static bool read_amount(struct fields *fields, struct heapdata_amount *amount)
{
    return fields_number(fields, &amount->blocks) &&
           fields_number(fields, &amount->bytes);
}

/* Like read_amount, but returns false if the amount exceeds the format's limit. */
static bool read_small_amount(struct fields *fields, struct heapdata_amount *amount)
{
    return read_amount(fields, amount) && amount->blocks <= HEAPDATA_MOST &&
           amount->bytes <= HEAPDATA_MOST;
}

/* Reads a line of the head: WORD, blocks, bytes and, if MORE is not NULL, another
   number. */
static bool read_sum(struct fields *fields, const char *word,
                     struct heapdata_amount *amount, uint64_t *more)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, word) || !read_amount(fields, amount) ||
        (more && !fields_number(fields, more)) || !fields_end_of_line(fields)) {
        BUF_OWN char *text =
            buf_format("it should be `%s' and %s numbers", word, more ? "three" : "two");
        return fields_wrong(fields, text);
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

/* Reads the four amounts after `reach'. */
static bool read_reach_amounts(struct fields *fields, struct heapdata_amount *reach)
{
    bool good = true;
    for (size_t i = 0; good && i < REACHES; i++)
        good = read_small_amount(fields, &reach[i]);
    return (good && fields_end_of_line(fields)) ||
           fields_wrong(fields, "it should be `reach' and eight numbers");
}

/* Reads how the heap was measured. */
static bool read_method(struct heapdata *heap, struct fields *fields)
{
    if (heap->lives && fields_skip(fields, "sampled ")) {
        if (!fields_decimal(fields, &heap->sample) || !fields_skip(fields, " "))
            return fields_wrong(fields, "it should be `sampled' and a number");
        if (heap->sample == 0 || heap->sample > HEAPDATA_SAMPLE_MOST)
            return fields_wrong(fields, "a number out of range");
    } else if (!fields_skip(fields, "exact ")) {
        return fields_wrong(fields, "a way to measure the heap that this mlprof does not "
                                    "know");
    }
    heap->ended = fields_skip(fields, "ended");
    if (!heap->ended && !fields_skip(fields, "running"))
        return fields_wrong(fields, "it should be `ended' or `running'");
    if (!fields_end_of_line(fields))
        return fields_wrong(fields, "there is something after the heap's heading");
    return true;
}

/* Reads the optional line that identifies a slice. */
static bool read_slice(struct heapdata *heap, struct fields *fields)
{
    uint64_t number, pid, time;
    if (!fields_optional(fields, "slice"))
        return true;
    if (!fields_number(fields, &number) || !fields_number(fields, &pid) ||
        !fields_number(fields, &time) || !fields_end_of_line(fields))
        return fields_wrong(fields, "it should be `slice' and three numbers");
    heapmerge_begin_slice(heap, number, pid, time);
    return true;
}

/* Reads the lines that version 10 added to the head: blocks whose free was not
   recorded, and optionally how the program could reach blocks in use at its end. */
static bool read_head_end(struct heapdata *heap, struct fields *fields,
                          struct heapdata_amount *reach)
{
    if (!read_sum(fields, "unseen", &heap->unseen, NULL))
        return false;
    heap->reach = fields_optional(fields, "reach");
    return !heap->reach || read_reach_amounts(fields, reach);
}

/* Reads the line after `heap ' and the lines before the first point. */
static bool read_head(struct heapdata *heap, struct fields *fields,
                      const struct mlmon_header *header, struct heapdata_amount *sums,
                      uint64_t *points)
{
    bool spans = header->version >= CCPROF_MLMON_SPANS;
    return read_method(heap, fields) && (!spans || read_slice(heap, fields)) &&
           read_sum(fields, "allocated", &sums[HEAPDATA_TOTAL], NULL) &&
           read_sum(fields, "freed", &sums[HEAPDATA_FREED], NULL) &&
           read_sum(fields, "alive", &sums[HEAPDATA_LIVE], NULL) &&
           read_sum(fields, "peak", &sums[HEAPDATA_PEAK], &heap->peak_time) &&
           read_count(fields, "unknown", &heap->unknown) &&
           read_count(fields, "unkept", &heap->unkept) &&
           read_count(fields, "memory", &heap->memory) &&
           (header->version < CCPROF_MLMON_REACH ||
            read_head_end(heap, fields, &sums[HEAPDATA_LOST])) &&
           (!spans || read_times(&heap->times, fields)) &&
           fields_number_line(fields, "stacks", points);
}

/* The path from the root to the last point, and the sums of all lines so far. */
struct branch {
    struct index *threads; /* numbers of threads; NULL: no points of threads */
    bool longer_life;      /* `life' has two amounts more, which are ignored */
    uint32_t *nodes;
    size_t depth, capacity;
    struct heapdata_amount sums[HEAPDATA_MEASURES];
    double carry[2]; /* heapdata_put_sized */
};

/* A line of a point, or a line of the blocks of one size that belong to the point
   above. */
struct line {
    uint64_t depth, address;
    bool sized;
    uint64_t size;
    uint32_t module;
    struct heapdata_amount amounts[HEAPDATA_MEASURES];
};

/* Reads the place of a point: a phase, a thread, or a module with an address. */
static bool read_place(const struct profile *profile, struct fields *fields,
                       bool allow_labels, struct line *line)
{
    if (allow_labels && fields_skip(fields, "label"))
        line->module = PROFILE_LABEL;
    else if (allow_labels && fields_skip(fields, "thread"))
        line->module = PROFILE_THREAD;
    else if (!mlmon_points_module(profile, fields, &line->module))
        return false;
    return fields_skip(fields, " ") && fields_hexadecimal(fields, &line->address);
}

static bool read_line(const struct profile *profile, struct fields *fields,
                      bool allow_labels, struct line *line)
{
    if (!fields_next_line(fields))
        return false;
    bool good = fields_decimal(fields, &line->depth) && fields_skip(fields, " ");
    line->sized = good && profile->heap.sample && fields_skip(fields, "size ");
    if (line->sized)
        good = fields_decimal(fields, &line->size);
    else
        good = good && read_place(profile, fields, allow_labels, line);
    for (size_t i = 0; good && i < HEAPDATA_POINT; i++)
        good = read_amount(fields, &line->amounts[i]);
    if (!good || !fields_end_of_line(fields))
        return fields_wrong(
            fields, "it should be a depth, a module, an address, and eight numbers");
    return true;
}

/* Reads the optional line `life', which has the history of the blocks of the point
   before it. */
static bool read_life(struct fields *fields, struct line *line, bool longer)
{
    struct heapdata_amount *amounts = line->amounts, lived = {0, 0}, ignored;
    if (!fields_optional(fields, "life"))
        return true;
    bool good =
        read_small_amount(fields, &amounts[HEAPDATA_TEMPORARY]) &&
        (!longer || (read_amount(fields, &ignored) && read_amount(fields, &ignored)));
    for (size_t i = HEAPDATA_LIVED; good && i < HEAPDATA_YOUNG; i++)
        good = read_small_amount(fields, &amounts[i]);
    if (!good || !fields_end_of_line(fields))
        return fields_wrong(fields, longer ? "it should be `life' and twenty numbers"
                                           : "it should be `life' and sixteen numbers");
    for (size_t i = HEAPDATA_LIVED; i < HEAPDATA_YOUNG; i++) {
        lived.blocks += amounts[i].blocks;
        lived.bytes += amounts[i].bytes;
    }
    if (!are_within(&lived, &amounts[HEAPDATA_FREED]) ||
        !are_within(&amounts[HEAPDATA_TEMPORARY], &amounts[HEAPDATA_FREED]))
        return fields_wrong(fields, "more became of blocks than there were");
    return true;
}

/* Reads the optional line that describes how the program can reach the point's blocks.
   The line counts all blocks in use. It counts fewer if threads could not count all
   blocks. */
static bool read_point_reach(struct fields *fields, struct line *line)
{
    struct heapdata_amount *amounts = &line->amounts[HEAPDATA_LOST], sum = {0, 0};
    struct heapdata_amount *leaked = &line->amounts[HEAPDATA_LEAKED];
    if (!fields_optional(fields, "reach"))
        return true;
    if (!read_reach_amounts(fields, amounts))
        return false;
    for (size_t i = 0; i < REACHES; i++) {
        if (i == HEAPDATA_POSSIBLE - HEAPDATA_LOST)
            *leaked = sum;
        sum.blocks += amounts[i].blocks;
        sum.bytes += amounts[i].bytes;
    }
    return are_within(&sum, &line->amounts[HEAPDATA_LIVE]) ||
           fields_wrong(fields, "more became of blocks than there were");
}

/* Returns whether the amounts are multiples of the line's block size. */
static bool are_of_size(const struct line *line)
{
    for (size_t i = 0; i < HEAPDATA_MEASURES; i++) {
        uint64_t bytes;
        if (__builtin_mul_overflow(line->amounts[i].blocks, line->size, &bytes) ||
            bytes != line->amounts[i].bytes)
            return false;
    }
    return true;
}

/* Checks a line of blocks of one size. */
static bool check_sized(struct fields *fields, const struct line *line)
{
    if (line->depth == 0)
        return fields_wrong(fields, "blocks of a size without a point above them");
    return are_of_size(line) ||
           fields_wrong(fields, "the bytes are not those of the blocks");
}

static bool put_sized(struct heapdata *heap, struct fields *fields,
                      const struct line *line, struct branch *branch)
{
    struct heapdata_sized sized = {.node = branch->nodes[line->depth - 1],
                                   .process =
                                       heap->slices.processes.count ? 0 : HEAPDATA_NONE,
                                   .size = line->size};
    for (size_t i = 0; i < HEAPDATA_MEASURES; i++)
        sized.blocks[i] = line->amounts[i].blocks;
    branch->depth = line->depth;
    return heapdata_put_sized(heap, &sized, branch->carry) ||
           fields_wrong(fields, "more blocks or bytes than there can be");
}

static bool has_amounts(const struct line *line)
{
    uint64_t any = 0;
    for (size_t i = 0; i < HEAPDATA_MEASURES; i++)
        any |= line->amounts[i].blocks | line->amounts[i].bytes;
    return any != 0;
}

/* Replaces the file's number of a phase or thread by the profile's number. A phase or
   thread that began while the file was written has no line of its own, and therefore
   no name. */
static bool renumber_outer(struct profile *profile, struct line *line,
                           struct branch *branch)
{
    bool fresh;
    uint32_t parent = line->depth ? branch->nodes[line->depth - 1] : PROFILE_NO_NODE;
    if (has_amounts(line))
        return false;
    if (line->module == PROFILE_THREAD) {
        uint64_t number = line->address;
        line->address = index_put(branch->threads, number, 0, 0, &fresh);
        if (fresh)
            profile_add_thread(profile, number, "?");
        return parent == PROFILE_NO_NODE;
    }
    if (line->address >= profile->names.labels.count &&
        line->address >= CCPROF_LABELS_MAX)
        return false;
    while (line->address >= profile->names.labels.count)
        profile_add_label(profile, "?");
    return parent == PROFILE_NO_NODE ||
           profile_stands_around(profile->heap.nodes.list[parent].module);
}

static bool put_point(struct heapdata *heap, struct fields *fields,
                      const struct line *line, struct branch *branch)
{
    if (heap->sample && has_amounts(line))
        return fields_wrong(fields, "sampled blocks without a size");
    uint32_t node =
        heapdata_put(heap, line->depth ? branch->nodes[line->depth - 1] : PROFILE_NO_NODE,
                     line->module, line->address);
    heapdata_add(heap->nodes.list[node].amounts, line->amounts);
    BUF_AT(branch->nodes, line->depth, branch->capacity) = node;
    branch->depth = line->depth + 1;
    return true;
}

static bool read_point(struct profile *profile, struct fields *fields,
                       struct branch *branch)
{
    struct heaptimes *times = &profile->heap.times;
    const size_t cells = times->cells.count;
    struct line line = {0};
    if (!read_line(profile, fields, branch->threads, &line))
        return false;
    if (line.depth > branch->depth)
        return fields_wrong(fields, "deeper than the point before it by more than one");
    if (!line.sized && profile_stands_around(line.module) &&
        !renumber_outer(profile, &line, branch))
        return fields_wrong(
            fields, "no label or thread has this number, or it cannot stand here");
    if ((line.sized && !check_sized(fields, &line)) ||
        (profile->heap.lives && !read_life(fields, &line, branch->longer_life)) ||
        (profile->heap.reach && !read_point_reach(fields, &line)) ||
        !read_times_of_point(times, fields, line.sized, line.size, line.amounts) ||
        (line.sized && !check_sized(fields, &line)))
        return false;
    if (!heapdata_add(branch->sums, line.amounts))
        return fields_wrong(fields, "more blocks or bytes than there can be");
    if (!(line.sized ? put_sized(&profile->heap, fields, &line, branch)
                     : put_point(&profile->heap, fields, &line, branch)))
        return false;
    for (size_t i = cells; i < times->cells.count; i++)
        times->cells.list[i].node = branch->nodes[branch->depth - 1];
    return true;
}

bool mlmon_heap_read(struct profile *profile, struct fields *fields,
                     struct mlmon_header *header)
{
    struct heapdata *heap = &profile->heap;
    struct branch branch = {
        .threads = header->version >= CCPROF_MLMON_SPANS ? &header->numbers : NULL,
        .longer_life = header->version < CCPROF_MLMON_LIFETIMES};
    struct heapdata_amount sums[HEAPDATA_MEASURES] = {0};
    uint64_t points;
    if (!fields_optional(fields, "heap "))
        return true;
    heap->measured = true;
    heap->lives = header->version >= CCPROF_MLMON_LIVES;
    bool good = read_head(heap, fields, header, sums, &points);
    for (uint64_t i = 0; good && i < points; i++)
        good = read_point(profile, fields, &branch);
    free(branch.nodes);
    for (size_t i = 0; good && i < HEAPDATA_LEAKED; i++)
        if ((i < HEAPDATA_POINT || i >= HEAPDATA_LOST) &&
            (sums[i].blocks != branch.sums[i].blocks ||
             sums[i].bytes != branch.sums[i].bytes))
            return fields_wrong(fields, "the stacks do not add up to the heap's sums");
    if (good && !heap->sample)
        heapdata_add(heap->sums, branch.sums);
    heap->undivided = heap->slices.processes.count == 0;
    heap->running = heap->undivided && !heap->ended;
    if (good && !heap->undivided)
        heapmerge_end_slice(heap);
    return good;
}
