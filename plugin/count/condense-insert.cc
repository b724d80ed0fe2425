// SPDX-License-Identifier: GPL-3.0-or-later
// An addition to a counter is written in one of four ways:
//
//   - deferred (counter.h): as one statement that the optimisers cannot change;
//   - in a register: during a quiet loop a register counts, and is added to the counter
//     where control leaves the loop;
//   - without a branch: the optimisers can make short conditional code, such as a
//     minimum, without a branch. This is much faster if the condition cannot be
//     predicted, but it is impossible if a counter is in the conditional code. So the
//     value of the condition is added to the counter before the condition;
//   - otherwise as three plain statements.

#include "plugin/gcc/compat.h"
#include "plugin/count/condense.h"
#include "plugin/tables/memory.h"
#include "plugin/count/blocks.h"
#include "plugin/count/counter.h"
#include "plugin/count/storage.h"

#include "cfganal.h"

// A register is worthwhile from this number of iterations per entry of a loop.
#define MIN_ITERATIONS 2

// The maximum number of statements in an arm that is counted without a branch.
#define MAX_ARM_STATEMENTS 3

// A register that counts for COUNTER while LOOP is executed.
struct condense_local {
    class loop *loop;
    tree counter, variable;
};

// Returns true if the statement may read counters or leave the function.
static bool is_loud(gimple *statement)
{
    bool calls = is_gimple_call(statement) || gimple_code(statement) == GIMPLE_ASM;

    return (calls && gimple_vdef(statement)) || split_blocks_may_not_return(statement);
}

static bool is_loud(basic_block bb)
{
    if (bb_has_abnormal_pred(bb) || bb->flags & BB_IRREDUCIBLE_LOOP)
        return true;
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi))
        if (is_loud(gsi_stmt(gsi)))
            return true;
    return false;
}

// Returns true if code can be inserted on all edges into and out of the loop.
static bool has_plain_ends(class loop *loop)
{
    bool plain = true;
    edge e;
    edge_iterator ei;

    // GCC has removed this loop.
    if (!loop->header)
        return false;
    auto_vec<edge> exits = get_loop_exit_edges(loop);
    for (edge exit : exits)
        plain &= !(exit->flags & EDGE_COMPLEX);
    FOR_EACH_EDGE (e, ei, loop->header->preds)
        plain &= !(e->flags & EDGE_COMPLEX);
    return plain && exits.length() > 0;
}

struct condense_loops condense_loops_find(void)
{
    struct condense_loops loops = {false, NULL, NULL, 0, 0};
    basic_block bb;

    if (!optimize || !current_loops || number_of_loops(cfun) <= 1 ||
        loops_state_satisfies_p(LOOPS_NEED_FIXUP)) {
        loops.any = optimize && mark_dfs_back_edges();
        return loops;
    }
    calculate_dominance_info(CDI_DOMINATORS);
    loops.quiet = (bool *)memory_zeroed(number_of_loops(cfun), sizeof *loops.quiet);
    for (class loop *loop : loops_list(cfun, 0))
        loops.quiet[loop->num] = has_plain_ends(loop);
    FOR_EACH_BB_FN (bb, cfun) {
        if (!loop_outer(bb->loop_father) || !is_loud(bb))
            continue;
        for (class loop *loop = bb->loop_father; loop; loop = loop_outer(loop))
            loops.quiet[loop->num] = false;
    }
    return loops;
}

void condense_loops_free(struct condense_loops *loops)
{
    memory_free(loops->quiet);
    memory_free(loops->locals);
}

// Returns the outermost quiet loop around LOOP, or NULL.
static class loop *quiet_loop(const struct condense_loops *loops, class loop *loop)
{
    class loop *found = NULL;

    if (!loops->quiet)
        return NULL;
    for (; loop && loop_outer(loop); loop = loop_outer(loop))
        if (loops->quiet[loop->num])
            found = loop;
    return found;
}

class loop *condense_loop(const struct condense_loops *loops, class loop *loop,
                          profile_count count)
{
    class loop *found = quiet_loop(loops, loop);
    profile_count ends = profile_count::zero();

    if (!found)
        return NULL;
    auto_vec<edge> exits = get_loop_exit_edges(found);
    for (edge exit : exits)
        ends += exit->count();
    bool pays = count.initialized_p() && ends.initialized_p() &&
                count > ends.apply_scale(MIN_ITERATIONS, 1);
    return pays ? found : NULL;
}

// Sets the register to 0 on each edge into the loop.
static void start_local(const struct condense_local *local)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, local->loop->header->preds) {
        gimple_seq statements = NULL;
        if (flow_bb_inside_loop_p(local->loop, e->src))
            continue;
        gimple_seq_add_stmt(
            &statements, gimple_build_assign(local->variable,
                                             build_zero_cst(TREE_TYPE(local->variable))));
        gsi_insert_seq_on_edge(e, statements);
    }
}

// Adds the register to the counter on each edge out of the loop.
static void end_local(const struct condense_local *local)
{
    auto_vec<edge> exits = get_loop_exit_edges(local->loop);

    for (edge exit : exits) {
        const gimple *last = compat_last_stmt(exit->src);
        tree amount = make_ssa_name(TREE_TYPE(local->variable));
        gimple_seq statements = NULL;
        gimple_seq_add_stmt(&statements, gimple_build_assign(amount, local->variable));
        gimple_seq_add_seq(&statements,
                           counter_add(local->counter, amount,
                                       last ? gimple_location(last) : UNKNOWN_LOCATION));
        gsi_insert_seq_on_edge(exit, statements);
    }
}

// Returns the register in which LOOP counts for COUNTER, and makes the register if
// necessary.
static tree find_local(struct condense_loops *loops, class loop *loop, tree counter)
{
    for (size_t i = 0; i < loops->count; i++)
        if (loops->locals[i].loop == loop && loops->locals[i].counter == counter)
            return loops->locals[i].variable;
    loops->locals = (struct condense_local *)memory_reserve(
        loops->locals, &loops->room, loops->count + 1, sizeof *loops->locals);
    struct condense_local *local = &loops->locals[loops->count++];
    *local = {loop, counter, create_tmp_reg(TREE_TYPE(counter), "ccprof_counter")};
    start_local(local);
    end_local(local);
    return local->variable;
}

static bool is_plain(edge e)
{
    return !(e->flags & (EDGE_COMPLEX | EDGE_IGNORE));
}

// Returns true if the block has few statements, and all of them are cheap and can be
// executed even if the condition is false.
static bool is_short(basic_block bb)
{
    unsigned count = 0;

    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi)) {
        const gimple *statement = gsi_stmt(gsi);
        if (counter_marked(statement))
            continue;
        bool is_cheap = is_gimple_assign(statement) && !gimple_vuse(statement) &&
                        !gimple_has_volatile_ops(statement) &&
                        !gimple_could_trap_p(statement);
        if (!is_cheap || ++count > MAX_ARM_STATEMENTS)
            return false;
    }
    return true;
}

// Returns true if the edge leads to an arm: a short block with one predecessor and one
// successor.
static bool leads_to_arm(edge e)
{
    basic_block bb = e->dest;

    return single_pred_p(bb) && single_succ_p(bb) && is_plain(single_succ_edge(bb)) &&
           gimple_seq_empty_p(phi_nodes(bb)) && is_short(bb);
}

// Returns true if the edge leaves a condition whose two paths join again after at most
// one arm each.
static bool leaves_short_condition(edge e)
{
    basic_block bb = e->src;

    if (bb == ENTRY_BLOCK_PTR_FOR_FN(cfun))
        return false;
    gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);
    bool is_condition = !gsi_end_p(last) && gimple_code(gsi_stmt(last)) == GIMPLE_COND &&
                        !stmt_could_throw_p(cfun, gsi_stmt(last));
    if (!is_condition || !is_plain(e))
        return false;
    edge other = EDGE_SUCC(bb, EDGE_SUCC(bb, 0) == e);
    if (!is_plain(other) || predictable_edge_p(e))
        return false;
    basic_block end = leads_to_arm(e) ? single_succ(e->dest) : e->dest;
    basic_block end_of_other =
        leads_to_arm(other) ? single_succ(other->dest) : other->dest;
    return end == end_of_other && end != EXIT_BLOCK_PTR_FOR_FN(cfun);
}

// Returns the edge from the condition if the optimisers might remove the branch to PLACE
// as long as no counter is at PLACE. Otherwise returns NULL.
static edge edge_to_arm(const struct condense_place *place)
{
    if (!optimize || !flag_if_conversion || optimize_function_for_size_p(cfun) ||
        place->behind)
        return NULL;
    edge e = place->on;
    basic_block bb = place->before ? gimple_bb(place->before) : place->start;
    if (bb && (!single_pred_p(bb) || !leads_to_arm(single_pred_edge(bb))))
        return NULL;
    if (bb)
        e = single_pred_edge(bb);
    return leaves_short_condition(e) ? e : NULL;
}

// Appends code that computes 1 if the condition is about to take the edge ARM, otherwise
// 0. Returns the result, which has type TYPE.
static tree is_taken(gimple_seq *statements, edge arm, tree type)
{
    gimple *condition = gsi_stmt(gsi_last_nondebug_bb(arm->src));
    tree holds = gimple_build(statements, gimple_cond_code(condition), boolean_type_node,
                              gimple_cond_lhs(condition), gimple_cond_rhs(condition));
    tree taken = gimple_convert(statements, type, holds);

    if (arm->flags & EDGE_FALSE_VALUE)
        taken = gimple_build(statements, BIT_XOR_EXPR, type, taken, build_one_cst(type));
    return taken;
}

// Returns the last known location up to STATEMENT, or up to the end of the block if
// STATEMENT is NULL. If there is none, returns the first known location in the block.
static location_t location_in(basic_block bb, gimple *statement)
{
    gimple_stmt_iterator gsi =
        statement ? gsi_for_stmt(statement) : gsi_last_nondebug_bb(bb);

    for (; !gsi_end_p(gsi); gsi_prev_nondebug(&gsi))
        if (!RESERVED_LOCATION_P(gimple_location(gsi_stmt(gsi))))
            return gimple_location(gsi_stmt(gsi));
    for (gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
        if (!RESERVED_LOCATION_P(gimple_location(gsi_stmt(gsi))))
            return gimple_location(gsi_stmt(gsi));
    return UNKNOWN_LOCATION;
}

static location_t location_of_condense_place(const struct condense_place *place)
{
    if (place->before)
        return gimple_location(place->before);
    if (place->behind)
        return location_in(gimple_bb(place->behind), place->behind);
    if (place->start)
        return location_in(place->start, NULL);
    return place->on->src == ENTRY_BLOCK_PTR_FOR_FN(cfun)
               ? UNKNOWN_LOCATION
               : location_in(place->on->src, NULL);
}

static void insert_at(const struct condense_place *place, gimple_seq statements)
{
    gimple_stmt_iterator gsi;

    if (place->before) {
        gsi = gsi_for_stmt(place->before);
        gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    } else if (place->behind) {
        gsi = gsi_for_stmt(place->behind);
        gsi_insert_seq_after(&gsi, statements, GSI_SAME_STMT);
    } else if (place->start) {
        gsi = gsi_after_labels(place->start);
        gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    } else {
        gsi_insert_seq_on_edge(place->on, statements);
    }
}

// Returns the basic block of the place, or NULL if the place is on an edge.
static basic_block block_of(const struct condense_place *place)
{
    return place->before   ? gimple_bb(place->before)
           : place->behind ? gimple_bb(place->behind)
                           : place->start;
}

// Returns true if each iteration of the loop executes the block.
static bool is_in_each_iteration(class loop *loop, basic_block bb)
{
    calculate_dominance_info(CDI_DOMINATORS);
    return bb && loop->latch && dominated_by_p(CDI_DOMINATORS, loop->latch, bb);
}

// Returns true if a counter must stay in memory when code in BB adds to it, or code on an
// edge if BB is NULL. GCC may keep the counter in a register during a loop only if each
// iteration adds to it. Otherwise GCC would have to note at each addition that the
// register must be stored after the loop.
static bool stays_in_memory(basic_block bb)
{
    if (!optimize || !current_loops || number_of_loops(cfun) <= 1)
        return false;
    if (!bb)
        return true;
    class loop *loop = bb->loop_father;
    if (!loop || !loop_outer(loop))
        return false;
    return !loop->latch || !is_in_each_iteration(loop, bb);
}

static class loop *loop_around(basic_block bb, edge e)
{
    return bb ? bb->loop_father
              : find_common_loop(e->src->loop_father, e->dest->loop_father);
}

// Returns the variable to which code in BB, or on the edge E if BB is NULL, must add for
// COUNTER: the counter itself, or in a loop a register. If each iteration of the loop
// counts, the counter itself is returned, because GCC puts it into a register without
// help.
static tree counter_or_register(tree counter, struct condense_loops *loops,
                                basic_block bb, edge e)
{
    class loop *loop =
        condense_loop(loops, loop_around(bb, e), bb ? bb->count : e->count());

    if (loop && !is_in_each_iteration(loop, bb)) {
        storage_keep_in_memory(counter);
        return find_local(loops, loop, counter);
    }
    if (stays_in_memory(bb))
        storage_keep_in_memory(counter);
    return counter;
}

// Returns true if the addition is deferred. Additions in three statements slow the
// optimisers down, which compare each counter that is read with all others. This is only
// worthwhile in loops during which the counter may be in a register. The sanitizers and
// transactional memory must not see the variable of deferred additions, which has no
// storage.
static bool is_deferred(const struct condense_loops *loops, basic_block bb, edge e)
{
    if (!optimize || flag_sanitize || flag_tm)
        return false;
    if (!loops->quiet)
        return !loops->any;
    return !quiet_loop(loops, loop_around(bb, e));
}

namespace
{
// An addition to COUNTER at PLACE. If ARM is not NULL, the addition is inserted before
// the condition that ARM leaves.
struct addition {
    const struct condense_place *place;
    tree counter;
    edge arm;
};
} // namespace

static void insert_addition(const struct addition *addition, struct condense_loops *loops,
                            bool deferred)
{
    const struct condense_place *place = addition->place;
    location_t location = location_of_condense_place(place);
    gimple_seq statements = NULL;
    basic_block bb = addition->arm ? addition->arm->src : block_of(place);

    if (deferred)
        return insert_at(place, counter_defer_one(addition->counter, location));
    tree to = counter_or_register(addition->counter, loops, bb, place->on);
    if (!addition->arm)
        return insert_at(place, counter_add_one(to, location));
    tree taken = is_taken(&statements, addition->arm, TREE_TYPE(to));
    gimple_seq_add_seq(&statements, counter_add(to, taken, location));
    gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

// All arms are found before the first insertion, because insertions make blocks longer.
void condense_insert(const struct condense_graph *graph, const tree *counters,
                     struct condense_loops *loops)
{
    auto_vec<addition> additions;
    hash_set<tree> plain; // counters that have an addition that cannot be deferred

    for (size_t i = 0; i < graph->count; i++) {
        const struct condense_place *place = &graph->places[i];
        if (!counters[i])
            continue;
        struct addition addition = {place, counters[i], edge_to_arm(place)};
        if (addition.arm || !is_deferred(loops, block_of(place), place->on))
            plain.add(addition.counter);
        additions.safe_push(addition);
    }
    for (const addition &addition : additions)
        insert_addition(&addition, loops, !plain.contains(addition.counter));
}

void condense_insert_at_mark(gimple *mark, tree counter,
                             const struct condense_loops *loops)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(mark);
    location_t location = gimple_location(mark);
    bool deferred = is_deferred(loops, gimple_bb(mark), NULL);

    if (!deferred && stays_in_memory(gimple_bb(mark)))
        storage_keep_in_memory(counter);
    gsi_insert_seq_before(&gsi,
                          deferred ? counter_defer_one(counter, location)
                                   : counter_add_one(counter, location),
                          GSI_SAME_STMT);
}
