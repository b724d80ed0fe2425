// SPDX-License-Identifier: GPL-3.0-or-later
// The flow graph has two vertices for each block, one before and one after the block's
// edge. By Kirchhoff's law as many executions enter a vertex as leave it. Where code
// cannot be put on an edge of GCC's graph, or where a block already has the edge's count,
// the edge's two vertices become one: the law holds for their union.

#include "plugin/gcc/compat.h"
#include "plugin/machine/machine.h"
#include "plugin/count/blocks.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/locations.h"
#include "plugin/tables/memory.h"
#include "plugin/tables/placement.h"

// Vertex 0 is everything outside of the function: its callers, and the ends of the
// program, of a thread, or of an exception's way.
#define OUTSIDE 0

#define JUMP_COST      1.0  // a jump back from a counter of its own block
#define REGISTER_COST  0.25 // of an addition in a register, relative to one in memory
#define EXCLUSIVE_COST 1e3  // of a place where the program may fail to make progress
#define NO_PLACE       1e12 // so that the counters are elsewhere
#define MIN_WEIGHT     1e-6 // so that the cheaper code is preferred in code that never runs

static bool may_return_twice(const rtx_insn *insn)
{
    return CALL_P(insn) && find_reg_note(insn, REG_SETJMP, NULL_RTX);
}

// Nothing may be between this call and the `ret'. Linkers look for the comparison before
// the call at the function's start, and __morestack for an instruction after the `ret'.
// Unlike other calls, it keeps the registers of arguments.
bool machine_is_morestack(const rtx_insn *insn)
{
    return flag_split_stack && CALL_P(insn) && prologue_contains(insn);
}

// Returns true if the insn is of the part of a split-stack prologue that precedes the
// call of __morestack.
static bool is_split_start(const rtx_insn *insn)
{
    return flag_split_stack && JUMP_P(insn) && prologue_contains(insn) &&
           single_pred_p(BLOCK_FOR_INSN(insn)) &&
           single_pred(BLOCK_FOR_INSN(insn)) == ENTRY_BLOCK_PTR_FOR_FN(cfun);
}

// Returns true if the call, which is pure or const, certainly returns. Functions of GCC's
// runtime (__tls_get_addr, __udivti3) have no declaration.
static bool is_pure(const rtx_insn *call)
{
    rtx symbol = XEXP(XEXP(get_call_rtx_from(call), 0), 0);

    if (GET_CODE(symbol) != SYMBOL_REF)
        return false;
    tree callee = SYMBOL_REF_DECL(symbol);
    return !callee || (purity_holds(callee) && !can_throw_external(call));
}

// Returns true if the call may end without returning: by an exception, longjmp, or the
// end of the thread.
// Calls in tail position are the ends of their blocks in any case.
static bool may_not_return(const rtx_insn *insn)
{
    if (!CALL_P(insn) || SIBLING_CALL_P(insn) || machine_is_morestack(insn))
        return false;
    return !RTL_CONST_OR_PURE_CALL_P(insn) || RTL_LOOPING_CONST_OR_PURE_CALL_P(insn) ||
           !is_pure(insn);
}

static struct machine_block *start_block(struct machine_graph *graph, basic_block bb)
{
    struct machine_block block = {bb, NULL, NULL, NULL, {0, false}, 0, 0, 0, 0};

    return graph->blocks.safe_push(block);
}

// Splits the basic block into blocks.
static void split_basic_block(struct machine_graph *graph, basic_block bb)
{
    struct machine_block *block = start_block(graph, bb);
    rtx_insn *insn;
    bool ended = false;

    graph->first[bb->index] = graph->blocks.length() - 1;
    FOR_BB_INSNS (bb, insn) {
        if (!walk_makes_code(insn))
            continue;
        if (ended)
            block = start_block(graph, bb);
        if (!block->first)
            block->first = insn;
        block->last = insn;
        ended = may_not_return(insn) || may_return_twice(insn);
    }
}

// Returns true if BB ends between a load and a store that must stay adjacent.
static bool ends_exclusive(basic_block bb)
{
    rtx_insn *insn;
    int last = 0;

    FOR_BB_INSNS (bb, insn)
        if (NONDEBUG_INSN_P(insn))
            if (int now = machine_code_exclusive(insn))
                last = now;
    return last > 0;
}

// Finds the cheapest place for a counter in each block of BB, and the registers that BB
// does not use.
static void find_places(struct machine_graph *graph, basic_block bb, uint64_t usable,
                        bitmap live, struct machine_unused *unused)
{
    unsigned first = graph->first[bb->index], i = first;
    rtx_insn *insn;
    bool exclusive = ends_exclusive(bb), no_place = false;
    auto_bitmap behind; // live behind the insn

    while (i + 1 < graph->blocks.length() && graph->blocks[i + 1].bb == bb)
        i++;
    bitmap_copy(live, DF_LR_OUT(bb));
    *unused = {machine_free_at(live, usable).registers, ~(uint64_t)0};
    df_simulate_initialize_backwards(bb, live);
    FOR_BB_INSNS_REVERSE (bb, insn) {
        bitmap_copy(behind, live);
        df_simulate_one_insn_backwards(bb, insn, live);
        if (machine_is_morestack(insn))
            bitmap_ior_into(live, behind);
        if (NONDEBUG_INSN_P(insn))
            unused->idle &= ~machine_named_by(insn);
        if (!walk_makes_code(insn))
            continue;
        struct machine_block *block = &graph->blocks[i];
        struct machine_free free = machine_free_at(live, usable);
        unused->untouched &= free.registers & ~machine_set_by(insn, true);
        if (int now = machine_code_exclusive(insn))
            exclusive = now < 0;
        double cost = machine_code_cost(&free) + (exclusive ? EXCLUSIVE_COST : 0);
        no_place |= is_split_start(insn);
        if (!block->before || cost <= block->cost || machine_is_morestack(insn)) {
            block->before = insn;
            block->free = free;
            block->cost = cost;
        }
        if (insn == block->first && i > first)
            i--;
    }
    struct machine_block *block = &graph->blocks[first];
    if (no_place)
        block->cost = NO_PLACE;
    if (block->before)
        return;
    block->free = machine_free_at(live, usable);
    block->cost = machine_code_cost(&block->free);
}

namespace
{
// The graph while it is built. ABOVE makes disjoint sets of vertices: it has the parent
// of each vertex, and a root is its own parent.
struct builder {
    struct machine_graph *graph;
    auto_vec<unsigned> above;
    auto_vec<double> weights; // by edge
    struct frequencies frequencies;
    uint64_t usable;
};

// A counter that can be in a register.
struct candidate {
    double frequency;
    size_t number;
    class loop *loop;
};
} // namespace

static unsigned root_of_vertex(struct builder *builder, unsigned vertex)
{
    vec<unsigned> &above = builder->above;

    while (above[vertex] != vertex) {
        above[vertex] = above[above[vertex]];
        vertex = above[vertex];
    }
    return vertex;
}

// OUTSIDE stays the root of its set.
static void make_one(struct builder *builder, unsigned a, unsigned b)
{
    a = root_of_vertex(builder, a);
    b = root_of_vertex(builder, b);
    builder->above[MAX(a, b)] = MIN(a, b);
}

static unsigned new_vertex(struct builder *builder)
{
    unsigned vertex = builder->above.length();

    builder->above.safe_push(vertex);
    return vertex;
}

static size_t new_edge(struct builder *builder, unsigned from, unsigned to, double weight)
{
    size_t number = builder->graph->edges.length();

    builder->graph->edges.safe_push({from, to, 0, 0});
    builder->weights.safe_push(MAX(weight, MIN_WEIGHT));
    return number;
}

static bool is_last_of_bb(const struct machine_graph *graph, unsigned i)
{
    return i + 1 == graph->blocks.length() ||
           graph->blocks[i + 1].bb != graph->blocks[i].bb;
}

static void add_machine_block(struct builder *builder, unsigned i)
{
    struct machine_block *block = &builder->graph->blocks[i];
    double frequency = frequencies_of_block(&builder->frequencies, block->bb);
    bool is_local =
        machine_loops_has_register(builder->graph->loops, block->bb->loop_father);

    block->into = new_vertex(builder);
    block->out = new_vertex(builder);
    block->number =
        new_edge(builder, block->into, block->out,
                 frequency * (is_local ? REGISTER_COST : block->cost) + MIN_WEIGHT);
}

// Joins the block's ends with OUTSIDE where control may come from there or go there.
static void open_block(struct builder *builder, unsigned i)
{
    const struct machine_block *block = &builder->graph->blocks[i];
    bool last = is_last_of_bb(builder->graph, i);

    if (!last) {
        make_one(builder, block->out, OUTSIDE);
        make_one(builder, builder->graph->blocks[i + 1].into, OUTSIDE);
    } else if ((block->last && may_not_return(block->last)) ||
               !EDGE_COUNT(block->bb->succs))
        make_one(builder, block->out, OUTSIDE);
}

static const struct machine_block *last_block(const struct machine_graph *graph,
                                              basic_block bb)
{
    unsigned i = graph->first[bb->index];

    while (!is_last_of_bb(graph, i))
        i++;
    return &graph->blocks[i];
}

// Returns true if code can be put on the edge, and no block has the edge's count.
static bool has_place(edge e)
{
    if (e->flags & EDGE_COMPLEX || e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) ||
        e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun) || single_succ_p(e->src) ||
        single_pred_p(e->dest))
        return false;
    return e->flags & EDGE_FALLTHRU || machine_can_redirect(e);
}

static class loop *loop_of(edge e)
{
    return find_common_loop(e->src->loop_father, e->dest->loop_father);
}

static int by_frequency(const void *one, const void *other)
{
    const candidate *a = (const candidate *)one, *b = (const candidate *)other;

    if (a->frequency > b->frequency || a->frequency < b->frequency)
        return a->frequency > b->frequency ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void add_machine_edge(struct builder *builder, edge e)
{
    struct machine_graph *graph = builder->graph;
    unsigned from =
        e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun) ? OUTSIDE : last_block(graph, e->src)->out;
    unsigned to = e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun)
                      ? OUTSIDE
                      : graph->blocks[graph->first[e->dest->index]].into;

    if (!has_place(e))
        return make_one(builder, from, to);
    struct machine_jump jump = {e, 0,
                                machine_free_at(DF_LR_IN(e->dest), builder->usable)};
    double cost = (machine_loops_has_register(graph->loops, loop_of(e))
                       ? REGISTER_COST
                       : machine_code_cost(&jump.free)) +
                  (e->flags & EDGE_FALLTHRU ? 0 : JUMP_COST);
    jump.number =
        new_edge(builder, from, to, frequencies_of_edge(&builder->frequencies, e) * cost);
    graph->numbers.put(e, jump.number);
    graph->jumps.safe_push(jump);
}

// Moves the most frequent counters in loops into registers.
static void choose_registers(struct builder *builder)
{
    struct machine_graph *graph = builder->graph;
    auto_vec<candidate> candidates;
    struct machine_slots slots;

    slots.count = machine_code_slots();
    for (const machine_block &block : graph->blocks)
        if (graph->edges[block.number].counter)
            candidates.safe_push({frequencies_of_block(&builder->frequencies, block.bb),
                                  block.number, block.bb->loop_father});
    for (const machine_jump &jump : graph->jumps)
        if (graph->edges[jump.number].counter)
            candidates.safe_push({frequencies_of_edge(&builder->frequencies, jump.e),
                                  jump.number, loop_of(jump.e)});
    candidates.qsort(by_frequency);
    for (const candidate &c : candidates) {
        unsigned reg;
        int slot;
        if (class loop *loop = machine_loops_take(&graph->loops, &slots, c.loop,
                                                  c.frequency, &reg, &slot))
            graph->registers.safe_push({c.number, reg, slot, loop});
    }
    for (machine_block &block : graph->blocks)
        block.free.registers &=
            ~machine_loops_reserved(graph->loops, block.bb->loop_father);
    for (machine_jump &jump : graph->jumps)
        jump.free = machine_graph_free(graph, jump.e);
}

// Numbers the sets of vertices.
static void number_vertices(struct builder *builder)
{
    struct machine_graph *graph = builder->graph;
    auto_vec<unsigned> numbers;

    numbers.safe_grow_cleared(builder->above.length(), true);
    for (unsigned i = 0; i < builder->above.length(); i++)
        if (builder->above[i] == i)
            numbers[i] = graph->vertices++;
    for (machine_edge &e : graph->edges) {
        e.from = numbers[root_of_vertex(builder, e.from)];
        e.to = numbers[root_of_vertex(builder, e.to)];
    }
}

// spanning_choose has two vertices for entry and exit: here both are OUTSIDE, and vertex
// 1 is without edges.
static void choose_counters(struct builder *builder)
{
    struct machine_graph *graph = builder->graph;
    size_t count = graph->edges.length();
    struct spanning_edge *choices =
        (struct spanning_edge *)memory_zeroed(count + 1, sizeof *choices);

    for (size_t i = 0; i < count; i++) {
        const machine_edge *e = &graph->edges[i];
        choices[i].from = e->from ? e->from + 1 : 0;
        choices[i].to = e->to ? e->to + 1 : 0;
        choices[i].wish = SPANNING_ANY;
        choices[i].weight = builder->weights[i];
    }
    spanning_choose(choices, count, graph->vertices + 1);
    for (size_t i = 0; i < count; i++)
        if (choices[i].role == SPANNING_COUNTER)
            graph->edges[i].counter = ++graph->counters;
    memory_free(choices);
}

void machine_graph_make(struct machine_graph *graph)
{
    struct builder builder = {graph, {}, {}, frequencies_make(), machine_usable()};
    auto_vec<machine_unused> unused;
    auto_bitmap live;
    basic_block bb;
    edge e;
    edge_iterator ei;

    graph->usable = builder.usable;
    unused.safe_grow_cleared(last_basic_block_for_fn(cfun), true);
    graph->vertices = graph->counters = 0;
    graph->first.safe_grow_cleared(last_basic_block_for_fn(cfun), true);
    FOR_EACH_BB_FN (bb, cfun) {
        split_basic_block(graph, bb);
        find_places(graph, bb, builder.usable, live, &unused[bb->index]);
    }
    machine_loops_find(&graph->loops, unused, &builder.frequencies);
    new_vertex(&builder);
    for (unsigned i = 0; i < graph->blocks.length(); i++)
        add_machine_block(&builder, i);
    for (unsigned i = 0; i < graph->blocks.length(); i++)
        open_block(&builder, i);
    FOR_BB_BETWEEN (bb, ENTRY_BLOCK_PTR_FOR_FN(cfun), EXIT_BLOCK_PTR_FOR_FN(cfun),
                    next_bb)
        FOR_EACH_EDGE (e, ei, bb->succs)
            add_machine_edge(&builder, e);
    number_vertices(&builder);
    choose_counters(&builder);
    choose_registers(&builder);
    frequencies_free(&builder.frequencies);
}

size_t machine_graph_number(const struct machine_graph *graph, edge e)
{
    if (size_t *number = const_cast<machine_graph *>(graph)->numbers.get(e))
        return *number;
    return single_succ_p(e->src) ? last_block(graph, e->src)->number
                                 : graph->blocks[graph->first[e->dest->index]].number;
}

struct machine_free machine_graph_free(const struct machine_graph *graph, edge e)
{
    struct machine_free free = machine_free_at(DF_LR_IN(e->dest), graph->usable);

    free.registers &= ~(machine_loops_reserved(graph->loops, e->src->loop_father) |
                        machine_loops_reserved(graph->loops, e->dest->loop_father));
    return free;
}

size_t machine_graph_falls(const struct machine_graph *graph, basic_block bb)
{
    edge e = find_fallthru_edge(bb->succs);

    return !e || e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) ? MACHINE_NO_EDGE
                                                        : machine_graph_number(graph, e);
}
