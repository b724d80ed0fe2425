// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the loops of the current function, records them at several passes of GCC, and
// writes the remarks.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/gcc/sources.h"
#include "plugin/gcc/locations.h"
#include "plugin/label/emit.h"
#include "plugin/label/label.h"
#include "plugin/remarks/loops.h"

namespace
{
// A loop of GCC at the last call of loops_record.
struct seen {
    int number;    // GCC's number of the loop
    unsigned loop; // its number in the remarks
    bool removed;  // a message about its removal was found
    // Where GCC's messages report the loop.
    location_t reported;
};

// Positions of a loop of GCC.
struct places {
    unsigned exits;       // number of edges that leave the loop
    location_t condition; // of the last such edge
    location_t header;    // first position in the loop's header
    location_t any;       // first position in the loop
    tree scope;           // of the head
    location_t head;      // in SCOPE
    const char *file;     // of the head
    bool is_new;
    unsigned loop; // its number in the remarks; 0: none
};
} // namespace

// The current function.
static struct {
    unsigned uid; // DECL_UID of the function
    struct remarks remarks;
    struct points points; // its part is that of the remarks
    bool complete;        // no more loops are added
    struct seen *seen;
    size_t seen_count, seen_room;
} current;

bool loops_are_told(void)
{
    return options.remarks && options.profile == OPTIONS_PROFILE_MEASURE &&
           options.mark == OPTIONS_MARK_SOURCE &&
           options.position != CCPROF_POSITION_NONE;
}

// Makes the current function the one whose loops are collected.
static void begin_function(void)
{
    unsigned uid = DECL_UID(current_function_decl);

    if (current.uid != uid) {
        remarks_clear(&current.remarks);
        points_start(&current.points, &current.remarks.part);
        current.uid = uid;
        current.complete = false;
        current.seen_count = 0;
    }
    // Blocks may have been freed since the last pass, and their memory reused.
    current.points.copies.empty();
}

void loops_remark(unsigned loop, enum ccprof_remark what, unsigned number, unsigned line,
                  const char *text, const char *about)
{
    const struct remarks_remark remark = {loop,
                                          what,
                                          number,
                                          line,
                                          unit_string(&sources_unit, text ? text : ""),
                                          unit_string(&sources_unit, about ? about : "")};
    remarks_add(&current.remarks, &remark);
}

// Sets the copy, file and head of LOOP to the copy of SCOPE and to LOCATION. Returns
// false if LOCATION has no position or is in no source.
static bool set_head(struct remarks_loop *loop, tree scope, location_t location)
{
    if (LOCATION_LOCUS(location) <= BUILTINS_LOCATION)
        return false;
    unsigned number = points_of_scope(&current.points, scope, location);
    if (!number)
        return false;
    const struct part_point *point =
        (const struct part_point *)distinct_get(&current.remarks.part.points, number);
    loop->copy = point->copy;
    loop->file = point->position.file;
    loop->head = {point->position.line, point->position.column};
    return loop->file;
}

// Returns the scope, or the scope around it that is not excluded.
static tree included_scope(tree scope)
{
    while (scope && scope != scopes_root() && !sources_of(scopes_function(scope)))
        scope = scopes_parent(scope);
    return scope ? scope : scopes_root();
}

// Returns the position of LOCATION in SCOPE: the position itself, or that of the call in
// SCOPE that contains it. Returns UNKNOWN_LOCATION if LOCATION is not in SCOPE.
static location_t position_in(location_t location, tree scope)
{
    tree block = scopes_at(location);

    while (block && block != scope) {
        location = BLOCK_SOURCE_LOCATION(block);
        block = scopes_parent(block);
    }
    return block == scope ? location : UNKNOWN_LOCATION;
}

static bool is_place_before(const struct remarks_place *a, const struct remarks_place *b)
{
    return a->line < b->line || (a->line == b->line && a->column < b->column);
}

// Extends the range of LOOP by the statement, if it is in the same copy and file.
static void extend_range(struct remarks_loop *loop, const char *file, location_t location)
{
    if (!file || LOCATION_LOCUS(location) <= BUILTINS_LOCATION)
        return;
    expanded_location expanded = expand_location(location);
    if (!expanded.file || !expanded.line ||
        (expanded.file != file && strcmp(expanded.file, file) != 0))
        return;
    struct remarks_place place = {
        (unsigned)expanded.line,
        loop->head.column && expanded.column > 0 ? (unsigned)expanded.column : 0};
    if (is_place_before(&place, &loop->first))
        loop->first = place;
    if (is_place_before(&loop->last, &place))
        loop->last = place;
}

// Returns the number of the recorded loop with the head of LOOP, or else of the innermost
// one around it; 0: none.
static unsigned find_recorded(const struct remarks_loop *loop)
{
    for (size_t i = 0; i < current.remarks.loop_count; i++) {
        const struct remarks_loop *known = &current.remarks.loops[i];
        if (known->copy == loop->copy && known->file == loop->file &&
            known->head.line == loop->head.line &&
            known->head.column == loop->head.column)
            return (unsigned)i + 1;
    }
    return remarks_find_around(&current.remarks, loop->copy, loop->file, loop->head.line,
                               loop->head.column);
}

// Calls VISIT for each statement of the function that is in a loop and has a position,
// and for each loop around it.
static void walk_statements(struct places *places,
                            void (*visit)(struct places *places, class loop *loop,
                                          gimple *statement))
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        if (!bb->loop_father || !loop_outer(bb->loop_father))
            continue;
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gimple *statement = gsi_stmt(gsi);
            if (is_gimple_debug(statement) ||
                LOCATION_LOCUS(gimple_location(statement)) <= BUILTINS_LOCATION)
                continue;
            for (class loop *loop = bb->loop_father; loop_outer(loop);
                 loop = loop_outer(loop))
                visit(&places[loop->num], loop, statement);
        }
    }
}

static void find_first(struct places *places, class loop *loop, gimple *statement)
{
    tree block = scopes_of_block(LOCATION_BLOCK(gimple_location(statement)));

    // A test may be in a function that is inlined in the loop, but all of the loop is in
    // the copy that contains the loop.
    if (block)
        places->scope = places->scope ? scopes_common(places->scope, block) : block;
    if (places->any == UNKNOWN_LOCATION)
        places->any = gimple_location(statement);
    if (places->header == UNKNOWN_LOCATION && gimple_bb(statement) == loop->header)
        places->header = gimple_location(statement);
}

static void find_range(struct places *places, class loop *, gimple *statement)
{
    if (places->is_new)
        extend_range(&current.remarks.loops[places->loop - 1], places->file,
                     position_in(gimple_location(statement), places->scope));
}

// Finds the condition at the only exit of each loop. GCC's function for this needs a list
// of exits, which not every pass has.
static void find_exits(struct places *places)
{
    basic_block bb;
    edge e;
    edge_iterator ei;

    FOR_EACH_BB_FN (bb, cfun)
        FOR_EACH_EDGE (e, ei, bb->succs)
            for (class loop *loop = bb->loop_father;
                 loop && loop_outer(loop) && !flow_bb_inside_loop_p(loop, e->dest);
                 loop = loop_outer(loop)) {
                gimple *last = gsi_stmt(gsi_last_nondebug_bb(bb));
                places[loop->num].exits++;
                if (last && gimple_code(last) == GIMPLE_COND)
                    places[loop->num].condition = gimple_location(last);
            }
}

// Chooses the position that GCC's messages about the loop have: the condition at its only
// exit (GCC: tree-vect-loop-manip.cc, find_loop_location). If there are several exits,
// GCC's choice varies from pass to pass; then the head is the first position in the text.
static void choose_head(struct places *places)
{
    bool single =
        places->exits == 1 && LOCATION_LOCUS(places->condition) > BUILTINS_LOCATION;
    location_t head = single                               ? places->condition
                      : places->header != UNKNOWN_LOCATION ? places->header
                                                           : places->any;

    places->scope = included_scope(places->scope ? places->scope : scopes_at(head));
    places->head = position_in(head, places->scope);
    places->file = expand_location(places->head).file;
    places->exits = single;
}

static void find_earliest(struct places *places, class loop *, gimple *statement)
{
    if (places->exits || !places->file)
        return;
    location_t location = position_in(gimple_location(statement), places->scope);
    if (LOCATION_LOCUS(location) <= BUILTINS_LOCATION)
        return;
    expanded_location expanded = expand_location(location),
                      head = expand_location(places->head);
    if (expanded.file && !strcmp(expanded.file, places->file) &&
        (expanded.line < head.line ||
         (expanded.line == head.line && expanded.column < head.column)))
        places->head = location;
}

// Sets the number of GCC's loop in its places, and adds the loop if it is new.
static void put_loop(class loop *gcc, struct places *places)
{
    struct remarks_loop loop = {};
    struct places *place = &places[gcc->num];

    if (loop_outer(gcc))
        loop.outer = places[loop_outer(gcc)->num].loop;
    if (!set_head(&loop, place->scope, place->head)) {
        place->loop = loop.outer;
        return;
    }
    if (current.complete) {
        place->loop = find_recorded(&loop);
        return;
    }
    loop.first = loop.last = loop.head;
    place->is_new = remarks_put_loop(&current.remarks, &loop, &place->loop);
}

static void record_loop(class loop *gcc, struct places *places)
{
    struct places *place = &places[gcc->num];

    put_loop(gcc, places);
    if (!place->loop)
        return;
    current.seen = (struct seen *)memory_reserve(
        current.seen, &current.seen_room, current.seen_count + 1, sizeof *current.seen);
    current.seen[current.seen_count++] = {gcc->num, place->loop, false,
                                          find_loop_location(gcc).get_location_t()};
}

void loops_record(void)
{
    begin_function();
    current.seen_count = 0;
    if (!current_loops || loops_state_satisfies_p(LOOPS_NEED_FIXUP) ||
        number_of_loops(cfun) <= 1)
        return;
    struct places *places = XCNEWVEC(struct places, number_of_loops(cfun));
    walk_statements(places, find_first);
    find_exits(places);
    for (auto loop : loops_list(cfun, 0))
        choose_head(&places[loop->num]);
    walk_statements(places, find_earliest);
    // Outer loops come before inner ones.
    for (auto loop : loops_list(cfun, 0))
        record_loop(loop, places);
    walk_statements(places, find_range);
    free(places);
}

unsigned loops_at(location_t location)
{
    struct remarks_loop loop = {};

    // At several exits the position may be in a function that is inlined in the loop.
    for (size_t i = 0; i < current.seen_count; i++)
        if (current.seen[i].reported == location)
            return current.seen[i].loop;
    return set_head(&loop, scopes_at(location), location) ? find_recorded(&loop) : 0;
}

static bool has_verdict(unsigned loop)
{
    for (size_t i = 0; i < current.remarks.remark_count; i++) {
        const struct remarks_remark *remark = &current.remarks.remarks[i];
        if (remark->loop == loop && (remark->what == CCPROF_REMARK_VECTORIZED ||
                                     remark->what == CCPROF_REMARK_MISSED ||
                                     remark->what == CCPROF_REMARK_UNSEEN))
            return true;
    }
    return false;
}

void loops_end_vectorizer(void)
{
    for (size_t i = 0; i < current.seen_count; i++)
        if (!has_verdict(current.seen[i].loop))
            loops_remark(current.seen[i].loop, CCPROF_REMARK_MISSED, 0, 0, NULL, NULL);
}

unsigned loops_at_place(const char *file, unsigned line, unsigned column)
{
    unsigned number = sources_file(file), found = 0;

    if (options.position == CCPROF_POSITION_LINE)
        column = 0;
    for (size_t i = 0; i < current.seen_count; i++) {
        struct seen *seen = &current.seen[i];
        const struct remarks_loop *loop = &current.remarks.loops[seen->loop - 1];
        if (loop->file != number || loop->head.line != line ||
            loop->head.column != column)
            continue;
        if (!seen->removed && !get_loop(cfun, (unsigned)seen->number)) {
            seen->removed = true;
            return seen->loop;
        }
        if (!found)
            found = seen->loop;
    }
    return found;
}

tree loops_ordered_reduction(unsigned loop)
{
    if (flag_associative_math && flag_finite_math_only)
        return NULL_TREE;
    for (size_t i = 0; i < current.seen_count; i++) {
        class loop *gcc = current.seen[i].loop == loop
                              ? get_loop(cfun, (unsigned)current.seen[i].number)
                              : NULL;
        if (!gcc)
            continue;
        for (gphi_iterator psi = gsi_start_phis(gcc->header); !gsi_end_p(psi);
             gsi_next(&psi))
            if (SCALAR_FLOAT_TYPE_P(TREE_TYPE(gimple_phi_result(psi.phi()))))
                return gimple_phi_result(psi.phi());
    }
    return NULL_TREE;
}

// Records the loops before they are optimised.
static void execute_loops(function *)
{
    loops_record();
}

opt_pass *passes_make_loops(void)
{
    return pass_make("ccprof_loops", PASS_SSA, execute_loops);
}

// The option because of which the vectorizer is off.
static const char *off_option(void)
{
    if (optimize_size)
        return optimize_size > 1 ? "-Oz" : "-Os";
    return optimize > 1 ? "-fno-tree-loop-vectorize" : optimize == 1 ? "-O1" : "-O0";
}

// Tells which loops the vectorizer will skip (GCC: tree-vectorizer.cc,
// try_vectorize_loop).
static void execute_unseen(function *)
{
    loops_record();
    // Loops that are made from now on are parts of those that are known, and a vectorized
    // loop has other positions.
    current.complete = true;
    for (size_t i = 0; i < current.seen_count; i++) {
        class loop *loop = get_loop(cfun, (unsigned)current.seen[i].number);
        if (!loop || loop->force_vectorize)
            continue;
        if (!flag_tree_loop_vectorize)
            loops_remark(current.seen[i].loop, CCPROF_REMARK_UNSEEN, CCPROF_UNSEEN_OFF, 0,
                         off_option(), NULL);
        else if (!optimize_loop_nest_for_speed_p(loop))
            loops_remark(current.seen[i].loop, CCPROF_REMARK_UNSEEN, CCPROF_UNSEEN_COLD,
                         0, NULL, NULL);
    }
}

opt_pass *passes_make_unseen(void)
{
    return pass_make("ccprof_unseen", PASS_SSA, execute_unseen);
}

// Tells which loops the pass over RTL has unrolled. Its decisions are in the loops.
static void execute_unrolled(function *)
{
    if (!current_loops || current.uid != DECL_UID(current_function_decl))
        return;
    begin_function();
    for (auto loop : loops_list(cfun, 0)) {
        const struct lpt_decision *decision = &loop->lpt_decision;
        if (decision->decision == LPT_NONE || !decision->times)
            continue;
        unsigned number = loops_at(get_loop_location(loop).get_location_t());
        if (number)
            loops_remark(number, CCPROF_REMARK_UNROLLED, decision->times + 1, 0, NULL,
                         NULL);
    }
}

opt_pass *passes_make_unrolled(void)
{
    return pass_make("ccprof_unrolled", PASS_RTL, execute_unrolled);
}

static void execute_remarks(function *)
{
    static const struct encode_sink sink = {NULL, assembly_put_byte, NULL,
                                            emit_put_string};

    if (current.uid != DECL_UID(current_function_decl) || !current.remarks.loop_count)
        return;
    emit_begin_for_function(CCPROF_SECTION_REMARKS, CCPROF_TABLES_VERSION);
    remarks_encode(&current.remarks, &sink);
    assembly_pop_section();
    current.uid = 0;
}

opt_pass *passes_make_remarks(void)
{
    return pass_make("ccprof_remarks", PASS_RTL, execute_remarks);
}
