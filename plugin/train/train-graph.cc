// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the arcs that get counters, as GCC's own profile does, and finds the source
// positions of each block.

#include "plugin/gcc/compat.h"
#include "plugin/count/blocks.h"
#include "plugin/train/train.h"

// Returns the location of the last statement that has one, or else of the first
// statement.
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

// If a goto on an edge and the last statement of the block are on different lines, GCC
// splits the edge, so that gcov does not count the line of the goto twice.
static void split_gotos(basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs) {
        location_t last = last_location(bb), locus = e->goto_locus;
        if (LOCATION_LOCUS(last) == UNKNOWN_LOCATION || RESERVED_LOCATION_P(locus) ||
            single_succ_p(bb))
            continue;
        if (LOCATION_FILE(locus) != LOCATION_FILE(last) ||
            LOCATION_LINE(locus) != LOCATION_LINE(last))
            single_succ_edge(split_edge(e))->goto_locus = locus;
    }
}

// Replaces an abnormal edge by an edge to the exit and an edge from the entry. If a block
// gets both an edge to the exit and an edge from the entry, it is split after its labels,
// so that the tree contains one of these edges.
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

// The edges with the most executions come first. A critical edge, whose counter needs a
// new block, counts as if it were executed twice as often. If two edges have the same
// weight, the one with the larger block numbers comes first.
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
// The spanning tree. PARENTS holds the connected blocks as disjoint sets: each block has
// a parent, and the root of a set is its own parent.
struct spanning_tree {
    hash_set<edge> edges;
    auto_vec<int> parents;
};
} // namespace

static int root_of_block(struct spanning_tree *tree, basic_block bb)
{
    int root = bb->index;

    while (tree->parents[root] != root)
        root = tree->parents[root] = tree->parents[tree->parents[root]];
    return root;
}

// Adds the edge to the spanning tree, unless the tree already connects the two blocks of
// the edge.
static void add_to_tree(struct spanning_tree *tree, edge e)
{
    int from = root_of_block(tree, e->src), to = root_of_block(tree, e->dest);

    if (from == to)
        return;
    tree->parents[from] = to;
    tree->edges.add(e);
}

// Adds edges that cannot have a counter and edges to the exit first, then all other edges
// by weight.
static void find_tree(struct spanning_tree *tree, const struct edge_list *list)
{
    for (int i = 0; i < last_basic_block_for_fn(cfun); i++)
        tree->parents.safe_push(i);
    tree->parents[EXIT_BLOCK] = ENTRY_BLOCK;
    for (int i = 0; i < NUM_EDGES(list); i++) {
        edge e = INDEX_EDGE(list, i);
        bool first = split_blocks_is_abnormal(e) || e->flags & EDGE_FAKE ||
                     e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun);
        if (first && !split_blocks_is_replaced(e))
            add_to_tree(tree, e);
    }
    for (int i = 0; i < NUM_EDGES(list); i++)
        if (!split_blocks_is_replaced(INDEX_EDGE(list, i)))
            add_to_tree(tree, INDEX_EDGE(list, i));
}

unsigned train_graph_make(vec<edge> *counted, vec<struct train_arc> *arcs)
{
    struct spanning_tree tree;
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
            // GCC ignores fake and abnormal edges outside of the tree.
            if (split_blocks_is_replaced(e) || (e->flags & EDGE_FAKE && !derived))
                continue;
            // As in GCC: profile.cc, is_edge_inconsistent.
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

// GCC has 16 bits for the number of lines.
static struct train_position position_in(unsigned body, location_t location,
                                         tree function)
{
    unsigned lines =
        (unsigned)LOCATION_LINE(location) - (unsigned)DECL_SOURCE_LINE(function);

    return {body, lines & 0xffff, compat_discriminator(location) & 0xffff};
}

static bool is_same_position(const struct train_position &one,
                             const struct train_position &other)
{
    return one.body == other.body && one.offset == other.offset &&
           one.discriminator == other.discriminator;
}

static unsigned number_of(struct train_positions *found, struct train_position call,
                          tree function)
{
    for (unsigned i = 0; i < found->inlined.length(); i++)
        if (found->inlined[i].function == function &&
            is_same_position(found->inlined[i].call, call))
            return i + 1;
    found->inlined.safe_push({call, function});
    return found->inlined.length();
}

// Returns the position of the code at LOCATION in SCOPE, a block of an inlined body or of
// the function's own body.
static struct train_position train_position_of(struct train_positions *found,
                                               location_t location, tree scope)
{
    while (scope && TREE_CODE(scope) == BLOCK && !inlined_function_outer_scope_p(scope))
        scope = BLOCK_SUPERCONTEXT(scope);
    if (!scope || TREE_CODE(scope) != BLOCK)
        return position_in(0, location, current_function_decl);
    tree function = BLOCK_ABSTRACT_ORIGIN(scope);
    struct train_position call =
        train_position_of(found, BLOCK_SOURCE_LOCATION(scope), BLOCK_SUPERCONTEXT(scope));
    return position_in(number_of(found, call, function), location, function);
}

// Finds the position of the code at LOCATION. Returns false if the code has no position.
static bool find_position(struct train_positions *found, location_t location,
                          struct train_position *position)
{
    tree scope = LOCATION_BLOCK(location);

    if (LOCATION_LOCUS(location) == UNKNOWN_LOCATION)
        return false;
    // GCC treats code in the outermost block of an inlined body as code of the
    // surrounding body.
    if (scope && TREE_CODE(scope) == BLOCK)
        scope = BLOCK_SUPERCONTEXT(scope);
    *position = train_position_of(found, location, scope);
    return true;
}

static void add_location(struct train_positions *found, unsigned first,
                         location_t location)
{
    struct train_position position;

    if (!find_position(found, location, &position))
        return;
    for (unsigned i = first; i < found->list.length(); i++)
        if (is_same_position(found->list[i], position))
            return;
    found->list.safe_push(position);
}

// Adds the positions of the only edge out of a block. These positions are used if no
// statement of the block has a position.
static void add_train_edge(struct train_positions *found, unsigned first, edge e)
{
    add_location(found, first, e->goto_locus);
    for (gphi_iterator phi = gsi_start_phis(e->dest); !gsi_end_p(phi); gsi_next(&phi))
        add_location(found, first, gimple_phi_arg_location_from_edge(phi.phi(), e));
}

static void add_train_block(struct train_positions *found, basic_block bb)
{
    unsigned first = found->list.length();

    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        const gimple *statement = gsi_stmt(gsi);
        if (!is_gimple_debug(statement) && !gimple_clobber_p(statement) &&
            gimple_code(statement) != GIMPLE_LABEL)
            add_location(found, first, gimple_location(statement));
    }
    if (compat_asks_edges() && first == found->list.length() && single_succ_p(bb))
        add_train_edge(found, first, single_succ_edge(bb));
}

void train_positions_find(struct train_positions *found, const vec<gimple *> &calls)
{
    for (int i = 0; i < n_basic_blocks_for_fn(cfun); i++) {
        if (i >= NUM_FIXED_BLOCKS)
            add_train_block(found, BASIC_BLOCK_FOR_FN(cfun, i));
        found->ends.safe_push(found->list.length());
    }
    for (gimple *call : calls) {
        struct train_position position;
        if (!find_position(found, gimple_location(call), &position))
            position = {TRAIN_NOWHERE, 0, 0};
        found->calls.safe_push(position);
    }
}
