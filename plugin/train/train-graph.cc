// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/blocks.h"
#include "plugin/train/train-graph.h"

// GCC takes a goto apart from the statement before it where they are in different lines,
// so that gcov does not count the goto's line twice.
static bool stands_apart(edge e, location_t last)
{
    if (RESERVED_LOCATION_P(e->goto_locus) || single_succ_p(e->src))
        return false;
    return LOCATION_FILE(e->goto_locus) != LOCATION_FILE(last) ||
           LOCATION_LINE(e->goto_locus) != LOCATION_LINE(last);
}

// The location of the last statement that has one, or else of the first statement.
static location_t last_location(basic_block bb)
{
    location_t location = UNKNOWN_LOCATION;

    for (gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_prev_nondebug(&gsi)) {
        location = gimple_location(gsi_stmt(gsi));
        if (!RESERVED_LOCATION_P(location))
            break;
    }
    return location;
}

static void split_gotos(basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs) {
        location_t last = last_location(bb), locus = e->goto_locus;
        if (LOCATION_LOCUS(last) != UNKNOWN_LOCATION && stands_apart(e, last))
            single_succ_edge(split_edge(e))->goto_locus = locus;
    }
}

// An edge that control takes by other means than code becomes one to the exit and one
// from the entry.  A block with both is split behind its labels, so that not both are off
// the tree.
static void replace_abnormal(basic_block bb)
{
    bool leaves = split_blocks_is_left_abnormally(bb);
    bool exits = split_blocks_leads_to_exit(bb);
    bool comes =
        split_blocks_is_entered_abnormally(bb) && !split_blocks_has_entry_edge(bb);

    if (leaves && !exits)
        make_edge(bb, EXIT_BLOCK_PTR_FOR_FN(cfun), EDGE_FAKE);
    if (!comes)
        return;
    make_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun), bb, EDGE_FAKE);
    if (exits || leaves) {
        gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb(bb);
        if (!split_blocks_is_receiver(gsi_stmt(gsi)))
            split_block_after_labels(bb);
    }
}

// What is executed most comes first, and a critical edge, whose counter needs a block of
// its own, as if it were executed twice as often; of two edges that are like in this the
// one with the larger numbers.
static int by_weight(const void *one, const void *other)
{
    const_edge a = *(const const_edge *)one, b = *(const const_edge *)other;
    int critical_a = EDGE_CRITICAL_P(a) ? 2 : 1, critical_b = EDGE_CRITICAL_P(b) ? 2 : 1;
    int weight_a = EDGE_FREQUENCY(a) * critical_a + critical_a;
    int weight_b = EDGE_FREQUENCY(b) * critical_b + critical_b;

    if (weight_a != weight_b)
        return weight_b - weight_a;
    return a->src->index != b->src->index ? b->src->index - a->src->index
                                          : b->dest->index - a->dest->index;
}

namespace
{
// The spanning tree: its edges, and for each block one of the same part of it, up to the
// one that stands for the part.
struct tree_of_edges {
    hash_set<edge> edges;
    auto_vec<int> parts;
};
} // namespace

static int part_of(struct tree_of_edges *tree, basic_block bb)
{
    int part = bb->index;

    while (tree->parts[part] != part)
        part = tree->parts[part] = tree->parts[tree->parts[part]];
    return part;
}

// Adds the edge, unless its ends are joined already.
static void join(struct tree_of_edges *tree, edge e)
{
    int from = part_of(tree, e->src), to = part_of(tree, e->dest);

    if (from == to)
        return;
    tree->parts[from] = to;
    tree->edges.add(e);
}

// First the edges that can have no counter, and those to the exit, then all by weight.
static void find_tree(struct tree_of_edges *tree, const struct edge_list *list)
{
    for (int i = 0; i < last_basic_block_for_fn(cfun); i++)
        tree->parts.safe_push(i);
    tree->parts[EXIT_BLOCK] = ENTRY_BLOCK;
    for (int i = 0; i < NUM_EDGES(list); i++) {
        edge e = INDEX_EDGE(list, i);
        bool first = split_blocks_is_abnormal(e) || e->flags & EDGE_FAKE ||
                     e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun);
        if (first && !split_blocks_is_replaced(e))
            join(tree, e);
    }
    for (int i = 0; i < NUM_EDGES(list); i++)
        if (!split_blocks_is_replaced(INDEX_EDGE(list, i)))
            join(tree, INDEX_EDGE(list, i));
}

unsigned train_graph_make(vec<edge> *counted, vec<struct train_arc> *arcs)
{
    struct tree_of_edges tree;
    basic_block bb;
    edge e;
    edge_iterator ei;

    flow_call_edges_add(NULL);
    add_noreturn_fake_exit_edges();
    FOR_EACH_BB_FN (bb, cfun) {
        split_gotos(bb);
        replace_abnormal(bb);
    }
    struct edge_list *list = create_edge_list();
    qsort(list->index_to_edge, NUM_EDGES(list), sizeof(edge), by_weight);
    compact_blocks();
    find_tree(&tree, list);
    FOR_BB_BETWEEN (bb, ENTRY_BLOCK_PTR_FOR_FN(cfun), NULL, next_bb)
        FOR_EACH_EDGE (e, ei, bb->succs) {
            bool derived = tree.edges.contains(e);
            // GCC ignores what control does not take by itself, off the tree.
            if (split_blocks_is_replaced(e) || (e->flags & EDGE_FAKE && !derived))
                continue;
            // GCC: profile.cc, is_edge_inconsistent.
            bool below = e->flags & EDGE_FAKE && block_ends_with_call_p(bb);
            arcs->safe_push(
                {(unsigned)bb->index, (unsigned)e->dest->index, !derived, below});
            if (!derived)
                counted->safe_push(e);
        }
    unsigned checksum = coverage_compute_cfg_checksum(cfun);
    remove_fake_edges();
    free_edge_list(list);
    return checksum;
}
