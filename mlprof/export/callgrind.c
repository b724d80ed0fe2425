/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes valgrind's callgrind format, which callgrind_annotate and KCachegrind read
   (valgrind: docs/callgrind/format).  Inlined functions are written as called
   functions.  Otherwise their lines would form a second function with the same name in
   another file.  If code of a function is in another file, its line is written as 0.
   The events are the measured values: samples, calls, executions of lines, bytes and
   allocations.  Only samples have inclusive values.  */

#include "mlprof/export/export.h"
#include "mlprof/arcs/line-calls.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/text.h"
#include "mlprof/export/content.h"
#include "mlprof/rows/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum event { SAMPLES, CALLS, EXECUTIONS, BYTES, ALLOCATIONS, EVENTS };

/* Valgrind's word for unknown names.  */
#define UNKNOWN "???"

/* The caller of functions that no profiled function called.  */
#define OUTSIDE "<outside>"

/* The cost of a line of a function.  */
struct cost {
    uint32_t row, line;
    uint64_t events[EVENTS];
};

struct callgrind {
    FILE *out;
    const struct view *view;
    bool has[EVENTS];
    struct cost *costs; /* sorted by row, then line, before printing */
    size_t count, capacity;
    struct index index; /* key: row, line; value: index in COSTS */
    struct call_lines calls;
    struct jumps jumps;
    size_t cost, call, jump; /* indexes of the next cost, call and jump to print */
    uint32_t *modules;       /* indexed by row: module of its code, or STACKS_NONE */
    struct intern names; /* objects, files and functions; numbered from 1 in the file */
    size_t written;      /* number of names written so far */
    const char *here;    /* paths in this folder are written relative to it */
};

static struct cost *cost_of(struct callgrind *callgrind, uint32_t row, uint32_t line)
{
    bool fresh;
    uint32_t number = index_put(&callgrind->index, row, line, 0, &fresh);
    if (fresh)
        BUF_NEXT(callgrind->costs, callgrind->count, callgrind->capacity) =
            (struct cost){.row = row, .line = line};
    return &callgrind->costs[number];
}

/* Adds the samples and executions of each line.  */
static void add_lines(struct callgrind *callgrind)
{
    const struct view *view = callgrind->view;
    struct lines lines;
    BUF_OWN bool *selected = buf_alloc(view->rows->count + 1);
    memset(selected, true, view->rows->count);
    lines_count(&lines, view->rows, selected);
    if (view->flows)
        lines_add_counts(&lines, view->flows, view->rows, selected);
    for (size_t i = 0; i < lines.count; i++) {
        const struct lines_line *line = &lines.lines[i];
        struct cost *cost = cost_of(callgrind, line->row, line->line);
        if (callgrind->has[SAMPLES])
            cost->events[SAMPLES] += line->cur;
        cost->events[EXECUTIONS] += line->count;
        callgrind->has[EXECUTIONS] |= line->counted;
    }
    lines_free(&lines);
}

static void add_calls(struct callgrind *callgrind)
{
    const struct rows *rows = callgrind->view->rows;
    for (uint32_t i = 0; i < rows->count; i++)
        if (rows->rows[i].counted && !rows->rows[i].branch)
            cost_of(callgrind, i, rows->rows[i].source.line)->events[CALLS] +=
                rows->rows[i].calls;
}

static void add_allocations(struct callgrind *callgrind)
{
    const struct rows *rows = callgrind->view->rows;
    const struct allocs *allocs = &rows->stacks.allocs;
    for (size_t i = 0; i < allocs->count; i++) {
        const struct allocs_site *site = &allocs->sites[i];
        uint32_t row = rows_of_source(rows, site->source);
        if (row == STACKS_NONE)
            continue;
        const char *file = rows->rows[row].source.file;
        bool own = file && site->file && strcmp(file, site->file) == 0;
        struct cost *cost = cost_of(callgrind, row, own ? site->line : 0);
        cost->events[BYTES] += site->bytes;
        cost->events[ALLOCATIONS] += site->blocks;
    }
}

BUF_COMPARE(by_line, struct cost,
            BUF_ORDER(a->row, b->row) ?: BUF_ORDER(a->line, b->line))

static void set_module(struct callgrind *callgrind, const struct stacks_copy *copy)
{
    const struct rows *rows = callgrind->view->rows;
    uint32_t module = copy->module == STACKS_NONE ? copy->home : copy->module;
    uint32_t row = rows_of_source(rows, copy->source);
    if (row != STACKS_NONE && module != STACKS_NONE)
        callgrind->modules[row] = module;
}

/* Finds the module of each row.  This is the module of the row's first frame,
   otherwise of its first allocation site, otherwise of its first flow graph, otherwise
   the executable.  */
static void find_modules(struct callgrind *callgrind)
{
    const struct rows *rows = callgrind->view->rows;
    const struct stacks *stacks = &rows->stacks;
    const struct flowcounts *flows = callgrind->view->flows;
    callgrind->modules = buf_alloc((rows->count + 1) * sizeof *callgrind->modules);
    for (size_t i = 0; i < rows->count; i++)
        callgrind->modules[i] = rows->rows[i].source.file ? 0 : STACKS_NONE;
    for (size_t i = flows ? flows->count : 0; i-- > 0;)
        if (flows->flows[i].row != FLOWCOUNTS_NO_ROW)
            callgrind->modules[flows->flows[i].row] = flows->flows[i].module;
    for (size_t i = stacks->allocs.count; i-- > 0;)
        set_module(callgrind, &stacks->copies[stacks->allocs.sites[i].copy]);
    for (size_t i = stacks->node_count; i-- > 0;)
        set_module(callgrind, &stacks->copies[stacks->nodes[i].copy]);
}

/* Prints the number of a name.  The first time, prints the name too.  */
static void print_name(struct callgrind *callgrind, const char *what, char kind,
                       const char *text)
{
    BUF_OWN char *clean = text_clean(text);
    BUF_OWN char *key = buf_format("%c%s", kind, clean);
    uint32_t number = intern_put(&callgrind->names, key);
    fprintf(callgrind->out, "%s=(%" PRIu32 ")", what, number + 1);
    if (number == callgrind->written) {
        fprintf(callgrind->out, " %s", clean);
        callgrind->written++;
    }
    putc('\n', callgrind->out);
}

/* Prints object file, source file and name of a row, each after its keyword.  */
static void print_place(struct callgrind *callgrind, uint32_t row, const char *object,
                        const char *file, const char *function)
{
    const struct view *view = callgrind->view;
    const struct profile *profile = view->profile;
    uint32_t module = row == STACKS_NONE ? STACKS_NONE : callgrind->modules[row];
    print_name(callgrind, object, 'o',
               module < profile->module_count ? profile->modules[module].path : UNKNOWN);
    if (row == STACKS_NONE) {
        print_name(callgrind, file, 'l', UNKNOWN);
        print_name(callgrind, function, 'f', OUTSIDE);
        return;
    }
    const struct rows_row *this = &view->rows->rows[row];
    const struct identity_source *source = &this->source;
    BUF_OWN char *path = source->file
                             ? path_from(callgrind->here, source->directory, source->file)
                             : buf_copy(UNKNOWN);
    BUF_OWN char *name = view_name(view, this);
    print_name(callgrind, file, 'l', path);
    print_name(callgrind, function, 'f', name);
}

static void print_events(const struct callgrind *callgrind, const uint64_t events[EVENTS])
{
    for (int i = 0; i < EVENTS; i++)
        if (callgrind->has[i])
            fprintf(callgrind->out, " %" PRIu64, events[i]);
    putc('\n', callgrind->out);
}

static void print_jump(const struct callgrind *callgrind, const struct jumps_jump *jump)
{
    FILE *out = callgrind->out;
    if (jump->conditional)
        fprintf(out, "jcnd=%" PRIu64 "/%" PRIu64, jump->followed, jump->executed);
    else
        fprintf(out, "jump=%" PRIu64, jump->followed);
    fprintf(out, " %" PRIu32 "\n%" PRIu32 "\n", jump->target, jump->line);
}

static void print_call(struct callgrind *callgrind, const struct call_lines_call *call)
{
    const struct rows *rows = callgrind->view->rows;
    bool heap = !profile_measure(callgrind->view->profile)->kinds;
    const uint64_t events[EVENTS] = {[SAMPLES] =
                                         callgrind->has[SAMPLES] ? call->samples : 0,
                                     [BYTES] = heap ? call->samples : 0};
    print_place(callgrind, call->callee, "cob", "cfi", "cfn");
    fprintf(callgrind->out, "calls=%" PRIu64 " %" PRIu32 "\n%" PRIu32, call->calls,
            rows->rows[call->callee].source.line, call->line);
    print_events(callgrind, events);
}

/* Prints the function of a row with its costs, calls and jumps, which are sorted by
   row.  Prints nothing if the row has no costs, calls or jumps.  ROW may be
   STACKS_NONE, for code outside of the profile.  */
static void print_function(struct callgrind *callgrind, uint32_t row)
{
    const struct call_lines *calls = &callgrind->calls;
    const struct jumps *jumps = &callgrind->jumps;
    bool started = false;
    for (;;) {
        /* If there are no costs, COSTS is NULL.  */
        const struct cost *cost = callgrind->cost < callgrind->count
                                      ? &callgrind->costs[callgrind->cost]
                                      : NULL;
        const struct jumps_jump *jump =
            callgrind->jump < jumps->count ? &jumps->jumps[callgrind->jump] : NULL;
        const struct call_lines_call *call =
            callgrind->call < calls->count ? &calls->calls[callgrind->call] : NULL;
        bool has_cost = cost && cost->row == row;
        bool has_jump = jump && jump->row == row;
        bool has_call = call && call->caller == row;
        if (!has_cost && !has_jump && !has_call)
            return;
        if (!started) {
            putc('\n', callgrind->out);
            print_place(callgrind, row, "ob", "fl", "fn");
        }
        started = true;
        if (has_cost && !(has_jump && jump->line < cost->line) &&
            !(has_call && call->line < cost->line)) {
            fprintf(callgrind->out, "%" PRIu32, cost->line);
            print_events(callgrind, cost->events);
            callgrind->cost++;
        } else if (has_jump && !(has_call && call->line < jump->line)) {
            print_jump(callgrind, jump);
            callgrind->jump++;
        } else {
            print_call(callgrind, call);
            callgrind->call++;
        }
    }
}

static void print_head(const struct callgrind *callgrind,
                       const struct export_input *input)
{
    static const char *const names[EVENTS] = {"Samples", "Calls", "Executions", "Bytes",
                                              "Allocations"};
    const struct profile *profile = input->view->profile;
    bool heap = !profile_measure(profile)->kinds;
    char *bytes = values_of_memory(profile, "Bytes");
    char *blocks = values_of_memory(profile, "Blocks");
    const char *const meanings[EVENTS] = {"Samples", "Calls of the function",
                                          "Executions of the line", bytes, blocks};
    FILE *out = callgrind->out;
    const char *command = profile_command(profile);
    char *program = text_clean(command ? command : input->program);
    fprintf(out, "# callgrind format\nversion: 1\ncreator: %s\ncmd: %s\n", input->maker,
            program);
    free(program);
    fprintf(out,
            "desc: Inclusive: %s alone\n"
            "desc: Calls: counted where blocks or targets are, else %s that show them\n"
            "positions: line\n",
            heap ? "bytes" : "samples", heap ? "bytes" : "samples");
    for (int i = 0; i < EVENTS; i++)
        if (callgrind->has[i])
            fprintf(out, "event: %s : %s\n", names[i], meanings[i]);
    if (callgrind->has[SAMPLES] && profile->rate)
        fprintf(out, "event: ns = %" PRIu64 " Samples : Nanoseconds %s\n",
                (UINT64_C(1000000000) + profile->rate / 2) / profile->rate,
                profile->clock == PROFILE_WALL ? "on the clock" : "of CPU time");
    free(bytes);
    free(blocks);
    fputs("events:", out);
    for (int i = 0; i < EVENTS; i++)
        if (callgrind->has[i])
            fprintf(out, " %s", names[i]);
    putc('\n', out);
}

/* Collects all data.  A profile without measurements gets the event of samples,
   because the format requires an event.  */
static void collect(struct callgrind *callgrind)
{
    const struct view *view = callgrind->view;
    unsigned kind = view->profile->kind;
    callgrind->has[SAMPLES] = profile_measure(view->profile)->sampled;
    callgrind->has[CALLS] = kind & CCPROF_KIND_COUNT;
    callgrind->has[BYTES] = callgrind->has[ALLOCATIONS] = kind & CCPROF_KIND_ALLOC;
    add_lines(callgrind);
    add_calls(callgrind);
    add_allocations(callgrind);
    BUF_SORT(callgrind->costs, callgrind->count, by_line);
    call_lines_find(&callgrind->calls, view->rows, view->arcs);
    if (view->flows)
        jumps_find(&callgrind->jumps, view->rows, view->flows);
    find_modules(callgrind);
    /* The folder in which the executable was compiled.  Paths of files in this folder
       are written as relative paths, because callgrind_annotate does not recognize a
       file in its current folder by an absolute path.  */
    struct tables *tables = view->program->count ? view->program->tables[0] : NULL;
    callgrind->here =
        tables && tables_unit_count(tables) ? tables_unit(tables, 0)->directory : "";
}

static bool callgrind_write(FILE *out, const struct export_input *input,
                            struct fault *fault)
{
    (void)fault;
    struct callgrind callgrind = {.out = out, .view = input->view};
    collect(&callgrind);
    print_head(&callgrind, input);
    for (uint32_t i = 0; i < input->view->rows->count; i++)
        print_function(&callgrind, i);
    print_function(&callgrind, STACKS_NONE);
    uint64_t totals[EVENTS] = {0};
    for (size_t i = 0; i < callgrind.count; i++)
        for (int k = 0; k < EVENTS; k++)
            totals[k] += callgrind.costs[i].events[k];
    fputs("\ntotals:", out);
    print_events(&callgrind, totals);
    free(callgrind.costs);
    free(callgrind.modules);
    index_free(&callgrind.index);
    intern_free(&callgrind.names);
    call_lines_free(&callgrind.calls);
    jumps_free(&callgrind.jumps);
    return true;
}

const struct export_format callgrind_format = {
    .name = "callgrind",
    .help = "write calls, lines and jumps for KCachegrind",
    .affected_by = VIEWS_BY_COPIES VIEWS_BY_MEASURE,
    .write = callgrind_write,
};
