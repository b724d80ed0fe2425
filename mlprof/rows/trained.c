/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the function of GCC's profile that each sample belongs to, and adds up the
   samples with and without a profile by reason. */

#include "mlprof/rows/trained.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/program/skid.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A function with counts. An inline function is combined from all objects that
   contain it. */
struct trained_function {
    uint64_t entered;   /* number of executions */
    bool executed;      /* at least one of its counts is not 0 */
    bool placed;        /* a source of the tables starts at the same position */
    uint32_t place;     /* checksum of its position */
    const char *object; /* path of an object that contains the function (arctables.h) */
    uint32_t next;      /* next unplaced function with the same symbol, or NONE */
};

/* All members start as zero. */
struct trained {
    struct trained_function *functions;
    size_t count, capacity;
    size_t executed; /* number of executed functions */
    struct intern symbols;
    struct index index; /* key: symbol and checksum of the position */
    /* By symbol. WITHOUT: the first function that is not placed, or NONE.
       CLAIMS: number of sources that match no function. */
    uint32_t *without;
    size_t *claims;
    size_t symbol_count; /* number of elements in both arrays */
};

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
    for (const char *cursor = text;; cursor++) {
        checksum = add_bits(checksum, (uint32_t)(unsigned char)*cursor << 24, 8);
        if (!*cursor)
            return checksum;
    }
}

/* Returns the checksum of a function's position in .gcda files (GCC: coverage.cc,
   coverage_compute_lineno_checksum; tree.cc, crc32_string). */
static uint32_t place_checksum(const char *symbol, const char *file, uint32_t line)
{
    return add_text(file ? add_text(line, file) : line, symbol);
}

static void add_function(struct trained *trained,
                         const struct arccounts_function *counted)
{
    bool fresh;
    uint32_t symbol = intern_put(&trained->symbols, counted->description->name.symbol);
    uint32_t number =
        index_put(&trained->index, symbol, counted->description->lineno, 0, &fresh);
    if (fresh) {
        BUF_NEXT(trained->functions, trained->count, trained->capacity) =
            (struct trained_function){.place = counted->description->lineno,
                                      .object = counted->description->object,
                                      .next = NONE};
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

/* Marks the functions that start at the position of a source. Collects in CLAIMS the
   sources whose symbol is known but whose position is not. */
static void find_placed(struct trained *trained, const struct unit *unit,
                        struct index *claims)
{
    for (size_t n = 0; n < unit->source_count; n++) {
        const struct unit_source *source = &unit->sources[n];
        const char *file = unit_file_name(unit, source->file);
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

static void find_functions(struct trained *trained, const struct arccounts *counts,
                           const struct program *program)
{
    struct index claims = {0};
    for (size_t i = 0; i < counts->count; i++)
        add_function(trained, &counts->functions[i]);
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

/* Returns whether the function starts at LINE of FILE, if a leading part of FILE is
   replaced by FOLDER, which has LENGTH bytes. */
static bool starts_below(const struct trained_function *function, const char *symbol,
                         const char *file, uint32_t line, const char *folder,
                         size_t length)
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

/* Like starts_below, for the folder of the object, for each folder around it, and for
   the empty folder. */
static bool is_mapped(const struct trained_function *function,
                      const struct identity_source *source)
{
    size_t length = strlen(function->object);
    while (length > 0) {
        while (length > 0 && function->object[length] != '/')
            length--;
        if (starts_below(function, source->symbol, sourcefile_name(source->file),
                         source->line, function->object, length))
            return true;
        length -= length > 0;
    }
    return false;
}

/* Returns the counted function that is the same as SOURCE, or NULL if its executions
   are not counted. The two are the same if they have the same symbol and start at the
   same line of the same file. If the compiler has mapped file names
   (-ffile-prefix-map), no function has the same file. In this case, the file may be
   relative to the folder of the object, or to a folder around it. If only one source
   and one function with a symbol remain, they are the same. */
static const struct trained_function *trained_of(struct trained *trained,
                                                 const struct identity_source *source)
{
    uint32_t number;
    if (!source->symbol || !*source->symbol)
        return NULL;
    const char *file = sourcefile_name(source->file);
    if (find_place(trained, source->symbol, file, source->line, &number))
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

struct context {
    struct trainedrows *result;
    struct stacks *stacks;
    const struct program *program;
    struct trained *trained;
    /* By number of a source in SOURCES: its function with counts, or NULL. */
    const struct trained_function **functions;
    size_t function_capacity;
    struct index sources;
    struct index index; /* of the rows; key: source and WHAT */
    size_t row_capacity, fact_capacity;
};

/* The function that samples belong to, and the reason. */
struct owner {
    uint32_t source;
    enum trainedrows_what what;
};

static const struct trained_function *function_of(struct context *context,
                                                  uint32_t source)
{
    bool fresh;
    uint32_t number = index_put(&context->sources, source, 0, 0, &fresh);
    if (fresh)
        BUF_AT(context->functions, number, context->function_capacity) =
            trained_of(context->trained, &context->stacks->sources.list[source]);
    return context->functions[number];
}

/* Updates OWNER for the next source of a local stack, from the innermost source
   outwards. OWNER starts as the innermost source and TRAINEDROWS_NONE. */
static void decide_by(struct context *context, struct owner *owner, uint32_t source)
{
    const struct trained_function *function = function_of(context, source);
    if (function && function->executed && owner->what != TRAINEDROWS_COUNTED)
        *owner = (struct owner){source, TRAINEDROWS_COUNTED};
    else if (function && owner->what == TRAINEDROWS_NONE)
        *owner = (struct owner){source, TRAINEDROWS_NEVER};
}

/* Makes the final decision, based on the compiled function. This function may be
   missing from the stack if it was removed or hidden. */
static struct owner decide_compiled(struct context *context, struct owner owner,
                                    uint32_t innermost, const struct function *compiled)
{
    const struct unit_source *source =
        unit_source(compiled->unit, compiled->copies.list[0].source);
    if (!source)
        return owner;
    uint32_t number = stacks_unit_source(context->stacks, compiled->unit, source);
    const struct trained_function *function = function_of(context, number);
    if (!function)
        return (struct owner){innermost, TRAINEDROWS_NONE};
    if (owner.what == TRAINEDROWS_NONE || owner.what == TRAINEDROWS_NEVER)
        owner.what = function->executed ? TRAINEDROWS_COUNTED : TRAINEDROWS_NEVER;
    return owner;
}

/* Returns the class of a frame outside of the tables. */
static enum trainedrows_what outside_what(const struct context *context,
                                          const struct stacks_copy *copy,
                                          uint64_t address)
{
    const struct program *program = context->program;
    if (copy->what != STACKS_CODE || copy->home == STACKS_NONE)
        return TRAINEDROWS_UNKNOWN;
    const struct tables *tables =
        copy->home < program->count ? program->tables[copy->home] : NULL;
    bool has_tables = tables && !tables_is_bare(tables);
    bool stub = has_tables && elffile_is_stub(tables_holder(tables), address);
    return (has_tables || copy->home == 0) && !stub ? TRAINEDROWS_NONE
                                                    : TRAINEDROWS_LIBRARY;
}

static struct owner decide_node(struct context *context, uint32_t number)
{
    const struct stacks *stacks = context->stacks;
    const struct stacks_copy *copy =
        &stacks->copies.list[stacks->nodes.list[number].copy];
    uint32_t innermost = copy->source;
    struct owner owner = {innermost, TRAINEDROWS_NONE};
    if (copy->module == STACKS_NONE) {
        owner.what = outside_what(context, copy, stacks->nodes.list[number].address);
        return owner;
    }
    for (uint32_t frame = number;; frame = stacks->nodes.list[frame].parent) {
        decide_by(context, &owner, stacks_source_of(stacks, frame));
        if (!stacks->nodes.list[frame].inlined)
            break;
    }
    return decide_compiled(
        context, owner, innermost,
        tables_function(context->program->tables[copy->module], copy->function));
}

/* Returns false if there is no source at this point. */
static bool decide_place(struct context *context, struct tables *tables,
                         const struct tables_point *point, struct owner *owner)
{
    const struct function *function = tables_function(tables, point->function);
    struct function_frames walk = function_frames(function, point->point);
    struct function_frame frame;
    uint32_t innermost = STACKS_NONE;
    while (function_frames_next(&walk, &frame)) {
        uint32_t source =
            stacks_unit_source(context->stacks, function->unit, frame.source);
        if (innermost == STACKS_NONE)
            *owner = (struct owner){innermost = source, TRAINEDROWS_NONE};
        decide_by(context, owner, source);
    }
    if (innermost == STACKS_NONE)
        return false;
    *owner = decide_compiled(context, *owner, innermost, function);
    return true;
}

/* Returns the number of the row, which is added if needed. */
static uint32_t row_of(struct context *context, struct owner owner)
{
    struct trainedrows *result = context->result;
    struct rows *rows = &result->rows;
    bool fresh;
    uint32_t number = index_put(&context->index, owner.source, owner.what, 0, &fresh);
    if (!fresh)
        return number;
    bool code = owner.what == TRAINEDROWS_COUNTED || owner.what == TRAINEDROWS_NEVER;
    const struct trained_function *function =
        code ? function_of(context, owner.source) : NULL;
    BUF_AT(result->facts, number, context->fact_capacity) = (struct trainedrows_fact){
        owner.what, function != NULL, function ? function->entered : 0};
    measured_grow(rows->measured, number + 1);
    BUF_NEXT(rows->rows, rows->count, context->row_capacity) =
        (struct rows_row){.source = context->stacks->sources.list[owner.source],
                          .measured = rows->measured,
                          .number = number};
    return number;
}

static void add_samples(struct context *context)
{
    const struct stacks *stacks = context->stacks;
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        if (stacks->nodes.list[i].count == 0)
            continue;
        struct owner owner = decide_node(context, i);
        uint32_t row = row_of(context, owner);
        context->result->rows.measured->columns.list[MEASURED_SELF].amounts[row] +=
            stacks->nodes.list[i].count;
        context->result->sums[owner.what].samples += stacks->nodes.list[i].count;
    }
}

static void add_uncertain(struct context *context, struct tables *tables,
                          const struct skid_charge *charge)
{
    struct owner owners[2];
    for (size_t i = 0; i < 2; i++) {
        const struct skid_place *place =
            charge->returned[i].address ? &charge->returned[i] : &charge->places[i];
        if (!place->address || !decide_place(context, tables, &place->point, &owners[i]))
            return;
    }
    struct trainedrows_sum *sums = context->result->sums;
    uint32_t one = row_of(context, owners[0]), other = row_of(context, owners[1]);
    struct rows_row *rows = context->result->rows.rows;
    if (owners[0].what != owners[1].what)
        amounts_add_uncertainty(&sums[owners[0].what].uncertainty,
                                &sums[owners[1].what].uncertainty, charge);
    if (one != other)
        amounts_add_uncertainty(&rows[one].uncertainty, &rows[other].uncertainty, charge);
}

static void find_uncertain(struct context *context)
{
    const struct skid *skid = context->program->skid;
    size_t count = skid ? skid_point_count(skid) : 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t module;
        struct skid_charge charge;
        if (skid_point(skid, i, &module, &charge) && charge.uncertain)
            add_uncertain(context, context->program->tables[module], &charge);
    }
}

/* Sorts the rows together with their facts. */
static void sort(struct trainedrows *result)
{
    size_t count = result->rows.count;
    BUF_OWN uint32_t *numbers = buf_alloc((count + 1) * sizeof *numbers);
    struct trainedrows_fact *facts = buf_alloc((count + 1) * sizeof *facts);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i;
    rows_sort(&result->rows, numbers);
    for (size_t i = 0; i < count; i++)
        facts[i] = result->facts[numbers[i]];
    free(result->facts);
    result->facts = facts;
}

void trainedrows_fill(struct trainedrows *rows, const struct stacks *stacks,
                      const struct profile *profile, const struct program *program,
                      const struct arccounts *counts)
{
    struct trained trained = {0};
    find_functions(&trained, counts, program);
    *rows = (struct trainedrows){
        .rows = {.stacks = *stacks, .total = profile->sampling.samples},
        .functions = trained.count,
        .executed = trained.executed};
    rows->rows.measured = measured_new(profile_measure(profile), NULL, 0);
    struct context context = {.result = rows,
                              .stacks = &rows->rows.stacks,
                              .program = program,
                              .trained = &trained};
    add_samples(&context);
    find_uncertain(&context);
    sort(rows);
    index_free(&context.index);
    index_free(&context.sources);
    free(context.functions);
    free(trained.functions);
    free(trained.without);
    free(trained.claims);
    intern_free(&trained.symbols);
    index_free(&trained.index);
}

void trainedrows_free(struct trainedrows *rows)
{
    rows_free(&rows->rows);
    free(rows->facts);
    memset(rows, 0, sizeof *rows);
}
