/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/trained.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

static uint32_t add_bits(uint32_t checksum, uint32_t value, unsigned bits)
{
    for (; bits > 0; bits--, value <<= 1) {
        uint32_t feedback = (value ^ checksum) & 0x80000000 ? 0x04c11db7 : 0;
        checksum = checksum << 1 ^ feedback;
    }
    return checksum;
}

/* The checksum of a function's place in .gcda files (GCC: coverage.cc,
   coverage_compute_lineno_checksum; tree.cc, crc32_unsigned_bits).  */
static uint32_t place_checksum(const char *file, uint32_t line)
{
    uint32_t checksum = line;
    for (const char *at = file; file; at++) {
        checksum = add_bits(checksum, (uint32_t)(unsigned char)*at << 24, 8);
        if (!*at)
            break;
    }
    return checksum;
}

static void add(struct trained *trained, const struct arccounts_function *counted)
{
    bool fresh;
    uint32_t symbol = intern_put(&trained->symbols, counted->of->symbol);
    uint32_t number = index_put(&trained->index, symbol, counted->of->lineno, 0, &fresh);
    if (fresh) {
        trained->functions = buf_grow(trained->functions, &trained->capacity,
                                      trained->count + 1, sizeof *trained->functions);
        trained->functions[trained->count++] = (struct trained_function){0};
    }
    struct trained_function *function = &trained->functions[number];
    trained->executed += counted->executed && !function->executed;
    function->executed |= counted->executed;
    function->entered += counted->entered;
}

static bool find_place(struct trained *trained, const char *symbol, const char *file,
                       uint32_t line, uint32_t *number)
{
    return symbol && *symbol &&
           index_get(&trained->index, intern_put(&trained->symbols, symbol),
                     place_checksum(file, line), 0, number);
}

/* Finds which functions start where a source does.  */
static void find_placed(struct trained *trained, const struct program *program)
{
    for (size_t i = 0; i < program->count; i++)
        for (uint32_t k = 0;
             program->tables[i] && k < tables_unit_count(program->tables[i]); k++) {
            const struct unit *unit = tables_unit(program->tables[i], k);
            uint32_t number;
            for (size_t n = 0; n < unit->source_count; n++) {
                const struct unit_source *source = &unit->sources[n];
                if (find_place(trained, source->symbol, unit_file(unit, source->file),
                               source->line, &number))
                    trained->functions[number].placed = true;
            }
        }
}

static void find_without(struct trained *trained)
{
    size_t count = trained->symbols.count;
    bool *several = buf_alloc((count + 1) * sizeof *several);
    trained->without = buf_alloc((count + 1) * sizeof *trained->without);
    trained->without_count = count;
    for (size_t i = 0; i < count; i++)
        trained->without[i] = NONE;
    for (uint32_t i = 0; i < trained->count; i++) {
        uint32_t symbol = (uint32_t)trained->index.keys[i].words[0];
        if (trained->functions[i].placed)
            continue;
        several[symbol] |= trained->without[symbol] != NONE;
        trained->without[symbol] = several[symbol] ? NONE : i;
    }
    free(several);
}

void trained_find(struct trained *trained, const struct arccounts *counts,
                  const struct program *program)
{
    for (size_t i = 0; i < counts->count; i++)
        add(trained, &counts->functions[i]);
    if (trained->count)
        find_placed(trained, program);
    find_without(trained);
}

const struct trained_function *trained_of(struct trained *trained,
                                          const struct identity_source *source)
{
    uint32_t number;
    if (!source->symbol || !*source->symbol)
        return NULL;
    if (find_place(trained, source->symbol, source->file, source->line, &number))
        return &trained->functions[number];
    uint32_t symbol = intern_put(&trained->symbols, source->symbol);
    number = symbol < trained->without_count ? trained->without[symbol] : NONE;
    return number == NONE ? NULL : &trained->functions[number];
}

void trained_free(struct trained *trained)
{
    free(trained->functions);
    free(trained->without);
    intern_free(&trained->symbols);
    index_free(&trained->index);
    memset(trained, 0, sizeof *trained);
}
