/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what is measured: the words of each measure, and what nodes have of it.  */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/view/heapwords.h"

#include <stddef.h>

/* What a node has of a measure.  */
struct amount {
    uint32_t node;
    uint64_t amount, blocks; /* blocks of the heap */
};

PAGE_STEP(amount_step, amount, node)
PAGE_VALUE(amount_amount, amount, at->amount)
PAGE_VALUE(amount_blocks, amount, at->blocks)

/* The amounts of nodes that have some, *COUNT of them, to be freed.  */
static struct amount *amounts_of(const struct stacks *stacks,
                                 const struct measure *measure, size_t *count)
{
    struct amount *list = buf_alloc((stacks->node_count + (size_t)1) * sizeof *list);
    size_t at = 0;
    *count = 0;
    for (uint32_t i = 0; i < stacks->node_count; i++) {
        struct amount amount = {.node = i};
        if (measure->kinds) {
            amount.amount = stacks->nodes[i].count;
        } else {
            struct shares_own own = shares_of(&stacks->heap, i, &at);
            struct heapdata_amount of[HEAPDATA_MEASURES] = {0};
            for (size_t k = 0; k < own.count && own.entries[k].bin < HEAPPOINTS_BINS; k++)
                *heappoints_of_bin(of, own.entries[k].bin) = own.entries[k].count;
            amount.amount = of[measure->heap].bytes;
            amount.blocks = of[measure->heap].blocks;
        }
        if (amount.amount || amount.blocks)
            list[(*count)++] = amount;
    }
    return list;
}

static void print_values(struct page_data *data, const struct measure *measure)
{
    const struct datacolumns_column columns[] = {
        {"step", amount_step},
        {measure->plural, amount_amount},
        {measure->kinds ? NULL : "blocks", amount_blocks},
        {0}};
    size_t count;
    BUF_OWN struct amount *list = amounts_of(&data->view->rows->stacks, measure, &count);
    datacolumns_print(&data->columns, "values", data, list, count, columns);
}

/* Prints MEASURE, which stacks have if it is KNOWN of them.  */
static void print_measure(struct page_data *data, const struct measure *measure,
                          bool known)
{
    const struct heapdata *heap = &data->view->profile->heap;
    struct json *json = &data->columns.json;
    json_open(json);
    json_text_field(json, "word", measure_kept_word(measure));
    json_text_field(json, "text",
                    heap->ended && measure->heap == HEAPDATA_LIVE && !measure->kinds
                        ? "live at the end"
                    : measure->menu ? measure->menu
                    : measure->what ? measure->what
                                    : measure->word);
    json_bool_field(json, "sampled", measure->sampled);
    json_bool_field(json, "memory", measure->memory);
    json_open_list_field(json, "units");
    json_text(json, measure->plural);
    if (measure->memory)
        json_text(json, "blocks");
    json_close_list(json);
    if (measure->memory)
        json_text_field(json, "what", measure->what);
    if (!measure->kinds) {
        BUF_OWN char *head = NULL;
        size_t size;
        FILE *out = buf_open(&head, &size);
        heapwords_head(out, heap, measure->heap);
        buf_close(out);
        json_text_field(json, "column", measure->column);
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
    if (profile->shown) {
        while ((m = measure_next_of_heap(m)))
            print_measure(data, m, true);
    } else {
        print_measure(data, shown, shown->stacks);
        for (m = measure_all; m->word; m++)
            if (m != shown && m->kinds & profile->kind)
                print_measure(data, m, false);
    }
    json_close_list(json);
    if (profile->shown)
        shown = measure_compared(shown);
    json_text_field(json, "shown", measure_kept_word(shown));
}
