/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/graph.h"
#include "mlprof/buf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct edge {
    uint32_t from, to;
    bool direct;
};

struct edges {
    struct edge *edges;
    size_t count, capacity;
    struct index index;
};

static void put_edge(struct edges *edges, uint32_t from, uint32_t to, bool direct)
{
    bool fresh;
    uint32_t number = index_put(&edges->index, from, to, 0, &fresh);
    if (fresh) {
        edges->edges = buf_grow(edges->edges, &edges->capacity, edges->count + 1,
                                sizeof *edges->edges);
        edges->edges[edges->count++] = (struct edge){.from = from, .to = to};
    }
    edges->edges[number].direct |= direct;
}

/* Finds the edges; DRAWN tells of each row.  */
static void find_edges(struct edges *edges, const struct rows *rows, const bool *drawn)
{
    const struct stacks *stacks = &rows->stacks;
    /* By node: the innermost drawn row that its frame is in or is.  */
    uint32_t *inside = buf_alloc((stacks->node_count + 1) * sizeof *inside);
    for (uint32_t i = 0; i < stacks->node_count; i++) {
        uint32_t parent = stacks->nodes[i].parent;
        inside[i] = parent == STACKS_NONE ? STACKS_NONE : inside[parent];
        if (stacks->nodes[i].weight == 0 || !drawn[rows_of_node(rows, i)])
            continue;
        uint32_t row = rows_of_node(rows, i);
        if (inside[i] != STACKS_NONE)
            put_edge(edges, inside[i], row, drawn[rows_of_node(rows, parent)]);
        inside[i] = row;
    }
    free(inside);
}

static int by_rows(const void *one, const void *other)
{
    const struct edge *a = one, *b = other;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* TEXT in a string of dot's.  */
static void print_quoted(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', out);
        putc(*text, out);
    }
}

static void print_label(FILE *out, const struct view *view, const struct rows_row *row)
{
    const char *heads[VIEW_COLUMNS];
    char *cells[VIEW_COLUMNS];
    char *name = view_name(view, row);
    char *position = view->style.show_line ? view_position(row) : NULL;
    print_quoted(out, name);
    fputs("\\n", out);
    if (position) {
        print_quoted(out, position);
        fputs("\\n", out);
    }
    free(name);
    free(position);
    view_cells(view, row, cells);
    for (size_t i = 0, count = view_heads(view, heads); i < count; i++) {
        fprintf(out, "%s%s", i ? " " : "", cells[i]);
        free(cells[i]);
    }
    fputs("\\n", out);
}

static void print_node(FILE *out, const struct view *view,
                       const struct graph_style *style, uint32_t number)
{
    const struct rows_row *row = &view->rows->rows[number];
    fprintf(out, "n%" PRIu32 " [shape = \"box\", label = \"", number);
    print_label(out, view, row);
    uint64_t stack = view->profile->stack ? row->stack : 0;
    if (style->gray)
        fprintf(out, "\", color = \"gray%d\"]\n",
                100 - (int)(rows_percent(stack, view->rows->total) + 0.5));
    else
        fputs("\", color = \"black\"]\n", out);
}

void graph_print(FILE *out, const struct view *view, const struct graph_style *style)
{
    const struct rows *rows = view->rows;
    struct edges edges = {0};
    bool *drawn = buf_alloc((rows->count + 1) * sizeof *drawn);

    fputs("digraph \"", out);
    print_quoted(out, style->title);
    fputs("\" {\nlabel = \"", out);
    print_quoted(out, style->title);
    fputs("\\n\"\n", out);
    for (uint32_t i = 0; i < rows->count; i++) {
        drawn[i] = view_reaches(view, rows->rows[i].cur);
        if (drawn[i])
            print_node(out, view, style, i);
    }
    find_edges(&edges, rows, drawn);
    if (edges.count)
        qsort(edges.edges, edges.count, sizeof *edges.edges, by_rows);
    for (size_t i = 0; i < edges.count; i++)
        fprintf(out, "n%" PRIu32 " -> n%" PRIu32 "%s\n", edges.edges[i].from,
                edges.edges[i].to, edges.edges[i].direct ? "" : " [style = \"dashed\"]");
    fputs("}\n", out);
    free(edges.edges);
    index_free(&edges.index);
    free(drawn);
}
