// SPDX-License-Identifier: GPL-3.0-or-later
// Makes and recognizes markers, hides them from GCC's messages, and finds the scope at
// each point by a data flow analysis.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/scopes.h"

#define FILE_NAME    "<ccprof>"
#define PRIVATE_LINE (MARKERS_RESUME + 1)

static bool are_on;
static location_t locations[PRIVATE_LINE + 1]; // by line of <ccprof>

// The debug level decides about debug markers in finish_options (GCC: opts.cc), unless
// the option -gstatement-frontiers is marked as set. So the option is marked as set here.
// Otherwise `#pragma GCC optimize' would compute the option again, and GCC does not
// inline functions with different option nodes into each other.
void markers_switch_on(void)
{
    bool linking = !strcmp(lang_hooks.name, "GNU GIMPLE");

    are_on = debug_info_level == DINFO_LEVEL_NONE && !flag_dump_final_insns &&
             (optimize || linking);
    if (!are_on)
        return;
    debug_nonbind_markers_p = 1;
    global_options_set.x_debug_nonbind_markers_p = 1;
    param_max_debug_marker_count = INT_MAX;
    global_options_set.x_param_max_debug_marker_count = 1;
}

void markers_keep_in_clones(void)
{
    lang_hooks.emits_begin_stmt = true;
}

bool markers_are_on(void)
{
    return are_on;
}

bool markers_can_watch(void)
{
    return are_on || (optimize && debug_nonbind_markers_p && !flag_dump_final_insns);
}

// Makes the line map, unless the line table is nearly full: a map at the end of the table
// would cover every location (GCC: line-map.cc, linemap_add).
static void make_line_map(void)
{
    const location_t room = 64;

    if (line_table->highest_location >= LINE_MAP_MAX_LOCATION - room)
        return;
    linemap_add(line_table, LC_RENAME, 0, FILE_NAME, 1);
    for (int line = 1; line <= PRIVATE_LINE; line++)
        locations[line] = linemap_line_start(line_table, line, 1);
}

static location_t location_of_line(int line)
{
    static bool tried;

    if (!tried)
        make_line_map();
    tried = true;
    return locations[line];
}

location_t markers_private_location(void)
{
    return location_of_line(PRIVATE_LINE);
}

gimple *markers_build(enum markers_kind kind)
{
    location_t location = location_of_line(kind);

    if (location == UNKNOWN_LOCATION)
        return NULL;
    cfun->debug_nonbind_markers = true;
    return gimple_build_debug_begin_stmt(DECL_INITIAL(current_function_decl), location);
}

// A hidden marker has a range but no position.
static bool is_hidden(location_t location)
{
    return location != UNKNOWN_LOCATION && LOCATION_LOCUS(location) == UNKNOWN_LOCATION;
}

static location_t range_start(location_t location)
{
    return get_range_from_loc(line_table, location).m_start;
}

enum markers_kind markers_kind_of(const gimple *stmt)
{
    if (!gimple_debug_begin_stmt_p(stmt))
        return MARKERS_NONE;
    location_t location = gimple_location(stmt);
    expanded_location position =
        expand_location(is_hidden(location) ? range_start(location) : location);
    // At link time the name may have a folder in front (GCC: lto-streamer-in.cc,
    // canon_file_name).
    if (!position.file || strcmp(lbasename(position.file), FILE_NAME) ||
        position.line < MARKERS_ENTER || position.line > MARKERS_RESUME)
        return MARKERS_NONE;
    return (enum markers_kind)position.line;
}

static void set_hidden(bool hidden)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gimple *stmt = gsi_stmt(gsi);
            location_t location = gimple_location(stmt);
            // Without a block, a location without a position cannot have a range.
            if (!markers_kind_of(stmt) || is_hidden(location) == hidden ||
                !gimple_block(stmt))
                continue;
            location_t kind = hidden ? LOCATION_LOCUS(location) : range_start(location);
            gimple_set_location(stmt, compat_location(hidden ? UNKNOWN_LOCATION : kind,
                                                      source_range::from_location(kind),
                                                      gimple_block(stmt)));
        }
    }
}

void markers_hide(void)
{
    set_hidden(true);
}

void markers_show(void)
{
    set_hidden(false);
}

static void remove_markers(bool ours, bool others)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);) {
            gimple *stmt = gsi_stmt(gsi);
            if (is_gimple_debug(stmt) && gimple_debug_nonbind_marker_p(stmt) &&
                (markers_kind_of(stmt) ? ours : others))
                gsi_remove(&gsi, true);
            else
                gsi_next(&gsi);
        }
    }
}

void markers_remove_others(void)
{
    remove_markers(false, are_on);
}

// At link time markers may occur in a compilation with debug information.
void markers_remove_all(void)
{
    remove_markers(true, are_on);
    if (are_on)
        cfun->debug_nonbind_markers = false;
}

// The data flow analysis

tree dataflow_after(const gimple *stmt, tree state)
{
    tree scope;

    switch (markers_kind_of(stmt)) {
    case MARKERS_ENTER:
    case MARKERS_RESUME:
        return scopes_of_block(gimple_block(stmt));
    case MARKERS_LEAVE:
        scope = scopes_of_block(gimple_block(stmt));
        return scope ? scopes_parent(scope) : NULL_TREE;
    case MARKERS_NONE:
        break;
    }
    return state;
}

// Only the last marker of a block has an effect on the state at its end.
static void find_effect(basic_block bb, struct dataflow_state *state)
{
    for (gimple_stmt_iterator gsi = gsi_last_bb(bb); !gsi_end_p(gsi); gsi_prev(&gsi)) {
        if (!markers_kind_of(gsi_stmt(gsi)))
            continue;
        state->marked = true;
        state->at_end = dataflow_after(gsi_stmt(gsi), NULL_TREE);
        return;
    }
}

// Returns true if the state at the end of the block has changed.
static bool flow_into(struct dataflow_state *to, tree state)
{
    bool first = !to->reached;
    tree before = to->at_end;

    if (!first && to->at_start != state)
        to->joined = true;
    to->at_start = first ? state : scopes_common(to->at_start, state);
    to->reached = true;
    if (!to->marked)
        to->at_end = to->at_start;
    return first || to->at_end != before;
}

static bool flow_out_of(basic_block bb, struct dataflow_state *states)
{
    bool changed = false;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs)
        if (e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun))
            changed |= flow_into(&states[e->dest->index], states[bb->index].at_end);
    return changed;
}

static bool flow_once(struct dataflow_state *states, const int *order, int count)
{
    bool changed = false;

    for (int i = 0; i < count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
        if (states[bb->index].reached)
            changed |= flow_out_of(bb, states);
    }
    return changed;
}

struct dataflow_state *dataflow_compute(void)
{
    struct dataflow_state *states =
        XCNEWVEC(struct dataflow_state, last_basic_block_for_fn(cfun));
    int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
    int count = pre_and_rev_post_order_compute_fn(cfun, NULL, order, false);
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        find_effect(bb, &states[bb->index]);
    flow_out_of(ENTRY_BLOCK_PTR_FOR_FN(cfun), states);
    while (flow_once(states, order, count))
        ;
    free(order);
    return states;
}
