/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the format of pprof: github.com/google/pprof, proto/profile.proto. Stacks
   have their addresses. Functions inlined at an address are lines of one location.
   The values are the values in the table's columns: samples and seconds, calls, blocks
   and bytes. If the heap is shown, the values are blocks and bytes of each measure of
   the heap. If a measure of instructions is shown, the values are all of them. */

#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/export/export.h"
#include "mlprof/export/pprof-inside.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/view/heapwords.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Field numbers of profile.proto. */
enum profile_field {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRINGS = 6,
    PROFILE_DURATION = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_TYPE = 14
};
enum value_type_field { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum sample_field { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };
enum label_field { LABEL_KEY = 1, LABEL_TEXT = 2 };
enum mapping_field {
    MAPPING_ID = 1,
    MAPPING_START = 2,
    MAPPING_LIMIT = 3,
    MAPPING_OFFSET = 4,
    MAPPING_FILE = 5,
    MAPPING_BUILD_ID = 6,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILES = 8,
    MAPPING_HAS_LINES = 9,
    MAPPING_HAS_INLINED = 10
};
enum location_field {
    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4
};
enum line_field { LINE_FUNCTION = 1, LINE_LINE = 2, LINE_COLUMN = 3 };
enum function_field {
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILE = 4,
    FUNCTION_START_LINE = 5
};

/* The number of values of a sample: for each measure a count (samples or blocks) and
   an amount. The values of the heap are its columns. */
#define VALUES HEAPPOINTS_COLUMNS

struct pprof {
    const struct view *view;
    struct pprof_locations locations;
    struct intern strings;
    const struct measure *measures[VALUES / 2]; /* NULL: not written */
    struct protobuf profile;
    struct protobuf inner, packed, part, labels; /* buffers, empty when not in use */
};

static uint64_t text(struct pprof *pprof, const char *words)
{
    BUF_OWN char *valid = utf8_valid(words);
    uint32_t number = intern_put(&pprof->strings, valid);
    return number;
}

static size_t number_of(const struct measure *measure)
{
    return measure->kinds ? (size_t)(measure - measure_all) : measure->heap.number;
}

static uint64_t *values_of(uint64_t values[VALUES], const struct measure *measure)
{
    return &values[2 * number_of(measure)];
}

/* Returns whether samples have VALUE. If the unit of a measure is a count, the
   measure has only amounts. */
static bool has(const struct pprof *pprof, size_t value)
{
    const struct measure *measure = pprof->measures[value / 2];
    return measure && (value % 2 || measure->unit != MEASURE_COUNT);
}

/* Prints a sample with the locations in PACKED and the labels in LABELS. */
static void print_sample(struct pprof *pprof, const uint64_t values[VALUES])
{
    struct protobuf *sample = &pprof->inner;
    protobuf_message(sample, SAMPLE_LOCATIONS, &pprof->packed);
    for (unsigned i = 0; i < VALUES; i++)
        if (has(pprof, i))
            protobuf_put(&pprof->packed, values[i]);
    protobuf_message(sample, SAMPLE_VALUES, &pprof->packed);
    protobuf_append(sample, &pprof->labels);
    protobuf_message(&pprof->profile, PROFILE_SAMPLE, sample);
}

static void add_text_label(struct pprof *pprof, const char *key, const char *words)
{
    protobuf_integer(&pprof->inner, LABEL_KEY, text(pprof, key));
    protobuf_integer(&pprof->inner, LABEL_TEXT, text(pprof, words));
    protobuf_message(&pprof->labels, SAMPLE_LABEL, &pprof->inner);
}

/* Returns the name of a phase as in the table, but without brackets. The caller frees
   it. */
static char *phase_name(const struct pprof *pprof, uint32_t node)
{
    const struct rows *rows = pprof->view->rows;
    uint32_t row = rows->of_source[stacks_source_of(&rows->stacks, node)];
    if (row == STACKS_NONE)
        return stacks_around_text(&rows->stacks, node);
    BUF_OWN char *name = view_name(pprof->view, &rows->rows[row]);
    return buf_copy_prefix(name + 1, strlen(name) - 2);
}

/* Adds the label of a phase, thread or process. */
static void add_label(struct pprof *pprof, uint32_t node)
{
    const struct stacks *stacks = &pprof->view->rows->stacks;
    enum stacks_what what = stacks_what(stacks, node);
    BUF_OWN char *name =
        what == STACKS_PHASE ? phase_name(pprof, node) : stacks_around_text(stacks, node);
    add_text_label(pprof,
                   what == STACKS_PHASE    ? "phase"
                   : what == STACKS_THREAD ? "thread"
                                           : "process",
                   name);
}

/* Adds labels with the origin of a sample: host, rank, and the name and build ID of
   the executable. */
static void add_origin(struct pprof *pprof, uint32_t number)
{
    const struct profile *profile = pprof->view->profile;
    const struct origins_origin *origin = &profile->origins.origins[number];
    const char *host = origins_host(&profile->origins, number);
    if (!host && !origin->ranked)
        return;
    if (host)
        add_text_label(pprof, "host", host);
    if (origin->ranked) {
        BUF_OWN char *rank = buf_format("%" PRIu64, origin->rank);
        add_text_label(pprof, "rank", rank);
    }
    /* If there are several builds, only the mappings identify the program. */
    if (profile_builds(profile) > 1)
        return;
    const struct profile_module *program = &profile->modules.list[0];
    add_text_label(pprof, "program", path_last(program->path));
    if (program->build_id)
        add_text_label(pprof, "build_id", program->build_id);
}

/* Prints the stack that ends at NODE, with VALUES. Labels of inner phases come before
   labels of outer phases. */
static void print_stack(struct pprof *pprof, uint32_t node, const uint64_t values[VALUES])
{
    const struct stacks *stacks = &pprof->view->rows->stacks;
    uint32_t current = node;
    while (current != STACKS_NONE) {
        if (stacks_what(stacks, current) != STACKS_CODE)
            add_label(pprof, current);
        else
            protobuf_put(&pprof->packed,
                         pprof_locations_of_node(&pprof->locations, current, &current));
        current = stacks->nodes.list[current].parent;
    }
    print_sample(pprof, values);
}

/* Prints a stack of CALLEE and, if CALLER is not NULL, its caller. */
static void print_frames(struct pprof *pprof, const struct pprof_line *callee,
                         const struct pprof_line *caller, const uint64_t values[VALUES])
{
    protobuf_put(&pprof->packed, pprof_locations_of_line(&pprof->locations, callee));
    if (caller)
        protobuf_put(&pprof->packed, pprof_locations_of_line(&pprof->locations, caller));
    print_sample(pprof, values);
}

static struct pprof_line line_of_row(struct pprof *pprof, uint32_t row)
{
    const struct identity_source *source = &pprof->view->rows->rows[row].source;
    return (struct pprof_line){
        .outer = PPROF_NONE,
        .function = pprof_locations_function(&pprof->locations, row, source->file),
        .line = source->line,
        .column = source->column,
        .module = PPROF_NONE};
}

static void print_samples(struct pprof *pprof, uint32_t node, uint64_t count)
{
    const struct profile *profile = pprof->view->profile;
    uint64_t values[VALUES] = {0}, *pair = values_of(values, profile_measure(profile));
    pair[0] = count;
    pair[1] = profile_nanoseconds(profile, count);
    if (count)
        print_stack(pprof, node, values);
}

/* Prints the stacks with their samples, or with their bytes and blocks. */
static void print_stacks(struct pprof *pprof)
{
    const struct stacks *stacks = &pprof->view->rows->stacks;
    const struct profile *profile = pprof->view->profile;
    const struct measure *measure = profile_measure(profile);
    bool bytes = measure->memory;
    uint64_t *blocks = buf_alloc((stacks->nodes.count + 1) * sizeof *blocks);
    struct shares scratch = {0};
    for (size_t i = 0; bytes && i < stacks->allocs.count; i++)
        blocks[stacks->allocs.sites[i].node] += stacks->allocs.sites[i].blocks;
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        if (node->weight == 0)
            continue;
        if (stacks_what(stacks, i) == STACKS_CODE)
            pprof_locations_put_node(&pprof->locations, i);
        if (bytes && node->count) {
            uint64_t values[VALUES] = {0}, *pair = values_of(values, measure);
            pair[0] = blocks[i];
            pair[1] = node->count;
            print_stack(pprof, i, values);
            continue;
        }
        /* Lost samples have no origin. Other samples have none if origins are not
           requested. */
        struct shares_own owned = packed_of(&stacks->origins, i, &scratch);
        for (size_t k = 0; k < owned.count; k++) {
            add_origin(pprof, owned.entries[k].bin);
            print_samples(pprof, i, owned.entries[k].count);
        }
        print_samples(pprof, i, node->count - owned.total);
    }
    shares_free(&scratch);
    free(blocks);
}

/* Prints the stacks with all measures of the heap or of instructions. */
static void print_amounts(struct pprof *pprof)
{
    const struct stacks *stacks = &pprof->view->rows->stacks;
    const struct measure *shown = profile_measure(pprof->view->profile);
    uint64_t *columns[VALUES] = {NULL};
    for (unsigned i = 0; i < VALUES; i++)
        if (has(pprof, i))
            columns[i] = stacks_amounts(stacks, shown, pprof->measures[i / 2], !(i % 2));
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        uint64_t values[VALUES] = {0};
        bool any = false;
        if (stacks_what(stacks, i) == STACKS_CODE)
            pprof_locations_put_node(&pprof->locations, i);
        for (unsigned k = 0; k < VALUES; k++)
            if (columns[k])
                any |= (values[k] = columns[k][i]) != 0;
        if (any)
            print_stack(pprof, i, values);
    }
    for (unsigned i = 0; i < VALUES; i++)
        free(columns[i]);
}

static void print_site(struct pprof *pprof, const struct allocs_site *site)
{
    const struct rows *rows = pprof->view->rows;
    uint32_t row = rows_of_source(rows, site->source);
    uint64_t values[VALUES] = {0},
             *pair = values_of(values, measure_of_kinds(CCPROF_KIND_ALLOC));
    if (row >= rows->count)
        return;
    pair[0] = site->blocks;
    pair[1] = site->bytes;
    struct pprof_line line = {
        .outer = PPROF_NONE,
        .function = pprof_locations_function(&pprof->locations, row, site->file),
        .line = site->line,
        .column = site->column,
        .module = site->module};
    print_frames(pprof, &line, NULL, values);
}

/* If stacks have samples, prints the allocations at each allocation site. If stacks
   have bytes, prints only allocation sites that are on no stack, such as calls of
   fopen, which allocate an unknown number of bytes. */
static void print_sites(struct pprof *pprof)
{
    const struct stacks *stacks = &pprof->view->rows->stacks;
    bool bytes = profile_measure(pprof->view->profile)->memory;
    for (size_t i = 0; i < stacks->allocs.count; i++) {
        const struct allocs_site *site = &stacks->allocs.sites[i];
        if (!bytes || stacks->nodes.list[site->node].count == 0)
            print_site(pprof, site);
    }
}

/* Prints calls of a row: COUNT calls, but at most *LEFT, the number of calls that were
   not yet printed. Subtracts the printed calls from *LEFT. SITE is the call site;
   NULL: the caller is not known. */
static void print_some_calls(struct pprof *pprof, uint32_t row,
                             const struct arcs_site *site, uint64_t count, uint64_t *left)
{
    uint64_t values[VALUES] = {0}, calls = count < *left ? count : *left;
    if (calls == 0)
        return;
    values_of(values, measure_of_kinds(CCPROF_KIND_COUNT))[1] = calls;
    *left -= calls;
    struct pprof_line callee = line_of_row(pprof, row);
    if (!site) {
        print_frames(pprof, &callee, NULL, values);
        return;
    }
    struct pprof_line caller = line_of_row(pprof, site->row);
    caller.line = site->position.line;
    caller.column = site->position.column;
    print_frames(pprof, &callee, &caller, values);
}

/* Prints the calls of call sites whose callee is known, then the remaining calls of
   each function. */
static void print_calls(struct pprof *pprof)
{
    const struct rows *rows = pprof->view->rows;
    const struct arcs *arcs = &pprof->view->report->arcs;
    BUF_OWN uint64_t *left = buf_alloc((rows->count + 1) * sizeof *left);
    for (uint32_t i = 0; i < rows->count; i++)
        left[i] = rows->rows[i].branch ? 0 : rows_calls(&rows->rows[i]);
    for (size_t i = 0; arcs && i < arcs->count; i++) {
        const struct arcs_site *site = &arcs->sites[i];
        if (site->callee < rows->count)
            print_some_calls(pprof, site->callee, site, site->count, &left[site->callee]);
    }
    for (uint32_t i = 0; i < rows->count; i++)
        print_some_calls(pprof, i, NULL, left[i], &left[i]);
}

static void print_mappings(struct pprof *pprof)
{
    const struct pprof_locations *locations = &pprof->locations;
    const struct profile *profile = pprof->view->profile;
    struct protobuf *inner = &pprof->inner;
    for (uint32_t i = 0; i < locations->mapping_count; i++) {
        uint32_t module = locations->modules[i];
        const struct pprof_mapping *mapping = &locations->mappings[module];
        const char *path = program_path(pprof->view->program, profile, module);
        const char *build_id = profile->modules.list[module].build_id;
        BUF_OWN char *full = realpath(path, NULL);
        protobuf_integer(inner, MAPPING_ID, mapping->id);
        protobuf_integer(inner, MAPPING_START, mapping->start);
        protobuf_integer(inner, MAPPING_LIMIT, mapping->limit);
        protobuf_integer(inner, MAPPING_OFFSET, mapping->offset);
        protobuf_integer(inner, MAPPING_FILE, text(pprof, full ? full : path));
        protobuf_integer(inner, MAPPING_BUILD_ID, text(pprof, build_id ? build_id : ""));
        for (unsigned k = MAPPING_HAS_FUNCTIONS; k <= MAPPING_HAS_INLINED; k++)
            protobuf_integer(inner, k, true);
        protobuf_message(&pprof->profile, PROFILE_MAPPING, inner);
    }
}

static void print_locations(struct pprof *pprof)
{
    const struct pprof_locations *locations = &pprof->locations;
    struct protobuf *inner = &pprof->inner;
    for (size_t i = 0; i < locations->count; i++) {
        const struct pprof_line *line = &locations->lines.list[locations->innermost[i]];
        protobuf_integer(inner, LOCATION_ID, i + 1);
        if (line->module != PPROF_NONE) {
            protobuf_integer(inner, LOCATION_MAPPING,
                             locations->mappings[line->module].id);
            protobuf_integer(inner, LOCATION_ADDRESS,
                             pprof_locations_address(locations, line));
        }
        for (uint32_t number = locations->innermost[i]; number != PPROF_NONE;
             number = locations->lines.list[number].outer) {
            line = &locations->lines.list[number];
            protobuf_integer(&pprof->part, LINE_FUNCTION, line->function + 1);
            protobuf_integer(&pprof->part, LINE_LINE, line->line);
            protobuf_integer(&pprof->part, LINE_COLUMN, line->column);
            protobuf_message(inner, LOCATION_LINE, &pprof->part);
        }
        protobuf_message(&pprof->profile, PROFILE_LOCATION, inner);
    }
}

static void print_functions(struct pprof *pprof)
{
    struct protobuf *inner = &pprof->inner;
    for (size_t i = 0; i < pprof->locations.functions.count; i++) {
        const struct pprof_function *function = &pprof->locations.functions.list[i];
        protobuf_integer(inner, FUNCTION_ID, i + 1);
        protobuf_integer(inner, FUNCTION_NAME, text(pprof, function->name));
        /* The system name is empty unless the name is a function's, because pprof
           would demangle it. */
        protobuf_integer(inner, FUNCTION_SYSTEM_NAME,
                         text(pprof, *function->symbol ? function->symbol
                                     : *function->file ? function->name
                                                       : ""));
        protobuf_integer(inner, FUNCTION_FILE, text(pprof, function->file));
        protobuf_integer(inner, FUNCTION_START_LINE, function->line);
        protobuf_message(&pprof->profile, PROFILE_FUNCTION, inner);
    }
}

static void print_type(struct pprof *pprof, enum profile_field field, const char *type,
                       enum measure_unit unit)
{
    static const char *const units[] = {[MEASURE_NANOSECONDS] = "nanoseconds",
                                        [MEASURE_COUNT] = "count",
                                        [MEASURE_BYTES] = "bytes"};
    protobuf_integer(&pprof->inner, VALUE_TYPE_TYPE, text(pprof, type));
    protobuf_integer(&pprof->inner, VALUE_TYPE_UNIT, text(pprof, units[unit]));
    protobuf_message(&pprof->profile, field, &pprof->inner);
}

/* Returns the type of MEASURE's amounts (if AMOUNT) or of its counts, samples or
   blocks. Uses the type names of Go's profiles if Go has the type. The caller frees
   it. */
static char *type_of(const struct pprof *pprof, const struct measure *measure,
                     bool amount)
{
    bool wall = pprof->view->profile->sampling.clock == PROFILE_WALL;
    if (measure->weigh)
        return buf_copy(measure->word);
    if (measure->memory)
        return buf_format("%s_%s", measure->pprof, amount ? "space" : "objects");
    return buf_copy(!amount || measure->unit == MEASURE_COUNT ? measure->plural
                    : wall                                    ? "wall"
                                                              : "cpu");
}

/* Prints the types of the values. The shown measure is the default. */
static void print_types(struct pprof *pprof)
{
    const struct profile *profile = pprof->view->profile;
    const struct measure *shown = measure_compared(profile_measure(profile));
    for (size_t i = 0; i < VALUES; i++) {
        if (!has(pprof, i))
            continue;
        BUF_OWN char *type = type_of(pprof, pprof->measures[i / 2], i % 2);
        print_type(pprof, PROFILE_SAMPLE_TYPE, type,
                   i % 2 ? pprof->measures[i / 2]->unit : MEASURE_COUNT);
    }
    BUF_OWN char *type = type_of(pprof, shown, true);
    protobuf_integer(&pprof->profile, PROFILE_DEFAULT_TYPE, text(pprof, type));
    if (shown->unit == MEASURE_NANOSECONDS) {
        print_type(pprof, PROFILE_PERIOD_TYPE, type, shown->unit);
        protobuf_integer(&pprof->profile, PROFILE_PERIOD,
                         profile_nanoseconds(profile, 1));
    }
    protobuf_integer(&pprof->profile, PROFILE_DURATION, profile->runs.wall);
}

static void print_profile(struct pprof *pprof)
{
    const struct profile *profile = pprof->view->profile;
    print_types(pprof);
    if (profile->modules.count)
        pprof_locations_map(&pprof->locations, 0);
    const struct measure *measure = profile_measure(profile);
    if (measure->weigh || measure_is_of_heap(measure))
        print_amounts(pprof);
    else
        print_stacks(pprof);
    if (measure->kinds && profile->kind & CCPROF_KIND_ALLOC)
        print_sites(pprof);
    if (measure->kinds && profile->kind & CCPROF_KIND_COUNT)
        print_calls(pprof);
    print_mappings(pprof);
    print_locations(pprof);
    print_functions(pprof);
    for (uint32_t i = 0; i < pprof->strings.count; i++)
        protobuf_text(&pprof->profile, PROFILE_STRINGS, intern_text(&pprof->strings, i));
}

/* If the sums of the heap are estimates, prints their confidence intervals as
   comments. */
static void print_certainty(struct pprof *pprof)
{
    const struct profile *profile = pprof->view->profile;
    const struct heapdata *heap = &profile->heap;
    const struct measure *m = NULL;
    bool sampled = !profile_measure(profile)->kinds && heap->sample;
    while (sampled && (m = measure_next_of_heap(m))) {
        BUF_OWN char *samples = heapwords_samples(heap, m->heap.number);
        BUF_OWN char *comment = buf_format("%s_space: %s", m->pprof, samples);
        protobuf_integer(&pprof->profile, PROFILE_COMMENT, text(pprof, comment));
    }
}

static void pprof_write(FILE *out, const struct export_input *input)
{
    struct pprof pprof = {.view = input->view};
    const struct profile *profile = input->view->profile;
    const struct measure *shown = profile_measure(profile);
    for (const struct measure *m = measure_all; m->word; m++)
        if (shown->kinds ? profile_has(profile, m) || (shown->weigh && m->weigh)
                         : !m->kinds && !m->heap.derived)
            pprof.measures[number_of(m)] = m;
    pprof_locations_open(&pprof.locations, input->view);
    text(&pprof, ""); /* the first string must be empty */
    protobuf_integer(&pprof.profile, PROFILE_COMMENT, text(&pprof, input->maker));
    const struct intern *commands = &profile->runs.commands;
    for (uint32_t i = 0; i < commands->count; i++)
        protobuf_integer(&pprof.profile, PROFILE_COMMENT,
                         text(&pprof, intern_text(commands, i)));
    if (profile_builds(profile) > 1)
        protobuf_integer(
            &pprof.profile, PROFILE_COMMENT,
            text(&pprof, "several builds, functions matched by linkage name"));
    print_certainty(&pprof);
    print_profile(&pprof);
    fwrite(pprof.profile.bytes, 1, pprof.profile.size, out);
    pprof_locations_free(&pprof.locations);
    intern_free(&pprof.strings);
    protobuf_free(&pprof.profile);
    protobuf_free(&pprof.inner);
    protobuf_free(&pprof.packed);
    protobuf_free(&pprof.part);
    protobuf_free(&pprof.labels);
}

const struct export_format pprof_format = {
    .name = "pprof",
    .help = "write the profile for pprof, compressed",
    .kind = OUTPUTS_PPROF,
    .needs =
        EXPORT_THREADS | EXPORT_ADDRESSES | EXPORT_ORIGINS | EXPORT_HEAP | EXPORT_EVENTS,
    .compressed = true,
    .write = pprof_write,
};
