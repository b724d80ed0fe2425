// SPDX-License-Identifier: GPL-3.0-or-later
// The RTL pass runs before the lengths of insns are computed, when no insn is duplicated,
// moved or deleted any more. A label is a note of the deleted-label kind: final prints it
// as a local label, and nothing else in GCC reads it.

#include "plugin/gcc/compat.h"
#include "plugin/label/label.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/gcc/sources.h"

static void set_position(location_t location, struct part_position *position)
{
    expanded_location expanded = expand_location(location);

    memset(position, 0, sizeof *position);
    position->file = sources_file(expanded.file);
    if (!position->file || !expanded.line) {
        position->file = 0;
        return;
    }
    position->line = expanded.line;
    if (options.position == CCPROF_POSITION_EXPRESSION)
        position->column = expanded.column > 0 ? expanded.column : 0;
}

static void part_position_of(location_t location, struct part_position *position)
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

// Returns SCOPE, or the nearest scope around it that is not excluded. If the result is
// not SCOPE itself, sets *POSITION to the position of the call in the resulting scope.
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

// Returns true if the scope is a part that GCC has split off a function and then inlined
// into this function again. The source has no such call. GCC gives it the location of the
// function itself (tree-inline.cc, expand_call_inline), where no call of the source can
// be.
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

// Sets the position of a copy's first point to the position of the function, if the point
// has no other position.
static void set_function_position(tree scope, struct part_position *position)
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

    part_position_of(charge_position(location), &position);
    unsigned copy = copy_for(points, scope, &position);
    if (!options.position)
        memset(&position, 0, sizeof position);
    if (!position.file)
        position = *latest_of(points, copy);
    if (!position.file)
        set_function_position(scope, &position);
    *latest_of(points, copy) = position;
    return part_point(points->part, copy, &position);
}

unsigned points_of_scope(struct points *points, tree scope, location_t location)
{
    struct part_position position;
    bool has_position = LOCATION_LOCUS(location) != UNKNOWN_LOCATION;

    part_position_of(charge_position(location), &position);
    unsigned copy = copy_for(points, scope, &position);
    if (!copy && !points->part->source)
        return 0;
    if (!options.position || !has_position)
        memset(&position, 0, sizeof position);
    return part_point(points->part, copy, &position);
}

static struct label_parts current;

const struct label_parts *label_current(void)
{
    return &current;
}

// Turns NOTE into a label. GCC makes notes of this kind only from real labels (GCC:
// cfgrtl.cc, delete_insn), and emit_note does not accept the kind. So the caller makes a
// note of another kind.
static void make_label(rtx_note *note, unsigned *label)
{
    *label = CODE_LABEL_NUMBER(gen_label_rtx());
    NOTE_KIND(note) = NOTE_INSN_DELETED_LABEL;
    CODE_LABEL_NUMBER(note) = *label;
    NOTE_DELETED_LABEL_NAME(note) = NULL;
}

static unsigned label_before(rtx_insn *insn)
{
    unsigned label;

    make_label(emit_note_before(NOTE_INSN_DELETED, insn), &label);
    return label;
}

static unsigned label_after(rtx_insn *insn)
{
    unsigned label;

    make_label(emit_note_after(NOTE_INSN_DELETED, insn), &label);
    return label;
}

// Restores the original, because GCC makes its debug information from the locations
// later.
static void restore_location(rtx_insn *insn)
{
    INSN_LOCATION(insn) = charge_original(INSN_LOCATION(insn));
}

namespace
{
// The state of the walk through the parts.
struct parts_walk {
    struct part *part = NULL;
    unsigned point = 0; // point of the previous insn; 0: none yet
    struct walk walk = {};
    struct points points;
};
} // namespace

static void start_part(struct parts_walk *walk, unsigned label)
{
    gcc_assert(current.count < LABEL_PARTS);
    walk->part = &current.parts[current.count++];
    walk->point = 0;
    part_clear(walk->part);
    walk->part->start_label = label;
    points_start(&walk->points, walk->part);
}

static void label_insn(struct parts_walk *walk, rtx_insn *insn)
{
    location_t location = walk_location(&walk->walk, insn);
    unsigned point = location ? points_of_location(&walk->points, location) : 0;

    if (point && point != walk->point) {
        part_enter(walk->part, label_before(insn), point);
        walk->point = point;
    }
}

// Returns the first insn that may have a label before it. No note may be inserted before
// it, because the pass final depends on the notes at the start of a function (GCC:
// final.cc, final_start_function_1).
static rtx_insn *first_real_insn(void)
{
    rtx_insn *insn = get_insns();

    while (insn && !NONDEBUG_INSN_P(insn))
        insn = NEXT_INSN(insn);
    return insn ? insn : get_last_insn();
}

// NOTE switches to the other section. Ends the part there and starts the next part.
// Returns the note after which the next part begins.
static rtx_insn *switch_part(struct parts_walk *walk, rtx_insn *note)
{
    walk->part->end_label = label_before(note);
    start_part(walk, label_after(note));
    return NEXT_INSN(note);
}

static void label_function(void)
{
    rtx_insn *insn = first_real_insn();
    struct parts_walk walk;

    current.count = 0;
    start_part(&walk, label_before(insn));
    points_start_block(&walk.points, ENTRY_BLOCK_PTR_FOR_FN(cfun)->next_bb->index);
    for (; insn; insn = NEXT_INSN(insn)) {
        if (walk_starts_block(insn))
            walk_start_block(&walk.walk);
        if (NOTE_INSN_BASIC_BLOCK_P(insn))
            points_start_block(&walk.points, NOTE_BASIC_BLOCK(insn)->index);
        else if (walk_starts_block(insn))
            insn = switch_part(&walk, insn);
        else if (walk_makes_code(insn))
            label_insn(&walk, insn);
    }
    walk.part->end_label = label_after(get_last_insn());
}

// Finds the notes of this pass by their numbers, which are the highest of the function.
void label_remove_notes(void)
{
    for (rtx_insn *insn = get_insns(), *next; insn; insn = next) {
        next = NEXT_INSN(insn);
        if (NOTE_P(insn) && NOTE_KIND(insn) == NOTE_INSN_DELETED_LABEL &&
            (unsigned)CODE_LABEL_NUMBER(insn) >= current.parts[0].start_label)
            remove_insn(insn);
    }
}

void label_restore_locations(void)
{
    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
        if (!INSN_P(insn))
            continue;
        restore_location(insn);
        if (const rtx_sequence *sequence = dyn_cast<rtx_sequence *>(PATTERN(insn)))
            for (int i = 0; i < sequence->len(); i++)
                restore_location(sequence->insn(i));
    }
    charge_forget();
}

static void execute_label(function *)
{
    label_function();
    label_restore_locations();
}

opt_pass *passes_make_label(void)
{
    return pass_make("ccprof_label", PASS_RTL, execute_label);
}
