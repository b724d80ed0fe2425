/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the measures, for page.c: the words of each measure and its values by node.
   Also writes the fields that only the heap has. */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/view/heapwords.h"

#include <math.h>

/* The value of a node. */
struct amount {
    uint32_t node;
    uint64_t amount, blocks; /* BLOCKS: only for the heap */
};

PAGE_STEP(amount_step, amount, node)

/* Returns the nodes whose amount is not 0, and sets *COUNT to their number. The
   caller frees the array. */
static struct amount *amounts_of(const struct view *view, const struct measure *measure,
                                 size_t *count)
{
    const struct stacks *stacks = &view->rows->stacks;
    const struct measure *shown = profile_measure(view->profile);
    struct amount *list = buf_alloc((stacks->nodes.count + (size_t)1) * sizeof *list);
    BUF_OWN uint64_t *amounts = stacks_amounts(stacks, shown, measure, false);
    BUF_OWN uint64_t *blocks =
        measure_is_of_heap(measure) ? stacks_amounts(stacks, shown, measure, true) : NULL;
    *count = 0;
    for (uint32_t i = 0; i < stacks->nodes.count; i++)
        if (amounts[i] || (blocks && blocks[i]))
            list[(*count)++] = (struct amount){i, amounts[i], blocks ? blocks[i] : 0};
    return list;
}

static void print_values(struct page_data *data, const struct measure *measure)
{
    const struct datacolumns_column columns[] = {
        {"step", .value = amount_step},
        DATACOLUMNS_NAMED(measure->plural, amount, amount),
        DATACOLUMNS_NAMED(measure->kinds ? NULL : "blocks", amount, blocks),
        {0}};
    size_t count;
    BUF_OWN struct amount *list = amounts_of(data->view, measure, &count);
    datacolumns_print(&data->columns, "values", data, list, count, columns);
}

/* Prints MEASURE. If it is KNOWN for stacks, prints the values of nodes too. */
static void print_measure(struct page_data *data, const struct measure *measure,
                          bool known)
{
    const struct heapdata *heap = &data->view->profile->heap;
    struct json *json = &data->columns.json;
    json_open(json);
    json_text_field(json, "word", measure_kept_word(measure));
    json_text_field(json, "text",
                    heap->ended && measure->heap.number == HEAPDATA_LIVE &&
                            !measure->kinds
                        ? "live at the end"
                    : measure->heap.menu ? measure->heap.menu
                    : measure->what      ? measure->what
                                         : measure->word);
    json_bool_field(json, "sampled", measure->sampled);
    if (measure->unit == MEASURE_NANOSECONDS) /* the decimals of seconds */
        json_unsigned_field(json, "digits", (uint64_t)view_decimals(data->view));
    json_bool_field(json, "costs", measure->sampled || measure->weigh);
    json_bool_field(json, "memory", measure->memory);
    json_open_list_field(json, "units");
    json_text(json, measure->plural);
    if (measure->memory)
        json_text(json, "blocks");
    json_close_list(json);
    if (measure->weigh) {
        json_text_field(json, "heading", measure->heading);
        json_text_field(json, "noun", measure->noun);
    }
    if (measure->memory)
        json_text_field(json, "what", measure->what);
    if (!measure->kinds) {
        BUF_OWN char *head = NULL;
        size_t size;
        FILE *out = buf_open(&head, &size);
        heapwords_head(out, heap, measure->heap.number);
        buf_close(out);
        json_text_field(json, "column", measure->heap.column);
        json_text_field(json, "head", head);
    }
    if (known)
        print_values(data, measure);
    json_close(json);
}

void page_measures_print(struct page_data *data)
{
    const struct profile *profile = data->view->profile;
    const struct measure *shown = profile_measure(profile), *m = NULL;
    struct json *json = &data->columns.json;
    json_open_list_field(json, "measures");
    if (profile_is_of_heap(profile)) {
        while ((m = measure_next_of_heap(m)))
            print_measure(data, m, true);
    } else {
        print_measure(data, shown, shown->stacks);
        for (m = measure_all; m->word; m++)
            if (m != shown && profile_has(profile, m))
                print_measure(data, m, false);
        for (unsigned i = 0; i < MEASURE_EVENTS; i++)
            if (profile->beside >> i & 1 && measure_of_event(i) != shown)
                print_measure(data, measure_of_event(i), true);
    }
    json_close_list(json);
    if (profile_is_of_heap(profile))
        shown = measure_compared(shown);
    json_text_field(json, "shown", measure_kept_word(shown));
}

/* The fields of the heap: confidence intervals, and the heap over time. */

/* The confidence intervals of a measure of a function in bytes: self and total
   (STACK). */
struct range {
    uint32_t function, measure; /* MEASURE: index in `measures' */
    struct statistics_interval self, stack;
};

PAGE_VALUE(range_least, range, llround(row->self.least))
PAGE_VALUE(range_most, range, llround(row->self.most))
PAGE_VALUE(range_stack_least, range, llround(row->stack.least))
PAGE_VALUE(range_stack_most, range, llround(row->stack.most))

static const struct datacolumns_column range_columns[] = {
    DATACOLUMNS_MEMBER(range, function),
    DATACOLUMNS_MEMBER(range, measure),
    {"least", .value = range_least},
    {"most", .value = range_most},
    {"stack_least", .value = range_stack_least},
    {"stack_most", .value = range_stack_most},
    {0}};

/* Returns the *COUNT confidence intervals of all functions of the page. The caller
   frees the array. */
static struct range *ranges_of(const struct rows *rows, size_t *count)
{
    struct range *list = buf_alloc((rows->count * HEAPDATA_MEASURES + 1) * sizeof *list);
    *count = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct rows_row *row = &rows->rows[i];
        const struct measured *all = row->measured;
        const struct measure *measure = NULL;
        for (uint32_t m = 0; !row->branch && (measure = measure_next_of_heap(measure));
             m++)
            if (measured_whole(all, row->number, measure, MEASURED_TOTAL, true))
                list[(*count)++] = (struct range){
                    i, m,
                    measured_interval(all, row->number, measure, MEASURED_SELF, false),
                    measured_interval(all, row->number, measure, MEASURED_TOTAL, false)};
    }
    return list;
}

/* If blocks were sampled, prints the field `ranges'. */
static void print_ranges(struct page_data *data)
{
    const struct view *view = data->view;
    size_t count;
    if (!view->profile->heap.sample)
        return;
    BUF_OWN struct range *list = ranges_of(view->rows, &count);
    datacolumns_print(&data->columns, "ranges", data, list, count, range_columns);
}

/* The memory that a node allocated in one bucket of time and freed in another bucket,
   or never freed. */
struct cell {
    uint32_t node;
    int64_t born, freed; /* DATACOLUMNS_NONE: never */
    struct heapdata_amount amount;
};

PAGE_STEP(cell_step, cell, node)

static const struct datacolumns_column cell_columns[] = {
    {"step", .value = cell_step},
    DATACOLUMNS_MEMBER(cell, born),
    DATACOLUMNS_MEMBER(cell, freed),
    DATACOLUMNS_NAMED("bytes", cell, amount.bytes),
    DATACOLUMNS_NAMED("blocks", cell, amount.blocks),
    {0}};

/* Returns the cells, sorted by node, and sets *COUNT to their number. The caller
   frees the array. A cell has two consecutive columns, one of bytes and one of blocks. */
static struct cell *cells_of(const struct stacks *stacks, size_t *count)
{
    const struct shares *shares = &stacks->values;
    struct cell *list = buf_alloc((shares->count + 1) * sizeof *list);
    uint32_t last = 0;
    *count = 0;
    for (size_t i = 0; i < shares->count; i++) {
        const struct shares_entry *entry = &shares->entries[i];
        if (entry->bin < HEAPPOINTS_CELLS || entry->bin >= HEAPPOINTS_SAMPLES)
            continue;
        struct heappoints_cell cell = heappoints_cell_of(entry->bin);
        if (!*count || list[*count - 1].node != entry->owner || last != entry->bin / 2)
            list[(*count)++] = (struct cell){
                .node = entry->owner,
                .born = cell.born,
                .freed = cell.freed == HEAPTIMES_ALIVE ? DATACOLUMNS_NONE : cell.freed};
        last = entry->bin / 2;
        struct heapdata_amount *amount = &list[*count - 1].amount;
        *(cell.bytes ? &amount->bytes : &amount->blocks) = entry->count;
    }
    return list;
}

static const struct datacolumns_column bucket_columns[] = {
    DATACOLUMNS_MEMBER(heaptimes_bucket, most),
    DATACOLUMNS_MEMBER(heaptimes_bucket, alive),
    DATACOLUMNS_MEMBER(heaptimes_bucket, resident),
    {0}};

/* Prints the fields `times', the buckets, and `cells'. A page that shows only a range
   of time has neither, because all its data is of this range. */
static void print_over_time(struct page_data *data)
{
    const struct heaptimes *times = &data->view->profile->heap.times;
    struct json *json = &data->columns.json;
    size_t count;
    if (!times->cells_known || times->range.to)
        return;
    json_open_field(json, "times");
    json_unsigned_field(json, "width", times->width);
    datacolumns_print_lists(&data->columns, data, times->buckets, times->count,
                            bucket_columns);
    json_close(json);
    BUF_OWN struct cell *list = cells_of(&data->view->rows->stacks, &count);
    datacolumns_print(&data->columns, "cells", data, list, count, cell_columns);
}

void page_heap_print(struct page_data *data)
{
    if (!profile_is_of_heap(data->view->profile))
        return;
    json_open_field(&data->columns.json, "heap");
    print_ranges(data);
    print_over_time(data);
    json_close(&data->columns.json);
}
