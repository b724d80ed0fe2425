/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the inlined calls and cold parts of each build as sets of pairs, and takes
   the difference of the sets. */

#include "mlprof/compare/codechange.h"
#include "mlprof/base/buf.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/elf/symbols.h"

#include <stdlib.h>
#include <string.h>

void codechange_add_run(struct codechange_side *code, const struct report *report)
{
    struct tables *tables = report->program.tables[0];
    const struct profile *profile = report->profile;
    if (!code->samples)
        code->samples =
            buf_alloc((tables_function_count(tables) + 1) * sizeof *code->samples);
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const struct profile_node *node = &profile->nodes.list[i];
        struct tables_point point;
        if (node->module == 0 && node->count &&
            tables_find(tables, node->address, &point))
            code->samples[point.function] += node->count;
    }
}

/* A function of the tables and its samples. */
struct sampled {
    uint32_t function;
    uint64_t samples;
};

BUF_COMPARE(by_samples, struct sampled,
            BUF_ORDER(b->samples, a->samples) ?: BUF_ORDER(a->function, b->function))

/* Returns the number of pages of the hottest functions, which together have
   CODECHANGE_MOST of the samples. */
static uint64_t count_pages(const struct tables *tables, const uint64_t *samples)
{
    uint32_t count = tables_function_count(tables);
    BUF_OWN struct sampled *list = buf_alloc((count + 1) * sizeof *list);
    struct index pages = {0};
    uint64_t all = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        list[i] = (struct sampled){i, samples[i]};
        all += samples[i];
    }
    BUF_SORT(list, count, by_samples);
    for (uint32_t i = 0; i < count && (double)sum < CODECHANGE_MOST * (double)all; i++) {
        uint64_t start, end;
        bool fresh;
        sum += list[i].samples;
        tables_function_range(tables, list[i].function, &start, &end);
        for (uint64_t page = start / CODECHANGE_PAGE; page * CODECHANGE_PAGE < end;
             page++)
            index_put(&pages, page, 0, 0, &fresh);
    }
    uint64_t number = pages.count;
    index_free(&pages);
    return number;
}

/* Returns whether NAME is the symbol of the cold half of a function: NAME.cold, or
   NAME.cold.NUMBER from GCC 8 and older (GCC: varasm.cc, create_cold_names). */
static bool is_cold(const char *name)
{
    const char *end = strstr(name, ".cold");
    return end && (!end[5] || (end[5] == '.' && !end[6 + strspn(end + 6, "0123456789")]));
}

/* Sets *NUMBER to the function in the side that has code at ADDRESS. Returns false if
   there is none. */
static bool function_at(struct runset *side, struct tables *tables, uint64_t address,
                        uint32_t *number)
{
    struct tables_point point;
    if (!tables_find(tables, address, &point))
        return false;
    const struct function *function = tables_function(tables, point.function);
    const struct unit_source *source =
        unit_shown_itself(function->unit, function->copies.list[0].source);
    if (!source)
        return false;
    const struct identity_source identity = identity_of(function->unit, source);
    *number = runset_put(side, &identity, NULL);
    return true;
}

static void find_cold(struct codechange_side *code, struct runset *side,
                      const char *program, struct tables *tables)
{
    struct symbols *symbols = symbols_read(program, tables_build_id(tables), false);
    const char *name;
    uint64_t address;
    uint32_t number;
    code->symbols = symbols_are_all(symbols);
    for (size_t i = 0; (name = symbols_at(symbols, i, &address)); i++)
        if (is_cold(name) && function_at(side, tables, address, &number) &&
            number < code->count)
            code->cold[number] = true;
    symbols_free(symbols);
}

void codechange_add_code(struct codechange_side *code, struct runset *side,
                         const char *program, struct tables *tables,
                         const struct rows *catalog)
{
    BUF_OWN uint32_t *numbers = buf_alloc((catalog->count + 1) * sizeof *numbers);
    size_t edges;
    bool fresh;
    for (size_t i = 0; i < catalog->count; i++)
        numbers[i] = runset_put(side, &catalog->rows[i].source, catalog->rows[i].shown);
    code->count = side->functions.count;
    code->coded = buf_alloc(code->count + 1);
    code->cold = buf_alloc(code->count + 1);
    for (size_t i = 0; i < catalog->count; i++)
        code->coded[numbers[i]] = true;
    const struct rows_edge *list = rows_edges(catalog, &edges);
    for (size_t i = 0; i < edges; i++)
        index_put(&code->inlined, numbers[list[i].caller], numbers[list[i].callee], 0,
                  &fresh);
    find_cold(code, side, program, tables);
    if (code->samples)
        code->pages = count_pages(tables, code->samples);
}

void codechange_free_side(struct codechange_side *code)
{
    index_free(&code->inlined);
    free(code->coded);
    free(code->cold);
    free(code->samples);
    memset(code, 0, sizeof *code);
}

/* Returns the set of pairs of rows (caller, callee) with an inlined call. */
static struct index pairs_of(const struct codechange_side *code,
                             const struct match *match, size_t side)
{
    struct index pairs = {0};
    size_t count;
    BUF_OWN uint32_t *rows = match_rows(match, side, &count);
    bool fresh;
    for (size_t i = 0; i < code->inlined.count; i++) {
        const uint64_t *pair = code->inlined.keys[i].words;
        index_put(&pairs, rows[pair[0]], rows[pair[1]], 0, &fresh);
    }
    return pairs;
}

/* Returns the number of pairs that are in ONE but not in OTHER. Also adds each of
   these pairs to a counter in the row of its caller. OFFSET is the offset of the counter
   in the row. */
static uint64_t add_missing(struct codechange *change, const struct index *one,
                            const struct index *other, size_t offset)
{
    uint64_t sum = 0;
    uint32_t number;
    for (size_t i = 0; i < one->count; i++) {
        const uint64_t *pair = one->keys[i].words;
        if (pair[0] == MATCH_NONE || index_get(other, pair[0], pair[1], 0, &number))
            continue;
        uint64_t *of_row = (void *)((char *)&change->rows[pair[0]] + offset);
        ++*of_row;
        sum++;
    }
    return sum;
}

static bool has(const struct codechange_side *code, const bool *list, uint32_t function)
{
    return function < code->count && list[function];
}

static enum codechange_cold cold_of(bool symbols, bool before, bool after)
{
    return !symbols          ? CODECHANGE_UNKNOWN
           : before && after ? CODECHANGE_BOTH
           : after           ? CODECHANGE_NEW
           : before          ? CODECHANGE_GONE
                             : CODECHANGE_WHOLE;
}

void codechange_find(struct codechange *change, const struct match *match,
                     const struct codechange_side *const sides[2])
{
    struct index pairs[2];
    *change =
        (struct codechange){.rows = buf_alloc((match->count + 1) * sizeof *change->rows),
                            .symbols = sides[0]->symbols && sides[1]->symbols,
                            .pages = {sides[0]->pages, sides[1]->pages}};
    for (size_t s = 0; s < 2; s++) {
        pairs[s] = pairs_of(sides[s], match, s);
        for (size_t i = 0; i < sides[s]->count; i++)
            change->cold[s] += sides[s]->cold[i];
    }
    for (size_t i = 0; i < match->count; i++) {
        const uint32_t *functions = &match->functions[i * match->sides];
        bool cold[2];
        for (size_t s = 0; s < 2; s++) {
            cold[s] = has(sides[s], sides[s]->cold, functions[s]);
            change->rows[i].coded |= has(sides[s], sides[s]->coded, functions[s]);
        }
        change->rows[i].cold = cold_of(change->symbols, cold[0], cold[1]);
    }
    change->inlined = add_missing(change, &pairs[1], &pairs[0],
                                  offsetof(struct codechange_row, inlined));
    change->no_longer_inlined = add_missing(
        change, &pairs[0], &pairs[1], offsetof(struct codechange_row, no_longer_inlined));
    index_free(&pairs[0]);
    index_free(&pairs[1]);
}

void codechange_free(struct codechange *change)
{
    free(change->rows);
    memset(change, 0, sizeof *change);
}
