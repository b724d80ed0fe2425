/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes counts of blocks as a profile for gcc -fauto-profile, in version 2 of AutoFDO's
   format, which GCC 12 to 15 read (GCC: auto-profile.cc; google/autofdo: gcov.cc,
   profile_writer.cc).  GCC looks a statement up by its function's symbol and by how many
   lines it stands behind the function's first one: so the profile still holds where other
   functions have changed.  Of what is inlined early GCC asks for the profile of the call:
   what is called often is told once more at each call, with the part of its counts that
   the call has of all calls.  Lines are not divided by discriminators, which GCC 12 does
   not look at: later ones do, and find only a part.  */

#include "mlprof/export/export.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/saturate.h"
#include "mlprof/export/gcovwords.h"
#include "mlprof/flow/compilations.h"
#include "mlprof/flow/gcov.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC         0x67636461 /* gcda */
#define VERSION       2
#define TAG_NAMES     0xaa000000
#define TAG_FUNCTIONS 0xac000000
#define TAG_MODULES   0xae000000

/* Offsets have 16 bits.  */
#define OFFSET_MOST 0xffff

struct line {
    uint32_t function, offset; /* OFFSET from the function's first line */
    uint64_t count;
};

/* A direct call, which stands OFFSET lines behind the caller's first one.  */
struct call {
    uint32_t caller, offset, callee;
    uint64_t count;
};

/* A part of an array.  */
struct span {
    size_t first, end;
};

struct profile_of_lines {
    struct intern names; /* 0: "", which is no function's */
    uint64_t *heads;     /* by name: how often the function was called */
    size_t head_capacity;
    struct line *lines;
    size_t line_count, line_capacity;
    struct index index; /* key: function, offset; the number of the line */
    struct call *calls;
    size_t call_count, call_capacity;
    struct index call_index;          /* key: caller, offset, callee */
    uint64_t hot;                     /* calls */
    struct span *lines_of, *calls_of; /* by name */
};

/* What is told at calls, too: what was called at least a so-manieth part as often as the
   line that was executed most, which is what GCC calls hot (hot-bb-count-fraction), and
   what that calls, to so many calls deep.  */
#define HOT_PART   10000
#define DEPTH_MOST 12

/* What follows a dot is a copy's, of which GCC knows nothing.  */
static uint32_t put_name(struct profile_of_lines *lines, const char *symbol)
{
    char *name = buf_format("%.*s", (int)strcspn(symbol, "."), symbol);
    uint32_t number = intern_put(&lines->names, name);
    free(name);
    if (number >= lines->head_capacity) {
        size_t had = lines->head_capacity;
        lines->heads = buf_grow(lines->heads, &lines->head_capacity, number + 1,
                                sizeof *lines->heads);
        memset(lines->heads + had, 0,
               (lines->head_capacity - had) * sizeof *lines->heads);
    }
    return number;
}

static void add_line(struct profile_of_lines *lines, uint32_t function, uint32_t offset,
                     uint64_t count)
{
    bool fresh;
    uint32_t number = index_put(&lines->index, function, offset, 0, &fresh);
    if (fresh) {
        lines->lines = buf_grow(lines->lines, &lines->line_capacity,
                                lines->line_count + 1, sizeof *lines->lines);
        lines->lines[lines->line_count++] = (struct line){function, offset, 0};
    }
    uint64_t *sum = &lines->lines[number].count;
    *sum = saturate_add(*sum, count);
}

static void add_call(struct profile_of_lines *lines, uint32_t caller, uint32_t offset,
                     uint32_t callee, uint64_t count)
{
    bool fresh;
    uint32_t number = index_put(&lines->call_index, caller, offset, callee, &fresh);
    if (fresh) {
        lines->calls = buf_grow(lines->calls, &lines->call_capacity,
                                lines->call_count + 1, sizeof *lines->calls);
        lines->calls[lines->call_count++] = (struct call){caller, offset, callee, 0};
    }
    uint64_t *sum = &lines->calls[number].count;
    *sum = saturate_add(*sum, count);
}

static void add_calls(struct profile_of_lines *lines, uint32_t caller,
                      const struct flowcounts_flow *flow)
{
    const struct flowgraph *graph = &flow->flow->graph;
    uint32_t start = graph->start.line;
    for (size_t i = 0; i < graph->block_count; i++) {
        struct flowgraph_span span = graph->blocks[i].calls;
        for (uint32_t k = span.first; k < span.first + span.count; k++) {
            const struct flowgraph_call *call = &graph->calls[k];
            if (!call->callee || call->position.line < start ||
                call->position.line - start > OFFSET_MOST)
                continue;
            add_call(lines, caller, call->position.line - start,
                     put_name(lines, call->callee), flowcounts_shown(flow->blocks[i]));
        }
    }
}

/* Lines of other files, which the preprocessor has put there, are left out.  */
static void add_compilation(struct profile_of_lines *lines,
                            const struct compilations_one *one)
{
    struct gcov gcov;
    gcov_evaluate(&gcov, one->flows, one->count, GCOV_OF_FUNCTIONS);
    uint32_t *names = buf_alloc((gcov.function_count + 1) * sizeof *names);
    for (size_t i = 0; i < gcov.function_count; i++) {
        const struct flowcounts_flow *flow = gcov.functions[i].flow;
        names[i] = put_name(lines, flow->flow->graph.symbol);
        uint64_t *head = &lines->heads[names[i]];
        *head = saturate_add(*head, flowcounts_shown(flow->blocks[KIRCHHOFF_ENTRY]));
        add_calls(lines, names[i], flow);
    }
    for (size_t i = 0; i < gcov.line_count; i++) {
        const struct gcov_line *line = &gcov.lines[i];
        if (line->function == GCOV_NONE)
            continue;
        const struct gcov_function *function = &gcov.functions[line->function];
        const struct flowgraph *graph = &function->flow->flow->graph;
        if (line->file != function->file || line->line < graph->start.line ||
            line->line - graph->start.line > OFFSET_MOST)
            continue;
        add_line(lines, names[line->function], line->line - graph->start.line,
                 flowcounts_shown(line->count));
    }
    free(names);
    gcov_free(&gcov);
}

static void put_names(FILE *out, const struct intern *names)
{
    gcovwords_word(out, TAG_NAMES);
    gcovwords_word(out, 0);
    gcovwords_word(out, (uint32_t)names->count);
    for (uint32_t i = 0; i < names->count; i++) {
        size_t size = strlen(intern_text(names, i)) + 1;
        gcovwords_word(out, (uint32_t)size);
        fwrite(intern_text(names, i), 1, size, out);
    }
}

static int by_place(const void *one, const void *other)
{
    const struct line *a = one, *b = other;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

static int by_call(const void *one, const void *other)
{
    const struct call *a = one, *b = other;
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return (a->callee > b->callee) - (a->callee < b->callee);
}

/* Adds the element I to a part that is found from its end on.  */
static void extend(struct span *span, size_t i)
{
    span->end = span->end ? span->end : i + 1;
    span->first = i;
}

/* Sorts lines and calls by their functions, notes where each has its own, and finds what
   is hot.  */
static void sort(struct profile_of_lines *lines)
{
    size_t names = lines->names.count;
    if (lines->line_count)
        qsort(lines->lines, lines->line_count, sizeof *lines->lines, by_place);
    if (lines->call_count)
        qsort(lines->calls, lines->call_count, sizeof *lines->calls, by_call);
    lines->lines_of = buf_alloc((names + 1) * sizeof *lines->lines_of);
    lines->calls_of = buf_alloc((names + 1) * sizeof *lines->calls_of);
    lines->hot = 1;
    for (size_t i = lines->line_count; i-- > 0;) {
        uint64_t part = lines->lines[i].count / HOT_PART;
        lines->hot = part > lines->hot ? part : lines->hot;
        extend(&lines->lines_of[lines->lines[i].function], i);
    }
    for (size_t i = lines->call_count; i-- > 0;)
        extend(&lines->calls_of[lines->calls[i].caller], i);
}

static bool is_executed(const struct profile_of_lines *lines, uint32_t function)
{
    struct span span = lines->lines_of[function];
    for (size_t i = span.first; i < span.end; i++)
        if (lines->lines[i].count)
            return true;
    return false;
}

/* What a body is part of: the calls around it, and which part of the counts of its
   function it has: PART of WHOLE.  */
struct around {
    const struct around *outer;
    uint32_t function;
    unsigned depth;
    uint64_t part, whole;
};

static uint64_t part_of(const struct around *around, uint64_t count)
{
    return around->whole
               ? (uint64_t)((unsigned __int128)count * around->part / around->whole)
               : count;
}

/* Whether what the call calls is told there, too.  */
static bool is_told(const struct profile_of_lines *lines, const struct around *around,
                    const struct call *call)
{
    struct span span = lines->lines_of[call->callee];
    if (!lines->heads[call->callee] || part_of(around, call->count) < lines->hot ||
        around->depth == DEPTH_MOST || span.end == span.first)
        return false;
    for (; around; around = around->outer)
        if (around->function == call->callee)
            return false;
    return true;
}

static void put_body(FILE *out, const struct profile_of_lines *lines,
                     const struct around *around)
{
    struct span own = lines->lines_of[around->function];
    struct span calls = lines->calls_of[around->function];
    uint32_t told = 0;
    for (size_t i = calls.first; i < calls.end; i++)
        told += is_told(lines, around, &lines->calls[i]);
    gcovwords_word(out, around->function);
    gcovwords_word(out, (uint32_t)(own.end - own.first));
    gcovwords_word(out, told);
    for (size_t i = own.first; i < own.end; i++) {
        gcovwords_word(out, lines->lines[i].offset << 16);
        gcovwords_word(out, 0); /* targets of calls */
        gcovwords_counter(out, part_of(around, lines->lines[i].count));
    }
    for (size_t i = calls.first; i < calls.end; i++) {
        const struct call *call = &lines->calls[i];
        struct around inner = {around, call->callee, around->depth + 1,
                               part_of(around, call->count), lines->heads[call->callee]};
        if (!is_told(lines, around, call))
            continue;
        gcovwords_word(out, call->offset << 16);
        put_body(out, lines, &inner);
    }
}

static void put_functions(FILE *out, const struct profile_of_lines *lines)
{
    uint32_t executed = 0;
    for (uint32_t i = 0; i < lines->names.count; i++)
        executed += is_executed(lines, i);
    gcovwords_word(out, TAG_FUNCTIONS);
    gcovwords_word(out, 0);
    gcovwords_word(out, executed);
    for (uint32_t i = 0; i < lines->names.count; i++) {
        struct around around = {.function = i};
        if (!is_executed(lines, i))
            continue;
        gcovwords_counter(out, lines->heads[i]);
        put_body(out, lines, &around);
    }
}

static bool afdo_write(FILE *out, const struct export_input *input, struct fault *fault)
{
    struct profile_of_lines lines = {0};
    struct compilations compilations;
    (void)fault;
    put_name(&lines, "");
    compilations_find(&compilations, input->view->flows);
    for (size_t i = 0; i < compilations.count; i++)
        add_compilation(&lines, &compilations.list[i]);
    compilations_free(&compilations);
    sort(&lines);
    gcovwords_word(out, MAGIC);
    gcovwords_word(out, VERSION);
    gcovwords_word(out, 0);
    put_names(out, &lines.names);
    put_functions(out, &lines);
    gcovwords_word(out, TAG_MODULES);
    gcovwords_word(out, 0);
    gcovwords_word(out, 0);
    intern_free(&lines.names);
    index_free(&lines.index);
    free(lines.heads);
    free(lines.lines);
    index_free(&lines.call_index);
    free(lines.calls);
    free(lines.lines_of);
    free(lines.calls_of);
    return true;
}

const struct export_format afdo_format = {
    .name = "afdo",
    .help = "write a profile for gcc -fauto-profile",
    .details =
        "Of GCC 12; 13 to 15 find a part of it. For sources that have changed since.",
    .goes_by = VIEWS_BY_DATA "weight",
    .unprinted = true,
    .needs = EXPORT_BLOCKS,
    .write = afdo_write,
};
