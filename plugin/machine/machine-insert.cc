// SPDX-License-Identifier: GPL-3.0-or-later
// The first pass of the kind. It runs just before GCC frees its flow graph, so the code
// on edges need not keep the graph valid. A counter on a jump of a condition gets a
// block of its own behind the function's part, with a jump back.

#include "plugin/gcc/compat.h"
#include "plugin/count/storage.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/sources.h"
#include "plugin/machine/machine.h"

// Makes an insn whose text is the addition to the counter of EDGE.
static rtx make_addition(const struct machine_graph *graph, tree counters, size_t edge,
                         const struct machine_free *free_there)
{
    char *text = machine_code_add(counters, graph->edges[edge].counter - 1, free_there);
    rtx made =
        gen_rtx_ASM_INPUT_loc(VOIDmode, ggc_strdup(text), DECL_SOURCE_LOCATION(cfun->decl));

    free(text);
    return made;
}

static void count_block(const struct machine_graph *graph, tree counters,
                        const struct machine_block *block)
{
    if (!graph->edges[block->number].counter)
        return;
    rtx pattern = make_addition(graph, counters, block->number, &block->free);
    rtx_insn *made =
        block->before
            ? emit_insn_before_setloc(pattern, block->before,
                                      INSN_LOCATION(block->before))
            : emit_insn_after_setloc(pattern, bb_note(block->bb), UNKNOWN_LOCATION);
    machine_segments_own(made, block->number);
}

// Returns the last insn of the part of the function that contains BB, after which code
// can be put.
static rtx_insn *end_of_part(basic_block bb)
{
    while (bb->next_bb != EXIT_BLOCK_PTR_FOR_FN(cfun) &&
           BB_PARTITION(bb->next_bb) == BB_PARTITION(bb))
        bb = bb->next_bb;
    rtx_insn *last = BB_END(bb);
    rtx_insn *next = bb->next_bb == EXIT_BLOCK_PTR_FOR_FN(cfun)
                         ? NULL
                         : BB_HEAD(bb->next_bb);
    while (NEXT_INSN(last) && NEXT_INSN(last) != next)
        last = NEXT_INSN(last);
    return BARRIER_P(last) ? last : emit_barrier_after(last);
}

// Puts the addition behind the part that contains the jump's target: a jump of a
// condition between parts is possible where GCC has made one.
static void count_taken(const struct machine_graph *graph, tree counters,
                        const struct machine_jump *jump)
{
    rtx_code_label *label = gen_label_rtx();
    rtx target = BB_HEAD(jump->e->dest);
    location_t location = INSN_LOCATION(jump->last);
    rtx_insn *at = emit_label_after(label, end_of_part(jump->e->dest));

    at = emit_insn_after_setloc(
        make_addition(graph, counters, jump->number, &jump->free), at, location);
    machine_segments_own(at, jump->number);
    rtx_insn *back = emit_jump_insn_after_setloc(targetm.gen_jump(target), at, location);
    JUMP_LABEL(back) = target;
    LABEL_NUSES(target)++;
    machine_segments_own(back, jump->number);
    emit_barrier_after(back);
    bool redirected =
        redirect_jump(as_a<rtx_jump_insn *>(jump->last), label, 0);
    gcc_assert(redirected);
}

static void count_jump(const struct machine_graph *graph, tree counters,
                       const struct machine_jump *jump)
{
    if (!graph->edges[jump->number].counter)
        return;
    if (!(jump->e->flags & EDGE_FALLTHRU))
        return count_taken(graph, counters, jump);
    rtx_insn *made = emit_insn_after_setloc(
        make_addition(graph, counters, jump->number, &jump->free), jump->last,
        INSN_LOCATION(jump->last));
    machine_segments_own(made, jump->number);
}

static void count_function(void)
{
    struct machine_graph graph;

    df_clear_flags(DF_LR_RUN_DCE);
    df_insn_rescan_all();
    df_analyze();
    machine_graph_make(&graph);
    unsigned row = storage_make_row(MAX(graph.counters, 1));
    tree counters = storage_variable(row);
    machine_segments_begin(&graph, row);
    // Jumps first: a block's counter may go before a jump that is the block's last insn.
    for (const machine_jump &jump : graph.jumps)
        count_jump(&graph, counters, &jump);
    for (const machine_block &block : graph.blocks)
        count_block(&graph, counters, &block);
}

static void execute(function *fun)
{
    if (!filter_forbids_code(fun->decl) && sources_of(fun->decl))
        count_function();
}

opt_pass *passes_make_machine(void)
{
    return pass_make("ccprof_machine", PASS_RTL, execute);
}
