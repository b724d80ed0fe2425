// SPDX-License-Identifier: GPL-3.0-or-later
// The first pass of the kind. It runs just before GCC frees its flow graph, so the code
// on edges need not keep the graph valid. Code for the jump of a condition gets a block
// of its own behind the function's part, with a jump to where the condition jumped.

#include "plugin/gcc/compat.h"
#include "plugin/count/storage.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/sources.h"
#include "plugin/machine/machine.h"

namespace
{
// Code on an edge. The code of one edge is put at one place, in the order of the list.
struct edge_code {
    edge e;
    unsigned order; // in the list
    rtx_insn *code; // a sequence
};

struct insertion {
    struct machine_graph graph;
    tree counters;
    auto_vec<edge_code> on_edges;
    auto_vec<const machine_register *> registers; // by edge of the graph; NULL: none
};
} // namespace

// Makes the insns for CODE, which changes the counter's register. A lent register
// counts as not changed: its value is the same after the loop.
static rtx_insn *make_local_code(const struct machine_register *counter,
                                 struct machine_code code)
{
    if (counter->slot >= 0)
        code.registers = 0;
    return machine_make_code(code);
}

static rtx_insn *join(rtx_insn *first, rtx_insn *second)
{
    start_sequence();
    emit_insn(first);
    emit_insn(second);
    rtx_insn *made = get_insns();
    end_sequence();
    return made;
}

static rtx_insn *make_addition(const struct insertion *insertion, size_t number,
                               const struct machine_free *free_there)
{
    const struct machine_register *counter = insertion->registers[number];

    if (counter)
        return make_local_code(counter, machine_code_step(counter->reg, free_there));
    rtx_insn *made = machine_make_code(machine_code_add(
        insertion->counters, insertion->graph.edges[number].counter - 1, free_there));
    if (!options_adds_inclusive_instructions())
        return made;
    char amount[MACHINE_AMOUNT_SIZE];
    machine_amount_name(amount, number);
    return join(made, machine_make_code(machine_code_total(amount, free_there)));
}

static void put_on_edge(struct insertion *insertion, edge e, rtx_insn *code)
{
    insertion->on_edges.safe_push({e, insertion->on_edges.length(), code});
}

// Puts the code that adds the register to the counter on the edges out of the loop, and
// the code that returns a lent register.
static void leave_loop(struct insertion *insertion,
                       const struct machine_register *counter)
{
    const struct machine_graph *graph = &insertion->graph;
    unsigned index = graph->edges[counter->number].counter - 1;
    auto_vec<edge> exits = get_loop_exit_edges(counter->loop);

    for (edge exit : exits) {
        struct machine_free free_there = machine_graph_free(graph, exit);
        put_on_edge(insertion, exit,
                    machine_make_code(machine_code_flush(insertion->counters, index,
                                                         counter->reg, &free_there)));
        if (options_adds_inclusive_instructions()) {
            char amount[MACHINE_AMOUNT_SIZE];
            machine_amount_name(amount, counter->number);
            put_on_edge(insertion, exit,
                        machine_make_code(
                            machine_code_total_flush(amount, counter->reg, &free_there)));
        }
        if (counter->slot >= 0)
            put_on_edge(
                insertion, exit,
                machine_make_code(machine_code_return(counter->reg, counter->slot)));
    }
}

// Puts the code that clears the register on the edges into the loop, after the code that
// lends it.
static void enter_loop(struct insertion *insertion,
                       const struct machine_register *counter)
{
    const struct machine_graph *graph = &insertion->graph;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, counter->loop->header->preds)
        if (!flow_bb_inside_loop_p(counter->loop, e->src)) {
            struct machine_free free_there = machine_graph_free(graph, e);
            if (counter->slot >= 0)
                put_on_edge(
                    insertion, e,
                    machine_make_code(machine_code_lend(counter->reg, counter->slot)));
            put_on_edge(
                insertion, e,
                make_local_code(counter, machine_code_clear(counter->reg, &free_there)));
        }
}

static void put_in_block(rtx_insn *code, const struct machine_block *block)
{
    rtx_insn *before = block->before;

    if (!before)
        emit_insn_after_setloc(code, bb_note(block->bb), UNKNOWN_LOCATION);
    else if (before == block->first && machine_must_stay_first(before))
        emit_insn_after_setloc(code, before, INSN_LOCATION(before));
    else
        emit_insn_before_setloc(code, before, INSN_LOCATION(before));
}

// Notes that all insns of CODE belong to the counter of the edge.
static void assign_code(const rtx_insn *code, size_t edge)
{
    for (; code; code = NEXT_INSN(code))
        machine_segments_own(code, edge);
}

static void count_block(const struct insertion *insertion,
                        const struct machine_block *block)
{
    if (!insertion->graph.edges[block->number].counter)
        return;
    rtx_insn *code = make_addition(insertion, block->number, &block->free);
    assign_code(code, block->number);
    put_in_block(code, block);
}

// Returns the last insn of the part of the function that contains BB, after which code
// can be put.
static rtx_insn *end_of_part(basic_block bb)
{
    while (bb->next_bb != EXIT_BLOCK_PTR_FOR_FN(cfun) &&
           BB_PARTITION(bb->next_bb) == BB_PARTITION(bb))
        bb = bb->next_bb;
    rtx_insn *last = BB_END(bb);
    rtx_insn *next =
        bb->next_bb == EXIT_BLOCK_PTR_FOR_FN(cfun) ? NULL : BB_HEAD(bb->next_bb);
    while (NEXT_INSN(last) && NEXT_INSN(last) != next)
        last = NEXT_INSN(last);
    return BARRIER_P(last) ? last : emit_barrier_after(last);
}

// The place for the code of one edge.
namespace
{
struct place {
    edge e;
    size_t number;
    location_t location;
    rtx_insn *after, *before; // one of them is set
    bool own_block;
};
} // namespace

// Finds the place for code on the edge. JUMP is the last insn of its source block, before
// anything was inserted. A block of its own is behind the part that contains the target,
// since a jump of a condition between parts is possible where GCC has made one.
static struct place find_place(const struct machine_graph *graph, edge e, rtx_insn *jump)
{
    struct place place = {
        e, machine_graph_number(graph, e), INSN_LOCATION(jump), NULL, NULL, false};

    if (!INSN_P(jump))
        place.location = UNKNOWN_LOCATION;
    if (single_succ_p(e->src) && simplejump_p(jump))
        place.before = jump;
    else if (single_succ_p(e->src) || e->flags & EDGE_FALLTHRU)
        place.after = jump;
    else if (single_pred_p(e->dest))
        place.after = bb_note(e->dest);
    else {
        rtx_code_label *label = gen_label_rtx();
        place.own_block = true;
        place.after = emit_label_after(label, end_of_part(e->dest));
        bool redirected = redirect_jump(as_a<rtx_jump_insn *>(jump), label, 0);
        gcc_assert(redirected);
    }
    return place;
}

static void put_code(struct place *place, rtx_insn *code)
{
    assign_code(code, place->number);
    if (place->before)
        emit_insn_before_setloc(code, place->before, place->location);
    else
        place->after = emit_insn_after_setloc(code, place->after, place->location);
}

static void end_place(const struct place *place)
{
    if (!place->own_block)
        return;
    rtx target = BB_HEAD(place->e->dest);
    rtx_insn *back = emit_jump_insn_after_setloc(targetm.gen_jump(target), place->after,
                                                 place->location);
    JUMP_LABEL(back) = target;
    LABEL_NUSES(target)++;
    machine_segments_own(back, place->number);
    emit_barrier_after(back);
}

static int by_edge(const void *one, const void *other)
{
    const edge_code *a = (const edge_code *)one, *b = (const edge_code *)other;

    if (a->e->src != b->e->src)
        return a->e->src->index < b->e->src->index ? -1 : 1;
    if (a->e != b->e)
        return a->e->dest->index < b->e->dest->index ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

// Puts all code on its edges. LAST has the last insn of each basic block, by index.
static void put_all(struct insertion *insertion, const vec<rtx_insn *> &last)
{
    vec<edge_code> &list = insertion->on_edges;

    list.qsort(by_edge);
    for (unsigned i = 0; i < list.length();) {
        edge e = list[i].e;
        struct place place = find_place(&insertion->graph, e, last[e->src->index]);
        for (; i < list.length() && list[i].e == e; i++)
            put_code(&place, list[i].code);
        end_place(&place);
    }
}

static void insert_counters(struct insertion *insertion)
{
    const struct machine_graph *graph = &insertion->graph;
    auto_vec<rtx_insn *> last;
    basic_block bb;

    last.safe_grow_cleared(last_basic_block_for_fn(cfun), true);
    FOR_EACH_BB_FN (bb, cfun)
        last[bb->index] = BB_END(bb);
    insertion->registers.safe_grow(graph->edges.length() + 1, true);
    for (unsigned i = 0; i < graph->edges.length(); i++)
        insertion->registers[i] = NULL;
    for (const machine_register &counter : graph->registers)
        insertion->registers[counter.number] = &counter;
    for (const machine_jump &jump : graph->jumps)
        if (graph->edges[jump.number].counter)
            put_on_edge(insertion, jump.e,
                        make_addition(insertion, jump.number, &jump.free));
    // An edge may lead out of one loop and into another, with the same register.
    for (const machine_register &counter : graph->registers)
        leave_loop(insertion, &counter);
    for (const machine_register &counter : graph->registers)
        enter_loop(insertion, &counter);
    for (const machine_block &block : graph->blocks)
        count_block(insertion, &block);
    put_all(insertion, last);
}

static void count_function(void)
{
    struct insertion insertion;

    // Where GCC splits insns later (split5), an insn may still become a loop.
#ifndef STACK_REGS
    split_all_insns();
#endif
    df_clear_flags(DF_LR_RUN_DCE);
    df_insn_rescan_all();
    df_analyze();
    loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
    machine_graph_make(&insertion.graph);
    unsigned row = storage_make_row(MAX(insertion.graph.counters, 1));
    insertion.counters = storage_variable(row);
    machine_segments_begin(&insertion.graph, row);
    machine_calls_find(&insertion.graph);
    insert_counters(&insertion);
    machine_calls_insert(&insertion.graph);
    loop_optimizer_finalize();
}

static void execute_machine(function *fun)
{
    if (!filter_forbids_code(fun->decl) && sources_of(fun->decl))
        count_function();
}

opt_pass *passes_make_machine(void)
{
    return pass_make("ccprof_machine", PASS_RTL, execute_machine);
}
