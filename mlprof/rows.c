/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows.h"
#include "mlprof/buf.h"
#include "mlprof/index.h"

#include <stdlib.h>
#include <string.h>

/* Number of no name or file.  */
#define NONE UINT32_MAX

static void add_spot(struct rows *rows, struct index *index, uint32_t module,
                     struct tables_point point, uint64_t count)
{
    bool fresh;
    uint32_t number = index_put(index, module, point.function, point.point, &fresh);
    if (fresh) {
        rows->spots = buf_grow(rows->spots, &rows->spot_capacity, rows->spot_count + 1,
                               sizeof *rows->spots);
        rows->spots[rows->spot_count++] =
            (struct rows_spot){.module = module, .point = point};
    }
    rows->spots[number].cur += count;
}

/* Finds the point of each count; returns the number of those that have none.  */
static uint64_t find_spots(struct rows *rows, const struct profile *profile,
                           const struct program *program)
{
    struct index index = {0};
    uint64_t unprofiled = 0;
    for (size_t i = 0; i < profile->node_count; i++) {
        const struct profile_node *node = &profile->nodes[i];
        struct tables *tables =
            node->module == PROFILE_NO_MODULE ? NULL : program->tables[node->module];
        struct tables_point point;
        if (tables && tables_find(tables, node->address, &point))
            add_spot(rows, &index, node->module, point, node->count);
        else
            unprofiled += node->count;
    }
    index_free(&index);
    return unprofiled;
}

static void add_row(struct rows *rows, struct index *index, const char *name,
                    const char *file, uint32_t line, uint64_t cur)
{
    bool fresh;
    if (cur == 0)
        return;
    uint32_t name_number = intern_put(&rows->names, name);
    uint32_t file_number = file ? intern_put(&rows->names, file) : NONE;
    uint32_t number = index_put(index, name_number, file_number, line, &fresh);
    if (fresh) {
        rows->rows =
            buf_grow(rows->rows, &rows->capacity, rows->count + 1, sizeof *rows->rows);
        rows->rows[rows->count++] = (struct rows_row){
            .name = intern_text(&rows->names, name_number),
            .file = file ? intern_text(&rows->names, file_number) : NULL,
            .line = line};
    }
    rows->rows[number].cur += cur;
}

/* Merges the spots into rows; returns the counts whose local stack is empty.  */
static uint64_t merge_spots(struct rows *rows, struct index *index,
                            const struct program *program)
{
    uint64_t unprofiled = 0;
    for (size_t i = 0; i < rows->spot_count; i++) {
        const struct rows_spot *spot = &rows->spots[i];
        const struct function *function =
            tables_function(program->tables[spot->module], spot->point.function);
        const struct unit_source *source =
            function_innermost(function, spot->point.point);
        if (source)
            add_row(rows, index, source->name, unit_file(function->unit, source->file),
                    source->line, spot->cur);
        else
            unprofiled += spot->cur;
    }
    return unprofiled;
}

static int compare_files(const char *one, const char *other)
{
    if (!one || !other)
        return (one != NULL) - (other != NULL);
    return strcmp(one, other);
}

static int by_cur(const void *one, const void *other)
{
    const struct rows_row *a = one, *b = other;
    if (a->cur != b->cur)
        return a->cur > b->cur ? -1 : 1;
    int order = strcmp(a->name, b->name);
    if (order == 0)
        order = compare_files(a->file, b->file);
    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    return order;
}

void rows_evaluate(struct rows *rows, const struct profile *profile,
                   const struct program *program)
{
    struct index index = {0};
    memset(rows, 0, sizeof *rows);
    rows->total = profile->samples;
    uint64_t unprofiled = find_spots(rows, profile, program);
    unprofiled += merge_spots(rows, &index, program);
    add_row(rows, &index, ROWS_UNPROFILED, NULL, 0, unprofiled);
    add_row(rows, &index, ROWS_LOST, NULL, 0, profile->lost);
    index_free(&index);
    if (rows->count)
        qsort(rows->rows, rows->count, sizeof *rows->rows, by_cur);
}

void rows_free(struct rows *rows)
{
    free(rows->spots);
    free(rows->rows);
    intern_free(&rows->names);
    memset(rows, 0, sizeof *rows);
}

double rows_percent(uint64_t part, uint64_t total)
{
    return total ? 100.0 * (double)part / (double)total : 0.0;
}
