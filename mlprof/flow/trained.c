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

static uint32_t add_text(uint32_t checksum, const char *text)
{
    for (const char *at = text;; at++) {
        checksum = add_bits(checksum, (uint32_t)(unsigned char)*at << 24, 8);
        if (!*at)
            return checksum;
    }
}

/* The checksum of a function's place in .gcda files (GCC: coverage.cc,
   coverage_compute_lineno_checksum; tree.cc, crc32_string).  */
static uint32_t place_checksum(const char *symbol, const char *file, uint32_t line)
{
    return add_text(file ? add_text(line, file) : line, symbol);
}

static void add(struct trained *trained, const struct arccounts_function *counted)
{
    bool fresh;
    uint32_t symbol = intern_put(&trained->symbols, counted->of->name.symbol);
    uint32_t number = index_put(&trained->index, symbol, counted->of->lineno, 0, &fresh);
    if (fresh) {
        BUF_NEXT(trained->functions, trained->count,
                 trained->capacity) = (struct trained_function){
            .place = counted->of->lineno, .object = counted->of->object, .next = NONE};
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
                     place_checksum(symbol, file, line), 0, number);
}

/* Finds which functions start where a source does, and the sources with symbols of
   functions that start elsewhere.  */
static void find_placed(struct trained *trained, const struct unit *unit,
                        struct index *claims)
{
    for (size_t n = 0; n < unit->source_count; n++) {
        const struct unit_source *source = &unit->sources[n];
        const char *file = unit_file(unit, source->file);
        uint32_t number;
        bool fresh;
        if (find_place(trained, source->symbol, file, source->line, &number)) {
            trained->functions[number].placed = true;
            continue;
        }
        uint32_t symbol = intern_put(&trained->symbols, source->symbol);
        if (symbol < trained->symbol_count)
            index_put(claims, symbol, place_checksum(source->symbol, file, source->line),
                      0, &fresh);
    }
}

void trained_find(struct trained *trained, const struct arccounts *counts,
                  const struct program *program)
{
    struct index claims = {0};
    for (size_t i = 0; i < counts->count; i++)
        add(trained, &counts->functions[i]);
    size_t count = trained->symbol_count = trained->symbols.count;
    for (size_t i = 0; count && i < program->count; i++)
        for (uint32_t k = 0;
             program->tables[i] && k < tables_unit_count(program->tables[i]); k++)
            find_placed(trained, tables_unit(program->tables[i], k), &claims);
    trained->without = buf_alloc((count + 1) * sizeof *trained->without);
    trained->claims = buf_alloc((count + 1) * sizeof *trained->claims);
    for (size_t i = 0; i < count; i++)
        trained->without[i] = NONE;
    for (uint32_t i = 0; i < trained->count; i++) {
        uint32_t *first = &trained->without[trained->index.keys[i].words[0]];
        if (trained->functions[i].placed)
            continue;
        trained->functions[i].next = *first;
        *first = i;
    }
    for (size_t i = 0; i < claims.count; i++)
        trained->claims[claims.keys[i].words[0]]++;
    index_free(&claims);
}

/* Whether the function starts at the line of FILE if FILE's beginning stands for FOLDER,
   of LENGTH bytes.  */
static bool is_below(const struct trained_function *function, const char *symbol,
                     const char *file, uint32_t line, const char *folder, size_t length)
{
    bool found = false;
    for (const char *end = file; end && !found; end = strchr(end, '/')) {
        end += *end == '/';
        char *path =
            length ? buf_format("%.*s/%s", (int)length, folder, end) : buf_copy(end);
        found = place_checksum(symbol, path, line) == function->place;
        free(path);
    }
    return found;
}

/* The same for the folder of the object, each around it, and none.  */
static bool is_mapped(const struct trained_function *function,
                      const struct identity_source *source)
{
    size_t length = strlen(function->object);
    while (length > 0) {
        while (length > 0 && function->object[length] != '/')
            length--;
        if (is_below(function, source->symbol, source->file, source->line,
                     function->object, length))
            return true;
        length -= length > 0;
    }
    return false;
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
    if (symbol >= trained->symbol_count || trained->without[symbol] == NONE)
        return NULL;
    const struct trained_function *first = &trained->functions[trained->without[symbol]];
    for (const struct trained_function *function = first; source->file;
         function = &trained->functions[function->next]) {
        if (is_mapped(function, source))
            return function;
        if (function->next == NONE)
            break;
    }
    return first->next == NONE && trained->claims[symbol] < 2 ? first : NULL;
}

void trained_free(struct trained *trained)
{
    free(trained->functions);
    free(trained->without);
    free(trained->claims);
    intern_free(&trained->symbols);
    index_free(&trained->index);
    memset(trained, 0, sizeof *trained);
}
