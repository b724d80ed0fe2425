// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/label/points.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/sources.h"
#include "plugin/gcc/scopes.h"

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
    struct graph_range range = sources_range(location);
    position->start_line = range.start_line;
    position->start_column = range.start_column;
    position->end_line = range.end_line;
    position->end_column = range.end_column;
}

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

static unsigned number_of_copy(struct points *points, tree scope)
{
    struct part_position call;
    tree parent = scopes_parent(scope);

    if (scope == scopes_root())
        return 0;
    if (const unsigned *known = points->copies.get(scope))
        return *known;
    set_position(BLOCK_SOURCE_LOCATION(scope), &call);
    parent = parent ? fold_excluded(parent, &call) : scopes_root();
    if (!options.position)
        call.file = call.line = 0;
    unsigned source = source_of_copy(scope), outer = number_of_copy(points, parent);
    unsigned number =
        part_copy(points->part, outer, source, call.file, call.line, call.column);
    points->copies.put(scope, number);
    return number;
}

static struct part_position *latest_of(struct points *points, unsigned copy)
{
    if (copy >= points->latest.length())
        points->latest.safe_grow_cleared(copy + 1);
    return &points->latest[copy];
}

void points_start(struct points *points, struct part *part)
{
    points->part = part;
    points->copies.empty();
    points->block_copy = 0;
    points->latest.truncate(0);
    part->source =
        options.mark == OPTIONS_MARK_SOURCE ? sources_current() : sources_compiled(-1);
}

void points_start_block(struct points *points, int block)
{
    points->block = block;
    points->block_copy = 0;
}

static unsigned copy_for(struct points *points, tree scope,
                         struct part_position *position)
{
    if (options.mark == OPTIONS_MARK_BLOCK) {
        if (!points->block_copy)
            points->block_copy =
                part_copy(points->part, 0, sources_compiled(points->block), 0, 0, 0);
        return points->block_copy;
    }
    if (options.mark == OPTIONS_MARK_FUNCTION || !scope)
        return 0;
    return number_of_copy(points, fold_excluded(scope, position));
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

unsigned points_of_location(struct points *points, location_t location)
{
    struct part_position position;
    tree scope = scopes_at(location);

    position_of(charge_position(location), &position);
    unsigned copy = copy_for(points, scope, &position);
    if (!options.position)
        memset(&position, 0, sizeof position);
    if (!position.file)
        position = *latest_of(points, copy);
    if (!position.file)
        set_opening(scope, &position);
    *latest_of(points, copy) = position;
    return part_point(points->part, copy, &position);
}

unsigned points_of_scope(struct points *points, tree scope, location_t location)
{
    struct part_position position;
    bool has_position = LOCATION_LOCUS(location) != UNKNOWN_LOCATION;

    position_of(charge_position(location), &position);
    unsigned copy = copy_for(points, scope, &position);
    if (!copy && !points->part->source)
        return 0;
    if (!options.position || !has_position)
        memset(&position, 0, sizeof position);
    return part_point(points->part, copy, &position);
}
