/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what a page of the heap has beside one of other bytes: every measure.  */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/view/heapwords.h"

#include <stdlib.h>
#include <string.h>

/* What a node has of a measure.  */
struct amount {
    uint32_t node;
    size_t measure; /* its number in heapwords_measures */
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
                          const struct heapwords_measure *measure)
{
    char *head = NULL;
    size_t size;
    FILE *out = buf_open(&head, &size);
    heapwords_head(out, heap, measure->measure);
    buf_close(out);
    head[strcspn(head, "\n")] = '\0';
    json_open(json);
    json_text_field(json, "name", measure->word);
    json_text_field(json, "text",
                    heap->ended && measure->measure == HEAPDATA_LIVE ? "live at the end"
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
    struct amount *list =
        buf_alloc((stacks->node_count * heapwords_count + 1) * sizeof *list);
    size_t at = 0;
    *count = 0;
    for (uint32_t i = 0; i < stacks->node_count; i++) {
        struct shares_own own = shares_of(&stacks->heap, i, &at);
        struct heapdata_amount of[HEAPDATA_MEASURES] = {0};
        for (size_t k = 0; k < own.count; k++)
            *heappoints_of_bin(of, own.entries[k].bin) = own.entries[k].count;
        for (size_t m = 0; m < heapwords_count; m++) {
            const struct heapdata_amount *amount = &of[heapwords_measures[m].measure];
            if (amount->blocks || amount->bytes)
                list[(*count)++] = (struct amount){i, m, *amount};
        }
    }
    return list;
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
    json_text_field(json, "shown", heapwords_of(heap->measure)->word);
    json_bool_field(json, "ended", heap->ended);
    json_open_list_field(json, "measures");
    for (size_t m = 0; m < heapwords_count; m++)
        print_measure(json, heap, &heapwords_measures[m]);
    json_close_list(json);
    datacolumns_print(&data->columns, "amounts", data, list, count, amount_columns);
    json_close(json);
    free(list);
}
