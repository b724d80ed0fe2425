// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/condense-inside.h"
#include "plugin/tables/memory.h"
#include "plugin/count/counter.h"
#include "plugin/count/split_blocks.h"

#include "cfganal.h"

#define LEAST_TURNS 2 // for each time that the loop is left

struct condense_local {
    class loop *loop;
    tree counter, variable;
};

// Whether somebody may look at counters meanwhile, or the function may be left.
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

// Where an edge into or out of a loop cannot have code no counter is in a register.
static bool has_plain_ends(class loop *loop)
{
    bool plain = true;
    edge e;
    edge_iterator ei;

    // It is none any more.
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

static bool pays(class loop *loop, profile_count count)
{
    profile_count ends = profile_count::zero();
    auto_vec<edge> exits = get_loop_exit_edges(loop);

    for (edge exit : exits)
        ends += exit->count();
    return count.initialized_p() && ends.initialized_p() &&
           count > ends.apply_scale(LEAST_TURNS, 1);
}

class loop *condense_quiet_loop(const struct condense_loops *loops, class loop *loop)
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
    class loop *found = condense_quiet_loop(loops, loop);

    return found && pays(found, count) ? found : NULL;
}

static void start(const struct condense_local *local)
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

static location_t location_behind(basic_block bb)
{
    const gimple *last = compat_last_stmt(bb);

    return last ? gimple_location(last) : UNKNOWN_LOCATION;
}

static void end(const struct condense_local *local)
{
    auto_vec<edge> exits = get_loop_exit_edges(local->loop);

    for (edge exit : exits) {
        tree amount = make_ssa_name(TREE_TYPE(local->variable));
        gimple_seq statements = NULL;
        gimple_seq_add_stmt(&statements, gimple_build_assign(amount, local->variable));
        gimple_seq_add_seq(
            &statements, counter_add(local->counter, amount, location_behind(exit->src)));
        gsi_insert_seq_on_edge(exit, statements);
    }
}

tree condense_local(struct condense_loops *loops, class loop *loop, tree counter)
{
    for (size_t i = 0; i < loops->count; i++)
        if (loops->locals[i].loop == loop && loops->locals[i].counter == counter)
            return loops->locals[i].variable;
    loops->locals = (struct condense_local *)memory_reserve(
        loops->locals, &loops->room, loops->count + 1, sizeof *loops->locals);
    struct condense_local *local = &loops->locals[loops->count++];
    *local = {loop, counter, create_tmp_reg(TREE_TYPE(counter), "ccprof_counter")};
    start(local);
    end(local);
    return local->variable;
}
