/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/lines.h"
#include "mlprof/buf.h"

#include <stdlib.h>
#include <string.h>

/* The line of its own file in which a frame is.  Both names are the stacks', where equal
   names are one.  */
static uint32_t own_line(const struct rows *rows, uint32_t row, uint32_t node)
{
    const struct stacks *stacks = &rows->stacks;
    const struct stacks_place *place = &stacks->places[stacks->nodes[node].place];
    return place->file == rows->rows[row].source.file ? place->line : 0;
}

/* Fills BY_NODE with the number of the line of each node; STACKS_NONE: not wanted.  */
static void find_lines(struct lines *lines, const struct rows *rows, const bool *wanted,
                       uint32_t *by_node)
{
    struct index index = {0};
    for (uint32_t i = 0; i < rows->stacks.node_count; i++) {
        const struct stacks_node *node = &rows->stacks.nodes[i];
        by_node[i] = STACKS_NONE;
        uint32_t row = node->weight ? rows_of_node(rows, i) : STACKS_NONE;
        if (row == STACKS_NONE || !wanted[row])
            continue;
        bool fresh;
        uint32_t line = own_line(rows, row, i);
        uint32_t number = by_node[i] = index_put(&index, row, line, 0, &fresh);
        if (fresh) {
            lines->lines = buf_grow(lines->lines, &lines->capacity, lines->count + 1,
                                    sizeof *lines->lines);
            lines->lines[lines->count++] = (struct lines_line){.row = row, .line = line};
        }
        lines->lines[number].cur += node->count;
    }
    index_free(&index);
}

static int by_row_and_line(const void *one, const void *other)
{
    const struct lines_line *a = one, *b = other;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

void lines_count(struct lines *lines, const struct rows *rows, const bool *wanted)
{
    const struct stacks *stacks = &rows->stacks;
    uint32_t *by_node = buf_alloc((stacks->node_count + 1) * sizeof *by_node);
    struct stacks_walk walk = {0};
    memset(lines, 0, sizeof *lines);
    find_lines(lines, rows, wanted, by_node);
    uint32_t *active = buf_alloc((lines->count + 1) * sizeof *active);
    while (stacks_walk_next(stacks, &walk)) {
        uint32_t line = by_node[walk.node];
        if (line != STACKS_NONE)
            rows_count_once(&active[line], &lines->lines[line].stack, walk.leave,
                            stacks->nodes[walk.node].weight);
    }
    free(active);
    free(by_node);
    if (lines->count)
        qsort(lines->lines, lines->count, sizeof *lines->lines, by_row_and_line);
}

void lines_free(struct lines *lines)
{
    free(lines->lines);
    memset(lines, 0, sizeof *lines);
}

static bool is_source(const struct unit *unit, uint32_t number,
                      const struct stacks_source *source)
{
    const struct unit_source *there = unit_source(unit, number);
    const char *file = there ? unit_file(unit, there->file) : NULL;
    return file && there->line == source->line &&
           strcmp(there->name, source->name) == 0 && strcmp(file, source->file) == 0;
}

/* The line of POSITION if it is later than LAST and in the file of the source.  */
static uint32_t later(const struct unit *unit, const struct function_position *position,
                      const struct stacks_source *source, uint32_t last)
{
    const char *file = unit_file(unit, position->file);
    if (!file || position->line <= last || strcmp(file, source->file) != 0)
        return last;
    return position->line;
}

static uint32_t last_in_function(const struct function *function,
                                 const struct stacks_source *source, uint32_t last)
{
    const struct unit *unit = function->unit;
    for (size_t i = 0; i < function->point_count; i++) {
        const struct function_point *point = &function->points[i];
        if (is_source(unit, function->copies[point->copy].source, source))
            last = later(unit, &point->position, source, last);
    }
    for (size_t i = 1; i < function->copy_count; i++) {
        const struct function_copy *copy = &function->copies[i];
        if (is_source(unit, function->copies[copy->parent].source, source))
            last = later(unit, &copy->call, source, last);
    }
    return last;
}

uint32_t lines_last(const struct program *program, const struct stacks_source *source)
{
    uint32_t last = 0;
    for (size_t i = 0; source->file && i < program->count; i++) {
        struct tables *tables = program->tables[i];
        uint32_t count = tables ? tables_function_count(tables) : 0;
        for (uint32_t f = 0; f < count; f++)
            last = last_in_function(tables_function(tables, f), source, last);
    }
    return last;
}
