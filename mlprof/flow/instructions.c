/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solves the counts of the machine code's edges, decodes each segment, and adds a point
   for each instruction with the requested events. */

#include "mlprof/flow/instructions.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/base/terminal.h"
#include "mlprof/elf/events.h"
#include "mlprof/flow/flowcounts.h"
#include "mlprof/tables/machinetables.h"

#include <stdio.h>
#include <stdlib.h>

/* The code of one module while its points are made. */
struct maker {
    struct profile *points;
    struct instructions_rest *rest;
    const struct measure *measure;
    unsigned beside;
    const struct profile *profile;
    const struct program *program;
    const struct elffile *file;
    uint32_t module;
    uint64_t left; /* most bytes of code that may still be decoded */
    bool any;      /* a module has tables of machine code */
    bool overflow; /* a sum has more than 64 bits */
    uint64_t sums[INSTRUCTIONS_COLUMNS];
    uint64_t *starts; /* of the module's functions, sorted */
    size_t start_count, start_room;
    struct profile_target *targets; /* sorted by site */
    size_t target_count, target_room;
    /* Of the current function. */
    const struct machinetables_call *calls;
    size_t call_count;
    uint64_t start;
    bool has_calls;
};

/* Adds COUNT times WEIGHT to SUM, and returns it. */
static uint64_t add_amount(struct maker *maker, uint64_t *sum, uint64_t weight,
                           uint64_t count)
{
    uint64_t amount;
    maker->overflow |= __builtin_mul_overflow(weight, count, &amount) ||
                       __builtin_add_overflow(*sum, amount, sum);
    return amount;
}

static bool has_counters_at(const struct maker *maker, uint64_t address)
{
    struct tables_point point;
    return tables_find(maker->program->tables[maker->module], address, &point);
}

/* Returns the amount of COLUMN for one execution of INSN, or 0 if it is not requested. */
static uint64_t weigh_beside(const struct maker *maker, const struct events_insn *insn,
                             unsigned column)
{
    if (!(maker->beside >> column & 1))
        return 0;
    return column == INSTRUCTIONS_CONDITIONAL ? insn->conditional
           : column == INSTRUCTIONS_INDIRECT  ? insn->indirect
                                              : measure_of_event(column)->weigh(insn);
}

static bool weighs_beside(const struct maker *maker, const struct events_insn *insn)
{
    for (unsigned i = 0; i < INSTRUCTIONS_COLUMNS; i++)
        if (weigh_beside(maker, insn, i))
            return true;
    return false;
}

/* Adds a point with WEIGHT for each execution of an instruction, which has COUNT. */
static void add_point(struct maker *maker, const struct events_insn *insn,
                      uint64_t weight, uint64_t count)
{
    struct profile *points = maker->points;
    uint64_t amount = add_amount(maker, &points->sampling.samples, weight, count);
    uint32_t node =
        profile_append(points, PROFILE_NO_NODE, maker->module, insn->address, amount);
    for (unsigned i = 0; i < INSTRUCTIONS_COLUMNS; i++)
        shares_add(
            &points->values, node, i,
            add_amount(maker, &maker->sums[i], weigh_beside(maker, insn, i), count));
}

/* Returns whether instruction NUMBER of a block jumps back inside the block. A block's
   last instruction may jump to the block's start. */
static bool is_loop(const struct events_code *block, size_t number)
{
    const struct events_insn *insn = &block->list[number];
    uint64_t start = block->list[0].address;
    bool last = number + 1 == block->count;
    return insn->branch && !insn->call && insn->target <= insn->address &&
           (last ? insn->target > start : insn->target >= start);
}

BUF_COMPARE(by_site, struct profile_target,
            BUF_ORDER(a->site_module, b->site_module) ?: BUF_ORDER(a->site, b->site) ?:
            BUF_ORDER(a->module, b->module) ?: BUF_ORDER(a->address, b->address))

/* Sorts the amounts of indirect calls, whose sites are pairs, and their numbers of calls.
 */
static void sort_targets(struct maker *maker)
{
    for (size_t i = 0; i < maker->profile->counts.targets.count; i++)
        BUF_NEXT(maker->targets, maker->target_count, maker->target_room) =
            maker->profile->counts.targets.list[i];
    BUF_SORT(maker->targets, maker->target_count, by_site);
}

static size_t find_targets(const struct maker *maker, uint64_t site)
{
    const struct profile_target wanted = {.site_module = maker->module, .site = site};
    size_t i;
    BUF_SEARCH(i, maker->target_count, n, by_site(&maker->targets[n], &wanted) < 0);
    return i;
}

static bool is_of_site(const struct maker *maker, size_t i, uint64_t site)
{
    return i < maker->target_count && maker->targets[i].site_module == maker->module &&
           maker->targets[i].site == site;
}

/* Adds the calls of each known target of an indirect call. Leaves in CALL what is not of
   them. */
static void add_targets(struct maker *maker, struct profile_called_call *call,
                        uint64_t pair)
{
    uint64_t numbers = pair + offsetof(struct ccprof_pair, inclusive);
    size_t number = find_targets(maker, numbers);
    for (size_t i = find_targets(maker, pair); is_of_site(maker, i, pair); i++) {
        const struct profile_target *target = &maker->targets[i];
        struct profile_called_call one = *call;
        one.target_module = target->module;
        one.target = target->address;
        one.amount = target->count;
        one.count = 0;
        for (size_t k = number; is_of_site(maker, k, numbers); k++)
            if (maker->targets[k].module == target->module &&
                maker->targets[k].address == target->address)
                one.count = maker->targets[k].count;
        call->amount -= one.amount < call->amount ? one.amount : call->amount;
        call->count -= one.count < call->count ? one.count : call->count;
        BUF_PUSH(maker->points->called.calls) = one;
    }
}

/* Returns whether a function with counters begins at an address. */
static bool is_start(const struct maker *maker, uint64_t address)
{
    size_t i;
    BUF_SEARCH(i, maker->start_count, n, maker->starts[n] < address);
    return i < maker->start_count && maker->starts[i] == address;
}

/* Adds a jump in tail position that was executed COUNT times. */
static void add_jump(struct maker *maker, const struct events_insn *insn, uint64_t count)
{
    maker->rest->tails += insn->target != maker->start ? count : 0;
    BUF_PUSH(maker->points->called.calls) =
        (struct profile_called_call){.module = maker->module,
                                     .target_module = maker->module,
                                     .address = insn->address,
                                     .target = insn->target,
                                     .caller = maker->points->called.functions.count,
                                     .tail = true,
                                     .count = count};
}

/* Adds a call instruction that was executed COUNT times. */
static void add_call(struct maker *maker, const struct events_insn *insn, uint64_t count)
{
    uint64_t back = insn->address + insn->size;
    size_t i;
    BUF_SEARCH(i, maker->call_count, n, maker->calls[n].back < back);
    if (i == maker->call_count || maker->calls[i].back != back)
        return;
    uint64_t pair = maker->calls[i].pair;
    struct profile_called_call call = {
        .module = maker->module,
        .target_module = maker->module,
        .address = insn->address,
        .target = insn->target,
        .caller = maker->points->called.functions.count,
        .count = count,
        .amount = profile_count_of(maker->profile, maker->module, pair)};
    if (!call.target)
        add_targets(maker, &call, pair);
    if (call.target || call.count || call.amount)
        BUF_PUSH(maker->points->called.calls) = call;
}

static void add_insn(struct maker *maker, const struct events_code *block, size_t number,
                     uint64_t count, bool perhaps)
{
    const struct events_insn *insn = &block->list[number];
    struct instructions_rest *rest = maker->rest;
    if (insn->padding) {
        rest->padding += count;
        return;
    }
    uint64_t weight = maker->measure->weigh(insn);
    bool leaves = insn->call || (insn->branch && !insn->returns && insn->target);
    rest->system += insn->system ? count : 0;
    rest->repeats += insn->repeats ? count : 0;
    rest->unknown += insn->unknown ? count : 0;
    if (leaves && insn->target && !has_counters_at(maker, insn->target))
        rest->calls += count;
    if (insn->call && maker->call_count)
        add_call(maker, insn, count);
    if (maker->has_calls && leaves && !insn->call && is_start(maker, insn->target))
        add_jump(maker, insn, count);
    rest->loops += is_loop(block, number) ? count : 0;
    rest->skips += perhaps ? count : 0;
    add_amount(maker, &rest->all, 1, count);
    if (weight || weighs_beside(maker, insn))
        add_point(maker, insn, weight, count);
}

/* Returns the bytes that may be decoded of a module's code. The functions of a module
   share code only if the linker has folded identical functions. In a damaged file each
   function may have all of the code, and decoding would take forever. The sum of all
   functions is less than this: a linker folds a fraction of the code, and the tables of
   each function make the file larger. */
static uint64_t code_limit(const struct elffile *file)
{
    return saturate_add(saturate_multiply(4, file->size), 1 << 20);
}

/* Returns the instructions from START to END, which the caller frees. */
static struct events_code read_code(struct maker *maker, uint64_t start, uint64_t end)
{
    struct events_code code = events_read(maker->file, start, end);
    if (code.count) {
        const struct events_insn *last = &code.list[code.count - 1];
        uint64_t size = last->address + last->size - start;
        maker->left -= size < maker->left ? size : maker->left;
    }
    return code;
}

/* LEAVES says how often a jump at the end is executed that a condition may skip. Adds to
   EXECUTED the instructions that were executed. */
static void add_code(struct maker *maker, uint64_t start, uint64_t end, int64_t count,
                     int64_t leaves, bool counter, uint64_t *executed)
{
    if (count <= 0 || start >= end || maker->left == 0)
        return;
    struct events_code code = read_code(maker, start, end);
    if (counter)
        add_amount(maker, &maker->rest->counters, code.count, (uint64_t)count);
    bool far = events_ends_far(&code);
    BUF_OWN struct events_pass *passes = events_walk(&code);
    for (size_t i = 0; !counter && i < code.count; i++) {
        int64_t once = far && i + 1 == code.count ? leaves : count;
        uint64_t times = 0;
        if (once > 0)
            add_amount(maker, &times, passes[i].perhaps ? 1 : passes[i].times,
                       (uint64_t)once);
        if (!code.list[i].padding)
            *executed = saturate_add(*executed, times);
        if (times > 0)
            add_insn(maker, &code, i, times, passes[i].perhaps);
    }
    free(code.list);
}

/* Computes the executions of the function's EDGES. kirchhoff_solve reserves block 1 for
   the exit, which is vertex 0 here like the entry. No edge has more executions than all
   counters of the function together. */
static void solve(struct maker *maker, const struct machinetables *tables,
                  const struct machinetables_function *function,
                  struct kirchhoff_edge *edges)
{
    size_t blocks = (size_t)function->vertices + 1;
    BUF_OWN int64_t *sums = buf_alloc((blocks + 1) * sizeof *sums);
    uint64_t all = 0;
    for (size_t i = 0; i < function->edges; i++) {
        const struct machinetables_edge *edge =
            &tables->edges.list[function->first_edge + i];
        uint64_t count =
            edge->counter ? profile_count_of(maker->profile, maker->module, edge->counter)
                          : 0;
        all = saturate_add(all, count);
        edges[i] = (struct kirchhoff_edge){.from = edge->from ? edge->from + 1 : 0,
                                           .to = edge->to ? edge->to + 1 : 0,
                                           .known = edge->counter != 0,
                                           .count = (int64_t)count};
    }
    maker->overflow |= all > INT64_MAX;
    kirchhoff_solve(edges, function->edges, sums, blocks < 2 ? 2 : blocks);
}

/* Returns how often the code goes on from segment I to the next one, if it does so
   without a jump. */
static int64_t count_into_next(const struct machinetables *tables,
                               const struct machinetables_function *function,
                               const struct kirchhoff_edge *edges, size_t i)
{
    if (i + 1 >= function->segments)
        return 0;
    const struct machinetables_segment *next =
        &tables->segments.list[function->first_segment + i + 1];
    return edges[next->falls != MACHINETABLES_NONE ? next->falls : next->edge].count;
}

/* Returns by how much two numbers of instructions differ. */
static uint64_t difference(uint64_t one, uint64_t other)
{
    return one > other ? one - other : other - one;
}

/* Adds the function, of which SELF instructions were executed. EXECUTED has those of each
   edge. */
static void add_called(struct maker *maker, const struct machinetables *tables,
                       const struct machinetables_function *function,
                       const struct kirchhoff_edge *edges, const uint64_t *executed,
                       uint64_t self)
{
    struct profile_called *called = &maker->points->called;
    const struct machinetables_edge *list = &tables->edges.list[function->first_edge];
    if (!function->has_calls || !function->segments || !self)
        return;
    called->any = true;
    for (size_t i = 0; i < function->edges; i++) {
        uint64_t count = edges[i].count > 0 ? (uint64_t)edges[i].count : 0, counted = 0;
        add_amount(maker, &counted, list[i].instructions, count);
        maker->rest->inexact =
            saturate_add(maker->rest->inexact, difference(executed[i], counted));
    }
    BUF_PUSH(called->functions) = (struct profile_called_function){
        .module = maker->module,
        .start = tables->segments.list[function->first_segment].start,
        .self = self,
        .all = function->pair
                   ? profile_count_of(maker->profile, maker->module, function->pair)
                   : self};
}

static void add_function(struct maker *maker, const struct machinetables *tables,
                         const struct machinetables_function *function)
{
    uint64_t before = maker->rest->all, none = 0;
    BUF_OWN uint64_t *executed = buf_alloc((function->edges + 1) * sizeof *executed);
    size_t calls_before = maker->points->called.calls.count,
           functions_before = maker->points->called.functions.count;
    maker->has_calls = function->has_calls;
    maker->start =
        function->segments ? tables->segments.list[function->first_segment].start : 0;
    maker->calls = &tables->calls.list[function->first_call];
    maker->call_count = function->calls;
    BUF_OWN struct kirchhoff_edge *edges =
        buf_alloc((function->edges + 1) * sizeof *edges);
    solve(maker, tables, function, edges);
    for (size_t i = 0; i < function->segments; i++) {
        const struct machinetables_segment *segment =
            &tables->segments.list[function->first_segment + i];
        if (segment->falls != MACHINETABLES_NONE)
            add_code(maker, segment->gap, segment->start, edges[segment->falls].count, 0,
                     false, &executed[segment->falls]);
        int64_t count = edges[segment->edge].count, leaves;
        maker->overflow |= __builtin_sub_overflow(
            count, count_into_next(tables, function, edges, i), &leaves);
        add_code(maker, segment->start, segment->end, count, leaves, segment->counter,
                 segment->counter ? &none : &executed[segment->edge]);
    }
    add_called(maker, tables, function, edges, executed, maker->rest->all - before);
    /* Each call has its function. */
    if (maker->points->called.functions.count == functions_before)
        maker->points->called.calls.count = calls_before;
}

BUF_COMPARE(by_address, uint64_t, BUF_ORDER(*a, *b))

static void find_starts(struct maker *maker, const struct machinetables *tables)
{
    maker->start_count = 0;
    for (size_t i = 0; i < tables->count; i++)
        if (tables->functions[i].segments)
            BUF_NEXT(maker->starts, maker->start_count, maker->start_room) =
                tables->segments.list[tables->functions[i].first_segment].start;
    BUF_SORT(maker->starts, maker->start_count, by_address);
}

static bool add_module(struct maker *maker, struct fault *fault)
{
    struct tables *program = maker->program->tables[maker->module];
    struct machinetables tables = {0};
    if (!machinetables_read(&tables, tables_holder(program), fault)) {
        machinetables_free(&tables);
        return false;
    }
    struct elffile *file = tables.count ? events_open(tables_path(program)) : NULL;
    bool good = !tables.count || file ||
                fault_set(fault, FAULT_MISMATCH, tables_path(program),
                          "its machine code cannot be read, so its instructions cannot "
                          "be counted");
    maker->file = file;
    maker->left = file ? code_limit(file) : 0;
    maker->any |= tables.count > 0;
    find_starts(maker, &tables);
    for (size_t i = 0; good && i < tables.count; i++) {
        add_function(maker, &tables, &tables.functions[i]);
        good =
            maker->left > 0 ||
            fault_set(fault, FAULT_GARBLED, tables_path(program),
                      "the code of its functions overlaps (" CCPROF_SECTION_MACHINE ")");
    }
    elffile_close(file);
    machinetables_free(&tables);
    return good;
}

static void called_free(struct profile_called *called)
{
    free(called->calls.list);
    free(called->functions.list);
    *called = (struct profile_called){.any = false};
}

bool instructions_make(struct profile *chosen, struct instructions_rest *rest,
                       const struct program *program, const struct measure *measure,
                       unsigned beside, bool tolerant, struct fault *fault)
{
    const struct profile profile = *chosen;
    struct maker maker = {.points = chosen,
                          .rest = rest,
                          .measure = measure,
                          .beside = beside,
                          .profile = &profile,
                          .program = program};
    bool good = true;
    *rest = (struct instructions_rest){.measured = true};
    chosen->nodes.list = NULL;
    chosen->nodes.count = chosen->nodes.capacity = chosen->indexed = 0;
    chosen->sampling.samples = chosen->sampling.ccprof_samples = chosen->sampling.lost =
        0;
    chosen->sampling.stack = false;
    chosen->times = (struct times){0};
    chosen->measure = measure;
    chosen->beside = beside;
    sort_targets(&maker);
    for (uint32_t i = 0; good && i < program->count; i++) {
        if (!program->tables[i])
            continue;
        maker.module = i;
        good = add_module(&maker, fault);
        if (!good && tolerant && i > 0) {
            progress_clear();
            fprintf(stderr, "mlprof: %s: left out\n", tables_path(program->tables[i]));
            fault_clear(fault);
            good = true;
        }
    }
    free(maker.targets);
    free(maker.starts);
    shares_sort(&chosen->values);
    if (profile.runs.switched || measure != measure_of_event(MEASURE_INSTRUCTIONS))
        called_free(&chosen->called);
    profile_called_divide(&chosen->called);
    if (good && !maker.any)
        return fault_set(fault, FAULT_UNPROFILED, tables_path(program->tables[0]),
                         "the data have counts of instructions, but the program has no "
                         "tables of its machine code (section " CCPROF_SECTION_MACHINE
                         ")");
    if (good && maker.overflow)
        return fault_set(fault, FAULT_GARBLED, tables_path(program->tables[0]),
                         "its counts of instructions add up to more than 64 bits");
    return good;
}

void instructions_free(struct profile *chosen)
{
    free(chosen->nodes.list);
    called_free(&chosen->called);
    shares_free(&chosen->values);
}
