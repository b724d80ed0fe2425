/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins the loops of GCC's remarks with the copies of the tables, and finds the loop
   around a position. */

#include "mlprof/program/remarked.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"

#include <stdlib.h>
#include <string.h>

struct remarked {
    const struct program *program;
    /* Key: module and number of a function. Its entry is the function's place in the
       table of the module. */
    struct index index;
    uint32_t *places; /* by number in INDEX */
    size_t place_capacity;
    struct remarked_function **functions; /* by number in INDEX; NULL: not joined yet */
    size_t function_capacity;
};

bool remarked_any(const struct program *program)
{
    for (size_t i = 0; i < program->count; i++)
        if (program->tables[i] && tables_remarks(program->tables[i])->loops.count)
            return true;
    return false;
}

static void add_module(struct remarked *remarks, uint32_t module)
{
    struct tables *tables = remarks->program->tables[module];
    const struct remarktable *table = tables_remarks(tables);
    for (size_t i = 0; i < table->functions.count; i++) {
        struct tables_point point;
        uint64_t start, end;
        bool fresh;
        if (!table->functions.list[i].address ||
            !tables_find(tables, table->functions.list[i].address, &point))
            continue;
        tables_function_range(tables, point.function, &start, &end);
        if (start != table->functions.list[i].address)
            continue;
        uint32_t number = index_put(&remarks->index, module, point.function, 0, &fresh);
        if (!fresh)
            continue;
        BUF_AT(remarks->places, number, remarks->place_capacity) = (uint32_t)i;
        BUF_AT(remarks->functions, number, remarks->function_capacity) = NULL;
    }
}

struct remarked *remarked_new(const struct program *program)
{
    struct remarked *remarks = buf_alloc(sizeof *remarks);
    remarks->program = program;
    for (uint32_t i = 0; i < program->count; i++)
        if (program->tables[i])
            add_module(remarks, i);
    return remarks;
}

void remarked_free(struct remarked *remarks)
{
    if (!remarks)
        return;
    for (size_t i = 0; i < remarks->index.count; i++)
        if (remarks->functions[i]) {
            free(remarks->functions[i]->loops);
            free(remarks->functions[i]);
        }
    index_free(&remarks->index);
    free(remarks->places);
    free(remarks->functions);
    free(remarks);
}

static uint64_t pair(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

static uint32_t put_copy(struct index *copies, uint32_t parent, uint32_t source,
                         uint32_t file, uint32_t line, uint32_t column)
{
    bool fresh;
    return index_put(copies, pair(parent, source), pair(file, line), column, &fresh);
}

/* Sets NUMBERS, by copy of the remarks, to the number of the same copy in the tables'
   function, or to REMARKED_NONE if the copy has no code. */
static void match_copies(uint32_t *numbers, const struct remarktable *table,
                         const struct remarktable_function *remarks,
                         const struct function *function)
{
    struct index copies = {0};
    /* Copy 0 takes the key of a copy that cannot exist. */
    put_copy(&copies, UINT32_MAX, 0, 0, 0, 0);
    for (uint32_t i = 1; i < function->copies.count; i++) {
        const struct function_copy *copy = &function->copies.list[i];
        put_copy(&copies, copy->parent, copy->source, copy->call.file, copy->call.line,
                 copy->call.column);
    }
    numbers[0] = 0;
    for (size_t i = 1; i <= remarks->copies; i++) {
        const struct remarktable_copy *copy =
            &table->copies.list[remarks->first_copy + i - 1];
        uint32_t parent = numbers[copy->parent], number;
        bool known = parent != REMARKED_NONE &&
                     index_get(&copies, pair(parent, copy->source),
                               pair(copy->file, copy->line), copy->column, &number);
        numbers[i] = known && number < function->copies.count ? number : REMARKED_NONE;
    }
    index_free(&copies);
}

static struct remarked_function *join(const struct remarktable *table,
                                      const struct remarktable_function *remarks,
                                      const struct function *function)
{
    struct remarked_function *result = buf_alloc(sizeof *result);
    BUF_OWN uint32_t *numbers = buf_alloc((remarks->copies + 1) * sizeof *numbers);
    BUF_OWN uint32_t *kept = buf_alloc((remarks->loops + 1) * sizeof *kept);
    *result = (struct remarked_function){.table = table, .unit = remarks->unit};
    result->loops = buf_alloc((remarks->loops + 1) * sizeof *result->loops);
    match_copies(numbers, table, remarks, function);
    kept[0] = REMARKED_NONE;
    for (size_t i = 1; i <= remarks->loops; i++) {
        const struct remarktable_loop *loop =
            &table->loops.list[remarks->first_loop + i - 1];
        uint32_t outer = kept[loop->outer];
        kept[i] = outer;
        if (numbers[loop->copy] == REMARKED_NONE)
            continue;
        if (outer != REMARKED_NONE)
            result->loops[outer].inner = false;
        kept[i] = (uint32_t)result->count;
        result->loops[result->count++] =
            (struct remarked_loop){loop, numbers[loop->copy], outer, true};
    }
    return result;
}

const struct remarked_function *remarked_of(struct remarked *remarks, uint32_t module,
                                            uint32_t function)
{
    uint32_t number;
    if (!index_get(&remarks->index, module, function, 0, &number))
        return NULL;
    struct remarked_function **known = &remarks->functions[number];
    if (!*known) {
        struct tables *tables = remarks->program->tables[module];
        const struct remarktable *table = tables_remarks(tables);
        *known = join(table, &table->functions.list[remarks->places[number]],
                      tables_function(tables, function));
    }
    return *known;
}

/* Returns whether the range contains the position. If the column of the position or of
   an end is unknown, the whole line belongs to the range. */
static bool contains(const struct remarktable_loop *loop, uint32_t line, uint32_t column)
{
    if (line < loop->first_line || line > loop->last_line)
        return false;
    if (!column)
        return true;
    return (line > loop->first_line || !loop->first_column ||
            column >= loop->first_column) &&
           (line < loop->last_line || !loop->last_column || column <= loop->last_column);
}

/* Returns whether A is inside B, or both have the same range. */
static bool is_inside(const struct remarktable_loop *a, const struct remarktable_loop *b)
{
    return contains(b, a->first_line, a->first_column) &&
           contains(b, a->last_line, a->last_column);
}

uint32_t remarked_at(const struct remarked_function *function, uint32_t copy,
                     const char *file, uint32_t line, uint32_t column)
{
    uint32_t best = REMARKED_NONE;
    for (uint32_t i = 0; file && line && i < function->count; i++) {
        const struct remarked_loop *loop = &function->loops[i];
        if (loop->copy != copy || !contains(loop->table, line, column) ||
            strcmp(unit_file(function->unit, loop->table->file), file) != 0)
            continue;
        const struct remarked_loop *other =
            best == REMARKED_NONE ? NULL : &function->loops[best];
        /* Of loops with the same range, one with remarks is preferred, then the inner
           one. */
        if (!other || (is_inside(loop->table, other->table) &&
                       (loop->table->remarks || !other->table->remarks ||
                        !is_inside(other->table, loop->table))))
            best = i;
    }
    return best;
}
