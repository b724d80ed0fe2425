/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what a page of the heap has beside one of other bytes: every measure, with the
   ranges of estimates, and the heap over time.  */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/view/heapwords.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What a node has of a measure.  */
struct amount {
    uint32_t node;
    size_t measure; /* its number among those of the page */
    struct heapdata_amount of;
};

PAGE_VALUE(amount_node, amount, at->node)
PAGE_VALUE(amount_measure, amount, at->measure)
PAGE_VALUE(amount_bytes, amount, at->of.bytes)
PAGE_VALUE(amount_blocks, amount, at->of.blocks)

static const struct datacolumns_column amount_columns[] = {{"node", amount_node},
                                                           {"measure", amount_measure},
                                                           {"bytes", amount_bytes},
                                                           {"blocks", amount_blocks},
                                                           {0}};

static void print_measure(struct json *json, const struct heapdata *heap,
                          const struct measure *measure)
{
    char *head = NULL;
    size_t size;
    FILE *out = buf_open(&head, &size);
    heapwords_head(out, heap, measure->heap);
    buf_close(out);
    head[strcspn(head, "\n")] = '\0';
    json_open(json);
    json_text_field(json, "name", measure_kept_word(measure));
    json_text_field(json, "text",
                    heap->ended && measure->heap == HEAPDATA_LIVE ? "live at the end"
                                                                  : measure->menu);
    json_text_field(json, "column", measure->column);
    json_text_field(json, "what", measure->what);
    json_text_field(json, "head", head);
    json_close(json);
    free(head);
}

/* The list of amounts by node and measure, *COUNT of them, to be freed.  */
static struct amount *amounts_of(const struct stacks *stacks, size_t *count)
{
    struct amount *list = buf_alloc((stacks->heap.count + 1) * sizeof *list);
    size_t at = 0;
    *count = 0;
    for (uint32_t i = 0; i < stacks->node_count; i++) {
        struct shares_own own = shares_of(&stacks->heap, i, &at);
        struct heapdata_amount of[HEAPDATA_MEASURES] = {0};
        for (size_t k = 0; k < own.count && own.entries[k].bin < HEAPPOINTS_BINS; k++)
            *heappoints_of_bin(of, own.entries[k].bin) = own.entries[k].count;
        const struct measure *measure = NULL;
        for (size_t m = 0; (measure = measure_next_of_heap(measure)); m++) {
            const struct heapdata_amount *amount = &of[measure->heap];
            if (amount->blocks || amount->bytes)
                list[(*count)++] = (struct amount){i, m, *amount};
        }
    }
    return list;
}

/* The intervals of what a function has of a measure, in bytes: its own, and with what it
   called.  */
struct range {
    uint32_t function;
    size_t measure; /* its number among those of the page */
    struct statistics_interval own, stack;
};

PAGE_VALUE(range_function, range, at->function)
PAGE_VALUE(range_measure, range, at->measure)
PAGE_VALUE(range_least, range, llround(at->own.least))
PAGE_VALUE(range_most, range, llround(at->own.most))
PAGE_VALUE(range_stack_least, range, llround(at->stack.least))
PAGE_VALUE(range_stack_most, range, llround(at->stack.most))

static const struct datacolumns_column range_columns[] = {
    {"function", range_function},
    {"measure", range_measure},
    {"least", range_least},
    {"most", range_most},
    {"stack_least", range_stack_least},
    {"stack_most", range_stack_most},
    {0}};

/* Whether a row of the page has what a row of the heap has, and not the part of one that
   copies or branches have left.  */
static bool is_row_of(const struct rows_row *row, const struct heaprows_amounts *amounts,
                      enum heapdata_measure shown)
{
    return !row->branch && row->bytes == amounts->own[shown].bytes &&
           row->stack == amounts->stack[shown].bytes;
}

/* The list of the ranges of all functions of the page, *COUNT of them, to be freed.  */
static struct range *ranges_of(const struct view *view, size_t *count)
{
    const struct rows *rows = view->rows, *heap = &view->heap->rows;
    enum heapdata_measure shown = view->profile->heap.measure;
    uint64_t sample = view->profile->heap.sample;
    struct range *list = buf_alloc((heap->count * HEAPDATA_MEASURES + 1) * sizeof *list);
    struct identity identity = {0};
    bool fresh;
    *count = 0;
    uint32_t *functions = buf_alloc((rows->count + 1) * sizeof *functions), known = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t number = identity_put(&identity, &rows->rows[i].source, &fresh);
        if (fresh)
            functions[number] = i;
        known = number < known ? known : number + 1;
    }
    for (size_t i = 0; i < heap->count; i++) {
        const struct heaprows_amounts *amounts = &view->heap->amounts[i];
        uint32_t number = identity_put(&identity, &heap->rows[i].source, &fresh);
        bool alike =
            number < known && is_row_of(&rows->rows[functions[number]], amounts, shown);
        const struct measure *of = NULL;
        for (size_t m = 0; alike && (of = measure_next_of_heap(of)); m++) {
            enum heapdata_measure measure = of->heap;
            if (amounts->stack[measure].blocks)
                list[(*count)++] =
                    (struct range){functions[number], m,
                                   heaprows_interval(amounts->own, amounts->own_doubt,
                                                     sample, measure, true),
                                   heaprows_interval(amounts->stack, amounts->stack_doubt,
                                                     sample, measure, true)};
        }
    }
    free(functions);
    identity_free(&identity);
    return list;
}

/* Prints the field `ranges' where blocks were sampled.  */
static void print_ranges(struct page_data *data)
{
    const struct view *view = data->view;
    size_t count;
    if (!view->profile->heap.sample)
        return;
    struct range *list = ranges_of(view, &count);
    datacolumns_print(&data->columns, "ranges", data, list, count, range_columns);
    free(list);
}

/* What a node has made in a bucket of time and freed in another one, or not at all.  */
struct cell {
    uint32_t node;
    int64_t born, freed; /* DATACOLUMNS_NONE: alive */
    struct heapdata_amount of;
};

PAGE_VALUE(cell_node, cell, at->node)
PAGE_VALUE(cell_born, cell, at->born)
PAGE_VALUE(cell_freed, cell, at->freed)
PAGE_VALUE(cell_bytes, cell, at->of.bytes)
PAGE_VALUE(cell_blocks, cell, at->of.blocks)

static const struct datacolumns_column cell_columns[] = {
    {"node", cell_node},   {"born", cell_born},     {"freed", cell_freed},
    {"bytes", cell_bytes}, {"blocks", cell_blocks}, {0}};

/* The list of cells by node, *COUNT of them, to be freed.  The two bins of a cell stand
   beside each other.  */
static struct cell *cells_of(const struct stacks *stacks, size_t *count)
{
    const struct shares *shares = &stacks->heap;
    struct cell *list = buf_alloc((shares->count + 1) * sizeof *list);
    uint32_t last = 0;
    *count = 0;
    for (size_t i = 0; i < shares->count; i++) {
        const struct shares_entry *entry = &shares->entries[i];
        if (entry->bin < HEAPPOINTS_CELLS)
            continue;
        struct heappoints_cell of = heappoints_cell_of(entry->bin);
        if (!*count || list[*count - 1].node != entry->owner || last != entry->bin / 2)
            list[(*count)++] = (struct cell){
                .node = entry->owner,
                .born = of.born,
                .freed = of.freed == HEAPTIMES_ALIVE ? DATACOLUMNS_NONE : of.freed};
        last = entry->bin / 2;
        struct heapdata_amount *amount = &list[*count - 1].of;
        *(of.bytes ? &amount->bytes : &amount->blocks) = entry->count;
    }
    return list;
}

static void print_buckets(struct json *json, const struct heaptimes *times,
                          const char *name, size_t offset)
{
    json_open_list_field(json, name);
    for (uint32_t i = 0; i < times->count; i++)
        json_unsigned(json,
                      *(const uint64_t *)((const char *)&times->buckets[i] + offset));
    json_close_list(json);
}

/* Prints the fields `times', the buckets, and `cells'.  A page of a range of time has
   none: all that it has is of that.  */
static void print_over_time(struct page_data *data)
{
    const struct heaptimes *times = &data->view->profile->heap.times;
    struct json *json = &data->columns.json;
    size_t count;
    if (!times->cells_known || times->range.to)
        return;
    json_open_field(json, "times");
    json_unsigned_field(json, "width", times->width);
    print_buckets(json, times, "most", offsetof(struct heaptimes_bucket, most));
    print_buckets(json, times, "alive", offsetof(struct heaptimes_bucket, alive));
    print_buckets(json, times, "resident", offsetof(struct heaptimes_bucket, resident));
    json_close(json);
    struct cell *list = cells_of(&data->view->rows->stacks, &count);
    datacolumns_print(&data->columns, "cells", data, list, count, cell_columns);
    free(list);
}

void page_heap_print(struct page_data *data)
{
    const struct view *view = data->view;
    const struct heapdata *heap = &view->profile->heap;
    struct json *json = &data->columns.json;
    size_t count;
    if (!heap->shown)
        return;
    struct amount *list = amounts_of(&view->rows->stacks, &count);
    json_open_field(json, "heap");
    /* The page does not tell what leaked apart.  */
    json_text_field(json, "shown",
                    measure_kept_word(measure_compared(profile_measure(view->profile))));
    json_bool_field(json, "ended", heap->ended);
    json_open_list_field(json, "measures");
    for (const struct measure *m = NULL; (m = measure_next_of_heap(m));)
        print_measure(json, heap, m);
    json_close_list(json);
    datacolumns_print(&data->columns, "amounts", data, list, count, amount_columns);
    print_ranges(data);
    print_over_time(data);
    json_close(json);
    free(list);
}
