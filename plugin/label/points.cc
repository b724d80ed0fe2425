// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/label/points.h"
#include "plugin/gcc/charge.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/range.h"
#include "plugin/gcc/scopes.h"
#include "plugin/gcc/sources.h"

typedef hash_map<tree, unsigned> scope_map;

static struct part *part;
static scope_map *copies;   // of this part, by scope
static int block;           // the basic block
static unsigned block_copy; // its copy, 0: not made yet
// The latest position in each copy: an insn of that copy without one is near it.
static struct part_position *latest;
static size_t latest_room, latest_used;

static void set_position(location_t location, struct part_position *position)
{
    expanded_location at = expand_location(location);

    memset(position, 0, sizeof *position);
    position->file = sources_file(at.file);
    if (!position->file || !at.line) {
        position->file = 0;
        return;
    }
    position->line = at.line;
    if (options.position == CCPROF_POSITION_EXPRESSION)
        position->column = at.column > 0 ? at.column : 0;
}

static void position_of(location_t location, struct part_position *position)
{
    set_position(location, position);
    if (!position->column)
        return;
    struct graph_range range = range_of(location);
    position->start_line = range.start_line;
    position->start_column = range.start_column;
    position->end_line = range.end_line;
    position->end_column = range.end_column;
}

static unsigned number_of_copy(tree scope);

// Excluded scopes are folded into the nearest one that is not: there the program
// stands at the call.
static tree fold_excluded(tree scope, struct part_position *position)
{
    while (scope != scopes_root() && !sources_of(scopes_function(scope))) {
        set_position(BLOCK_SOURCE_LOCATION(scope), position);
        scope = scopes_parent(scope);
        if (!scope)
            return scopes_root();
    }
    return scope;
}

// A function that GCC split off may be inlined in the function again.  Its call is not
// written in the source, and such a call is taken to stand where the function does (GCC:
// tree-inline.cc, expand_call_inline); no call that is written stands there.
static bool is_split_off(tree scope)
{
    tree function = scopes_function(scope), parent = scopes_parent(scope);

    return function && scopes_function(parent ? parent : scopes_root()) == function &&
           LOCATION_LOCUS(BLOCK_SOURCE_LOCATION(scope)) ==
               LOCATION_LOCUS(DECL_SOURCE_LOCATION(function));
}

static unsigned source_of_copy(tree scope)
{
    tree function = scopes_function(scope);
    unsigned source = sources_of(function);

    return source && is_split_off(scope) ? sources_split_off(function) : source;
}

static unsigned make_copy(tree scope)
{
    struct part_position call;
    tree parent = scopes_parent(scope);

    set_position(BLOCK_SOURCE_LOCATION(scope), &call);
    parent = parent ? fold_excluded(parent, &call) : scopes_root();
    if (!options.position)
        call.file = call.line = 0;
    unsigned source = source_of_copy(scope);
    return part_copy(part, number_of_copy(parent), source, call.file, call.line,
                     call.column);
}

static unsigned number_of_copy(tree scope)
{
    if (scope == scopes_root())
        return 0;
    unsigned *known = copies->get(scope);
    if (known)
        return *known;
    unsigned number = make_copy(scope);
    copies->put(scope, number);
    return number;
}

static struct part_position *latest_of(unsigned copy)
{
    size_t before = latest_room;

    if (copy >= latest_room) {
        latest_room = 2 * (copy + 8);
        latest = XRESIZEVEC(struct part_position, latest, latest_room);
        memset(latest + before, 0, (latest_room - before) * sizeof *latest);
    }
    if (copy >= latest_used)
        latest_used = copy + 1;
    return &latest[copy];
}

void points_start(struct part *new_part)
{
    part = new_part;
    if (!copies)
        copies = new scope_map;
    copies->empty();
    block_copy = 0;
    if (latest_used)
        memset(latest, 0, latest_used * sizeof *latest);
    latest_used = 0;
    part->source =
        options.mark == OPTIONS_MARK_SOURCE ? sources_current() : sources_compiled(-1);
}

void points_start_block(int new_block)
{
    block = new_block;
    block_copy = 0;
}

static unsigned copy_of_block(void)
{
    if (!block_copy)
        block_copy = part_copy(part, 0, sources_compiled(block), 0, 0, 0);
    return block_copy;
}

static unsigned copy_for(tree scope, struct part_position *position)
{
    if (options.mark == OPTIONS_MARK_BLOCK)
        return copy_of_block();
    if (options.mark == OPTIONS_MARK_FUNCTION || !scope)
        return 0;
    return number_of_copy(fold_excluded(scope, position));
}

// Where nothing of a copy has been told yet, it is where its function opens.
static void set_opening(tree scope, struct part_position *position)
{
    struct part_position call;

    if (scope)
        scope = fold_excluded(scope, &call);
    bool is_of_scope = scope && options.position && options.mark != OPTIONS_MARK_BLOCK &&
                       options.mark != OPTIONS_MARK_FUNCTION;

    if (is_of_scope && !names_is_top_level(scopes_function(scope)))
        set_position(DECL_SOURCE_LOCATION(scopes_function(scope)), position);
}

static unsigned point_in(tree scope, struct part_position *position)
{
    gcc_assert(part); // points_start has been called

    unsigned copy = copy_for(scope, position);

    if (!options.position)
        memset(position, 0, sizeof *position);
    if (!position->file)
        *position = *latest_of(copy);
    if (!position->file)
        set_opening(scope, position);
    *latest_of(copy) = *position;
    return part_point(part, copy, position);
}

unsigned points_of_location(location_t location)
{
    struct part_position position;

    position_of(charge_position(location), &position);
    return point_in(scopes_at(location), &position);
}

unsigned points_of_scope(tree scope, location_t location)
{
    struct part_position position;
    bool has_position = LOCATION_LOCUS(location) != UNKNOWN_LOCATION;

    position_of(charge_position(location), &position);
    unsigned copy = copy_for(scope, &position);
    if (!copy && !part->source)
        return 0;
    if (!options.position || !has_position)
        memset(&position, 0, sizeof position);
    return part_point(part, copy, &position);
}
