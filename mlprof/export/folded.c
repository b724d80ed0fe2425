/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/folded.h"
#include "mlprof/base/buf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The number of the empty stack, which is below and beside none.  */
#define NONE 0

/* A stack of functions.  */
struct line {
    uint32_t parent, row; /* STACKS_NONE: of the empty stack */
    uint64_t count;
    uint32_t child, sibling; /* the first below it, the one beside it; NONE */
};

struct folded {
    const struct view *view;
    struct line *lines; /* a parent stands before its children */
    size_t count, capacity;
    struct index index;
    char **names; /* by row */
};

static uint32_t put_line(struct folded *folded, uint32_t parent, uint32_t row)
{
    bool fresh;
    uint32_t number = index_put(&folded->index, parent, row, 0, &fresh);
    if (!fresh)
        return number;
    folded->lines = buf_grow(folded->lines, &folded->capacity, folded->count + 1,
                             sizeof *folded->lines);
    folded->lines[folded->count++] =
        (struct line){.parent = parent, .row = row, .child = NONE};
    return number;
}

/* Joins each line with those below it, in the order in which they were put.  */
static void join(struct folded *folded)
{
    for (size_t i = folded->count; i-- > 1;) {
        struct line *line = &folded->lines[i], *above = &folded->lines[line->parent];
        line->sibling = above->child;
        above->child = (uint32_t)i;
    }
}

/* Merges the copies and positions that one function has below another.  */
static void add_stacks(struct folded *folded)
{
    const struct rows *rows = folded->view->rows;
    const struct stacks *stacks = &rows->stacks;
    uint32_t *lines = buf_alloc((stacks->node_count + 1) * sizeof *lines);
    for (uint32_t i = 0; i < stacks->node_count; i++) {
        const struct stacks_node *node = &stacks->nodes[i];
        if (node->weight == 0)
            continue;
        uint32_t parent = node->parent == STACKS_NONE ? NONE : lines[node->parent];
        lines[i] = put_line(folded, parent, rows_of_node(rows, i));
        folded->lines[lines[i]].count += node->count;
    }
    free(lines);
}

static void add_calls(struct folded *folded)
{
    const struct rows *rows = folded->view->rows;
    for (uint32_t i = 0; i < rows->count; i++)
        if (!rows->rows[i].branch)
            folded->lines[put_line(folded, NONE, i)].count += rows->rows[i].calls;
}

static char *name_of(const struct view *view, const struct rows_row *row)
{
    char *name = view_name(view, row);
    for (char *at = name; (at = strchr(at, ';')); at++)
        *at = ':';
    return name;
}

/* A walk over the lines with the names on the way there.  */
static void print_lines(FILE *out, const struct folded *folded)
{
    size_t *lengths = buf_alloc(folded->count * sizeof *lengths); /* of the parents' */
    char *path = NULL;
    size_t length = 0, capacity = 0;
    uint32_t at = folded->lines[0].child;
    while (at != NONE) {
        const struct line *line = &folded->lines[at];
        const char *name = folded->names[line->row];
        size_t size = strlen(name);
        lengths[at] = length;
        path = buf_grow(path, &capacity, length + size + 2, 1);
        if (length)
            path[length++] = ';';
        memcpy(path + length, name, size);
        length += size;
        if (line->count) {
            fwrite(path, 1, length, out);
            fprintf(out, " %" PRIu64 "\n", line->count);
        }
        if (line->child != NONE) {
            at = line->child;
            continue;
        }
        while (at != NONE && folded->lines[at].sibling == NONE)
            at = folded->lines[at].parent;
        if (at != NONE) {
            length = lengths[at];
            at = folded->lines[at].sibling;
        }
    }
    free(path);
    free(lengths);
}

bool folded_write(FILE *out, const struct export_input *input, struct fault *fault)
{
    (void)fault;
    const struct rows *rows = input->view->rows;
    struct folded folded = {.view = input->view};
    folded.names = buf_alloc((rows->count + 1) * sizeof *folded.names);
    for (size_t i = 0; i < rows->count; i++)
        folded.names[i] = name_of(input->view, &rows->rows[i]);
    put_line(&folded, STACKS_NONE, STACKS_NONE);
    if (profile_measure(input->view->profile) == PROFILE_CALLS)
        add_calls(&folded);
    else
        add_stacks(&folded);
    join(&folded);
    print_lines(out, &folded);
    for (size_t i = 0; i < rows->count; i++)
        free(folded.names[i]);
    free(folded.names);
    free(folded.lines);
    index_free(&folded.index);
    return true;
}
