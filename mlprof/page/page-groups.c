/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"

#include <stdlib.h>

/* What tells the row that a node is in: its copy, its copy and position, or the node
   itself, if the row depends on what is around the node.  Ranks share nodes, and are left
   out.  */
enum told_by { BY_COPY, BY_POINT, BY_NODE, WAYS };

static const enum told_by told[ROWS_KEYS] = {
    [ROWS_COPIES] = BY_COPY, [ROWS_FILES] = BY_COPY,        [ROWS_MODULES] = BY_COPY,
    [ROWS_LINES] = BY_POINT, [ROWS_EXPRESSIONS] = BY_POINT, [ROWS_LOOPS] = BY_NODE,
    [ROWS_PHASES] = BY_NODE, [ROWS_THREADS] = BY_NODE,      [ROWS_MPI] = BY_NODE,
    [ROWS_TYPES] = BY_NODE,
};

/* Groups of nodes that are alike, and so in the same row.  */
struct alike {
    uint32_t *of_node; /* the number of its group */
    size_t count;
};

static struct alike find_alike(const struct stacks *stacks, enum told_by way)
{
    struct alike alike = {.count = way == BY_COPY ? stacks->copy_count : 0};
    struct index points = {0};
    bool fresh;
    alike.of_node = buf_alloc((stacks->node_count + 1) * sizeof *alike.of_node);
    for (uint32_t i = 0; i < stacks->node_count; i++) {
        const struct stacks_node *node = &stacks->nodes[i];
        alike.of_node[i] = way == BY_COPY ? node->copy
                           : way == BY_POINT
                               ? index_put(&points, node->copy, node->position, 0, &fresh)
                               : i;
        if (alike.of_node[i] >= alike.count)
            alike.count = alike.of_node[i] + (size_t)1;
    }
    index_free(&points);
    return alike;
}

/* Prints the row of each group, one after the other.  OF_NODE has the row of each
   node.  */
static void print_rows(struct json *json, const struct stacks *stacks,
                       const struct alike *alike, const uint32_t *of_node)
{
    int64_t *rows = buf_alloc((alike->count + 1) * sizeof *rows);
    for (size_t i = 0; i < alike->count; i++)
        rows[i] = DATACOLUMNS_NONE;
    for (size_t i = 0; i < stacks->node_count; i++)
        if (of_node[i] != STACKS_NONE)
            rows[alike->of_node[i]] = of_node[i];
    for (size_t i = 0; i < alike->count; i++)
        json_signed(json, rows[i]);
    free(rows);
}

void page_groups_print(struct page_data *data)
{
    static const char *const ways[] = {
        [BY_COPY] = "copy", [BY_POINT] = "point", [BY_NODE] = "node"};
    const struct view *view = data->view;
    const struct stacks *stacks = &view->rows->stacks;
    struct json *json = &data->columns.json;
    json_open_field(json, "row_of");
    for (enum told_by way = 0; way < WAYS; way++) {
        struct alike alike = find_alike(stacks, way);
        json_open_field(json, ways[way]);
        for (enum rows_key key = ROWS_FUNCTIONS + 1; view->groups && key < ROWS_KEYS;
             key++) {
            const struct rows *rows = &view->groups[key];
            if (key == ROWS_RANKS || told[key] != way || !rows->count)
                continue;
            json_open_list_field(json, page_rows_name(key));
            print_rows(json, stacks, &alike, rows->of_node);
            json_close_list(json);
        }
        json_close(json);
        free(alike.of_node);
    }
    json_open_list_field(json, "around");
    for (size_t i = 0; view->groups && i < view->groups[ROWS_LOOPS].count; i++)
        json_signed(json, page_number(view->groups[ROWS_LOOPS].around[i]));
    json_close_list(json);
    json_close(json);
}
