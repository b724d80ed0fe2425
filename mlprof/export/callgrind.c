/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes valgrind's callgrind format, which callgrind_annotate and KCachegrind read
   (valgrind: docs/callgrind/format). Inlined functions are written as called
   functions. Otherwise their lines would form a second function with the same name in
   another file. If code of a function is in another file, its line is written as 0.
   The events are the measured values: samples, calls, executions of lines, bytes and
   allocations. Only samples have inclusive values. Instructions have a position in the
   machine code too, and events like valgrind's (callgrind-code.c). */

#include "mlprof/export/export.h"
#include "mlprof/arcs/line-calls.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"
#include "mlprof/export/callgrind-inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Valgrind's word for unknown names. */
#define UNKNOWN "???"

/* The caller of functions that no profiled function called. */
#define OUTSIDE "<outside>"

struct callgrind {
    FILE *out;
    const struct view *view;
    bool has[CALLGRIND_EVENTS];
    bool by_address;            /* costs are those of instructions, and have an address */
    struct callgrind_costs all; /* sorted before printing */
    struct jumps jumps;
    size_t cost, call, jump; /* indexes of the next cost, call and jump to print */
    uint32_t *modules;       /* indexed by row: module of its code, or STACKS_NONE */
    struct intern names; /* objects, files and functions; numbered from 1 in the file */
    size_t written;      /* number of names written so far */
    const char *here;    /* paths in this folder are written relative to it */
};

/* The place of costs that are added up by line. */
static const struct callgrind_place nowhere = {.module = STACKS_NONE};

static struct callgrind_cost *cost_of(struct callgrind *callgrind, uint32_t row,
                                      uint32_t line)
{
    return callgrind_cost_of(&callgrind->all, row, line, nowhere);
}

/* Adds the samples and executions of each line. */
static void add_lines(struct callgrind *callgrind)
{
    const struct view *view = callgrind->view;
    struct lines lines;
    BUF_OWN bool *selected = buf_alloc(view->rows->count + 1);
    memset(selected, true, view->rows->count);
    lines_count(&lines, view->rows, selected);
    lines_add_counts(&lines, report_flows(view->report), view->rows, selected);
    for (size_t i = 0; i < lines.count; i++) {
        const struct lines_line *line = &lines.lines[i];
        struct callgrind_cost *cost = cost_of(callgrind, line->row, line->line);
        if (callgrind->has[CALLGRIND_SAMPLES])
            cost->events[CALLGRIND_SAMPLES] += line->cur;
        cost->events[CALLGRIND_EXECUTIONS] += line->count;
        callgrind->has[CALLGRIND_EXECUTIONS] |= line->counted;
    }
    lines_free(&lines);
}

static void add_calls(struct callgrind *callgrind)
{
    const struct rows *rows = callgrind->view->rows;
    for (uint32_t i = 0; i < rows->count; i++)
        if (rows->rows[i].counted && !rows->rows[i].branch)
            cost_of(callgrind, i, rows->rows[i].source.line)->events[CALLGRIND_CALLS] +=
                rows_calls(&rows->rows[i]);
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
        bool same_file = file && site->file && strcmp(file, site->file) == 0;
        struct callgrind_cost *cost = cost_of(callgrind, row, same_file ? site->line : 0);
        cost->events[CALLGRIND_BYTES] += site->bytes;
        cost->events[CALLGRIND_ALLOCATIONS] += site->blocks;
    }
}

BUF_COMPARE(by_line, struct callgrind_cost, BUF_ORDER(a->row, b->row) ?:
            BUF_ORDER(a->place.module, b->place.module) ?:
            BUF_ORDER(a->line, b->line) ?: BUF_ORDER(a->place.address, b->place.address))

BUF_COMPARE(by_caller, struct callgrind_call, BUF_ORDER(a->caller, b->caller) ?:
            BUF_ORDER(a->place.module, b->place.module) ?:
            BUF_ORDER(a->line, b->line) ?: BUF_ORDER(a->callee, b->callee))

static void set_module(struct callgrind *callgrind, const struct stacks_copy *copy)
{
    const struct rows *rows = callgrind->view->rows;
    uint32_t module = copy->module == STACKS_NONE ? copy->home : copy->module;
    uint32_t row = rows_of_source(rows, copy->source);
    if (row != STACKS_NONE && module != STACKS_NONE)
        callgrind->modules[row] = module;
}

/* Finds the module of each row. This is the module of the row's first frame,
   otherwise of its first allocation site, otherwise of its first flow graph, otherwise
   the executable. */
static void find_modules(struct callgrind *callgrind)
{
    const struct rows *rows = callgrind->view->rows;
    const struct stacks *stacks = &rows->stacks;
    const struct flowcounts *flows = report_flows(callgrind->view->report);
    callgrind->modules = buf_alloc((rows->count + 1) * sizeof *callgrind->modules);
    for (size_t i = 0; i < rows->count; i++)
        callgrind->modules[i] = rows->rows[i].source.file ? 0 : STACKS_NONE;
    for (size_t i = flows ? flows->count : 0; i-- > 0;)
        if (flows->flows[i].row != FLOWCOUNTS_NO_ROW)
            callgrind->modules[flows->flows[i].row] = flows->flows[i].module;
    for (size_t i = stacks->allocs.count; i-- > 0;)
        set_module(callgrind, &stacks->copies.list[stacks->allocs.sites[i].copy]);
    for (size_t i = stacks->nodes.count; i-- > 0;)
        set_module(callgrind, &stacks->copies.list[stacks->nodes.list[i].copy]);
}

/* Prints the number of a name. The first time, prints the name too. */
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

/* Prints object file, source file and name of a row, each after its keyword. MODULE is
   the object file; STACKS_NONE: the first one that has code of the row. */
static void print_place(struct callgrind *callgrind, uint32_t row, uint32_t module,
                        const char *object, const char *file, const char *function)
{
    const struct view *view = callgrind->view;
    const struct profile *profile = view->profile;
    if (module == STACKS_NONE && row != STACKS_NONE)
        module = callgrind->modules[row];
    print_name(callgrind, object, 'o',
               module < profile->modules.count ? profile->modules.list[module].path
                                               : UNKNOWN);
    if (row == STACKS_NONE) {
        print_name(callgrind, file, 'l', UNKNOWN);
        print_name(callgrind, function, 'f', OUTSIDE);
        return;
    }
    const struct rows_row *this = &view->rows->rows[row];
    const struct identity_source *source = &this->source;
    const char *path =
        source->file ? sourcefile_name_in(callgrind->here, source->file) : UNKNOWN;
    BUF_OWN char *name = view_name(view, this);
    print_name(callgrind, file, 'l', path);
    print_name(callgrind, function, 'f', name);
}

static void print_position(const struct callgrind *callgrind, uint64_t address,
                           uint32_t line)
{
    if (callgrind->by_address)
        fprintf(callgrind->out, "0x%" PRIx64 " ", address);
    fprintf(callgrind->out, "%" PRIu32, line);
}

/* Prints events without the zeros at the end, which the format allows. */
static void print_events(const struct callgrind *callgrind,
                         const uint64_t events[CALLGRIND_EVENTS])
{
    int last = CALLGRIND_EVENTS;
    while (callgrind->by_address && last > 0 &&
           (!callgrind->has[last - 1] || !events[last - 1]))
        last--;
    for (int i = 0; i < last; i++)
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

static void print_call(struct callgrind *callgrind, const struct callgrind_call *call)
{
    const struct rows *rows = callgrind->view->rows;
    print_place(callgrind, call->callee, call->place.module, "cob", "cfi", "cfn");
    fprintf(callgrind->out, "calls=%" PRIu64 " ", call->calls);
    print_position(callgrind, call->place.address,
                   call->callee == STACKS_NONE ? 0
                                               : rows->rows[call->callee].source.line);
    putc('\n', callgrind->out);
    print_position(callgrind, call->caller == STACKS_NONE ? 0 : call->place.address,
                   call->line);
    print_events(callgrind, call->events);
}

static void print_cost(const struct callgrind *callgrind,
                       const struct callgrind_cost *cost)
{
    print_position(callgrind, cost->place.address, cost->line);
    print_events(callgrind, cost->events);
}

/* Return the next cost, jump and call to print; NULL after the last one. */
static const struct callgrind_cost *next_cost(const struct callgrind *callgrind)
{
    const struct callgrind_costs *all = &callgrind->all;
    return callgrind->cost < all->count ? &all->costs[callgrind->cost] : NULL;
}

static const struct jumps_jump *next_jump(const struct callgrind *callgrind)
{
    const struct jumps *jumps = &callgrind->jumps;
    return callgrind->jump < jumps->count ? &jumps->jumps[callgrind->jump] : NULL;
}

static const struct callgrind_call *next_call(const struct callgrind *callgrind)
{
    const struct callgrind_costs *all = &callgrind->all;
    return callgrind->call < all->calls.count ? &all->calls.list[callgrind->call] : NULL;
}

/* Prints the part of the function of a row that is in MODULE, with its costs, calls and
   jumps, which are sorted by row and module. */
static void print_part(struct callgrind *callgrind, uint32_t row, uint32_t module)
{
    putc('\n', callgrind->out);
    print_place(callgrind, row, row == STACKS_NONE ? STACKS_NONE : module, "ob", "fl",
                "fn");
    for (;;) {
        const struct callgrind_cost *cost = next_cost(callgrind);
        const struct jumps_jump *jump = next_jump(callgrind);
        const struct callgrind_call *call = next_call(callgrind);
        bool has_cost = cost && cost->row == row && cost->place.module == module;
        bool has_jump = jump && jump->row == row && module == STACKS_NONE;
        bool has_call = call && call->caller == row && call->place.module == module;
        if (!has_cost && !has_jump && !has_call)
            return;
        if (has_cost && !(has_jump && jump->line < cost->line) &&
            !(has_call && call->line < cost->line)) {
            print_cost(callgrind, cost);
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

/* Prints the function of a row: a part for each module that has code of it. Prints
   nothing if the row has no costs, calls or jumps. ROW may be STACKS_NONE, for code
   outside of the profile. */
static void print_function(struct callgrind *callgrind, uint32_t row)
{
    for (;;) {
        const struct callgrind_cost *cost = next_cost(callgrind);
        const struct jumps_jump *jump = next_jump(callgrind);
        const struct callgrind_call *call = next_call(callgrind);
        bool has_cost = cost && cost->row == row;
        bool has_jump = jump && jump->row == row;
        bool has_call = call && call->caller == row;
        if (!has_cost && !has_call && !has_jump)
            return;
        uint32_t module = has_cost ? cost->place.module : STACKS_NONE;
        if (has_call && call->place.module < module)
            module = call->place.module;
        print_part(callgrind, row, module);
    }
}

/* Prints how inclusive values and numbers of calls are known. */
static void print_notes(const struct callgrind *callgrind)
{
    const struct profile *profile = callgrind->view->profile;
    const char *amounts = profile_measure(profile)->kinds ? "samples" : "bytes";
    if (callgrind->by_address)
        fprintf(callgrind->out,
                "desc: Inclusive: %s\n"
                "desc: Calls: %s1 for each place of an inlined function\n"
                "positions: instr line\n",
                profile->called.any ? "Ir with all callees, others with inlined functions"
                                    : "with inlined functions, without other callees",
                profile->called.any ? "" : "not counted; ");
    else
        fprintf(callgrind->out,
                "desc: Inclusive: %s alone\n"
                "desc: Calls: counted where blocks or targets are, else %s that show "
                "them\n"
                "positions: line\n",
                amounts, amounts);
}

/* Returns BYTES, a word for bytes or blocks, followed by their meaning, such as `Bytes
   allocated'. The caller frees it. */
static char *meaning_of_memory(const struct measure *shown, const char *bytes)
{
    return buf_format("%s %s", bytes,
                      (shown->kinds ? measure_of_kinds(CCPROF_KIND_ALLOC) : shown)->what);
}

static void print_head(const struct callgrind *callgrind,
                       const struct export_input *input)
{
    const struct profile *profile = input->view->profile;
    const struct measure *shown = profile_measure(profile);
    bool waits = profile_is_of_waits(profile), latency = profile_is_of_latency(profile);
    BUF_OWN char *bytes = meaning_of_memory(shown, "Bytes");
    BUF_OWN char *blocks = meaning_of_memory(shown, "Blocks");
    const struct {
        const char *name, *meaning;
    } events[CALLGRIND_EVENTS] = {
        [CALLGRIND_SAMPLES] = {waits     ? "Wait"
                               : latency ? "Latency"
                                         : "Samples",
                               waits     ? "Nanoseconds of waiting"
                               : latency ? "Parts of samples"
                                         : "Samples"},
        [CALLGRIND_IR] = {"Ir", "Instructions executed"},
        [CALLGRIND_DR] = {"Dr", "Loads"},
        [CALLGRIND_DW] = {"Dw", "Stores"},
        [CALLGRIND_BC] = {"Bc", "Conditional branches"},
        [CALLGRIND_BI] = {"Bi", "Indirect branches"},
        [CALLGRIND_OTHER] = {shown->event, shown->plural},
        [CALLGRIND_CALLS] = {"Calls", "Calls of the function"},
        [CALLGRIND_EXECUTIONS] = {"Executions", "Executions of the line"},
        [CALLGRIND_BYTES] = {"Bytes", bytes},
        [CALLGRIND_ALLOCATIONS] = {"Allocations", blocks},
    };
    FILE *out = callgrind->out;
    const char *command = profile_command(profile);
    BUF_OWN char *program = text_clean(command ? command : input->program);
    fprintf(out, "# callgrind format\nversion: 1\ncreator: %s\ncmd: %s\n", input->maker,
            program);
    print_notes(callgrind);
    for (int i = 0; i < CALLGRIND_EVENTS; i++)
        if (callgrind->has[i])
            fprintf(out, "event: %s : %s\n", events[i].name, events[i].meaning);
    if (callgrind->has[CALLGRIND_SAMPLES] && profile->sampling.rate && !waits)
        fprintf(out, "event: ns = %" PRIu64 " %s : Nanoseconds %s\n",
                (UINT64_C(1000000000) + profile->sampling.rate / 2) /
                    profile->sampling.rate,
                events[CALLGRIND_SAMPLES].name,
                profile->sampling.clock == PROFILE_WALL ? "on the clock" : "of CPU time");
    fputs("events:", out);
    for (int i = 0; i < CALLGRIND_EVENTS; i++)
        if (callgrind->has[i])
            fprintf(out, " %s", events[i].name);
    putc('\n', out);
}

/* Adds the calls that the stacks show, and those that were counted. */
static void add_line_calls(struct callgrind *callgrind)
{
    const struct view *view = callgrind->view;
    struct callgrind_costs *all = &callgrind->all;
    struct call_lines lines;
    bool heap = !profile_measure(view->profile)->kinds;
    call_lines_find(&lines, view->rows, &view->report->arcs);
    for (size_t i = 0; i < lines.count; i++) {
        const struct call_lines_call *line = &lines.calls[i];
        struct callgrind_call *call = &BUF_PUSH(all->calls);
        *call = (struct callgrind_call){.caller = line->caller,
                                        .line = line->line,
                                        .callee = line->callee,
                                        .place = nowhere,
                                        .calls = line->calls};
        call->events[heap ? CALLGRIND_BYTES : CALLGRIND_SAMPLES] = line->samples;
    }
    call_lines_free(&lines);
}

/* Collects the measured values of lines. A profile without measurements gets the event
   of samples, because the format requires an event. */
static void collect_lines(struct callgrind *callgrind)
{
    const struct view *view = callgrind->view;
    unsigned kind = view->profile->kind;
    bool *has = callgrind->has;
    has[CALLGRIND_SAMPLES] =
        profile_measure(view->profile)->sampled || profile_is_of_waits(view->profile);
    has[CALLGRIND_CALLS] = kind & CCPROF_KIND_COUNT;
    has[CALLGRIND_BYTES] = has[CALLGRIND_ALLOCATIONS] = kind & CCPROF_KIND_ALLOC;
    add_lines(callgrind);
    add_calls(callgrind);
    add_allocations(callgrind);
    add_line_calls(callgrind);
    jumps_find(&callgrind->jumps, view->rows, report_flows(view->report));
}

static void collect_code(struct callgrind *callgrind)
{
    const struct measure *shown = profile_measure(callgrind->view->profile);
    callgrind->by_address = true;
    for (int i = CALLGRIND_IR; i < CALLGRIND_OTHER; i++)
        callgrind->has[i] = true;
    callgrind->has[callgrind_event_of(shown)] = true;
    callgrind_add_code(&callgrind->all, callgrind->view);
}

static void collect(struct callgrind *callgrind)
{
    const struct view *view = callgrind->view;
    struct callgrind_costs *all = &callgrind->all;
    if (profile_measure(view->profile)->weigh)
        collect_code(callgrind);
    else
        collect_lines(callgrind);
    BUF_SORT(all->costs, all->count, by_line);
    BUF_SORT(all->calls.list, all->calls.count, by_caller);
    find_modules(callgrind);
    /* The folder in which the executable was compiled. Paths of files in this folder
       are written as relative paths, because callgrind_annotate does not recognize a
       file in its current folder by an absolute path. */
    struct tables *tables = view->program->count ? view->program->tables[0] : NULL;
    callgrind->here =
        tables && tables_unit_count(tables) ? tables_unit(tables, 0)->directory : "";
}

static void callgrind_write(FILE *out, const struct export_input *input)
{
    struct callgrind callgrind = {.out = out, .view = input->view};
    collect(&callgrind);
    print_head(&callgrind, input);
    for (uint32_t i = 0; i < input->view->rows->count; i++)
        print_function(&callgrind, i);
    print_function(&callgrind, STACKS_NONE);
    uint64_t totals[CALLGRIND_EVENTS] = {0};
    for (size_t i = 0; i < callgrind.all.count; i++)
        for (int k = 0; k < CALLGRIND_EVENTS; k++)
            totals[k] += callgrind.all.costs[i].events[k];
    fputs("\ntotals:", out);
    print_events(&callgrind, totals);
    free(callgrind.all.costs);
    free(callgrind.all.calls.list);
    free(callgrind.modules);
    index_free(&callgrind.all.index);
    intern_free(&callgrind.names);
    jumps_free(&callgrind.jumps);
}

const struct export_format callgrind_format = {
    .name = "callgrind",
    .help = "write calls, lines and jumps for KCachegrind",
    .kind = OUTPUTS_CALLGRIND,
    .needs = EXPORT_ADDRESSES | EXPORT_EVENTS,
    .write = callgrind_write,
};
