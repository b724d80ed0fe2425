/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes folded stacks, which flame graph tools read (B. Gregg, FlameGraph:
   stackcollapse-*.pl, flamegraph.pl). Each line is a stack: its functions from the
   outermost to the innermost, separated by semicolons, followed by a blank and the
   count. Counts are samples. If only bytes or calls were measured, counts are bytes
   or calls. Calls have no stacks, so each function is a stack of its own. A
   semicolon in a name becomes a colon. */

#include "mlprof/base/buf.h"
#include "mlprof/export/export.h"
#include "mlprof/rows/calltree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *name_of(const struct view *view, const struct rows_row *row)
{
    char *name = view_name(view, row);
    for (char *cursor = name; (cursor = strchr(cursor, ';')); cursor++)
        *cursor = ':';
    return name;
}

static void print_lines(FILE *out, const struct tree *tree, char *const *names)
{
    size_t *lengths = NULL, depths = 0; /* of the previous path, by depth */
    BUF_OWN char *path = NULL;
    size_t capacity = 0;
    struct tree_walk walk = {0};
    while (tree_walk_next(tree, &walk)) {
        const struct tree_node *node = &tree->nodes[walk.node];
        lengths = buf_grow(lengths, &depths, walk.depth + 2, sizeof *lengths);
        size_t length = walk.depth > 1 ? lengths[walk.depth] : 0;
        size_t size = strlen(names[node->row]);
        path = buf_grow(path, &capacity, length + size + 1, 1);
        memcpy(path + length, names[node->row], size);
        length += size;
        if (node->count) {
            fwrite(path, 1, length, out);
            fprintf(out, " %" PRIu64 "\n", node->count);
        }
        path[length++] = ';';
        lengths[walk.depth + 1] = length;
    }
    free(lengths);
}

static void folded_write(FILE *out, const struct export_input *input)
{
    const struct rows *rows = input->view->rows;
    struct tree tree;
    const struct measure *measure = profile_measure(input->view->profile);
    if (measure->stacks)
        calltree_of_stacks(&tree, rows);
    else
        tree_of_functions(&tree, rows, measure);
    BUF_OWN char **names = buf_alloc((rows->count + 1) * sizeof *names);
    for (size_t i = 0; i < rows->count; i++)
        names[i] = name_of(input->view, &rows->rows[i]);
    print_lines(out, &tree, names);
    for (size_t i = 0; i < rows->count; i++)
        free(names[i]);
    tree_free(&tree);
}

const struct export_format folded_format = {
    .name = "folded",
    .help = "write the stacks as text, for flame graphs",
    .kind = OUTPUTS_FOLDED,
    .write = folded_write,
};
