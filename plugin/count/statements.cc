// SPDX-License-Identifier: GPL-3.0-or-later
// statements: gives Fortran's code the positions of its statements, so that lines are
// counted as often as their statements are executed.  What gfortran builds behind the
// body of a construct (the jump of `select case', the loop of `do concurrent', the way
// out of a loop) has the position of the last statement in the body (GCC:
// fortran/trans-stmt.cc).  What is built before the body tells where the construct
// begins: labels and variables are declared there.  The pass runs before the control flow
// graph is built, while statements still stand in the order of the source.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/pass.h"
#include "plugin/gcc/passes.h"

// The name of a label that is written in the source begins so, and a function of several
// entries is told by which it was entered (GCC: trans-decl.cc, gfc_get_label_decl,
// create_function_arglist).
#define WRITTEN "__label_"
#define ENTRY   "__entry"

// The statements of the current function.
static auto_vec<gimple *> list;
static hash_map<tree, unsigned> *label_places; // in the list

static location_t place_of(const gimple *statement)
{
    location_t location = LOCATION_LOCUS(gimple_location(statement));
    return RESERVED_LOCATION_P(location) ? UNKNOWN_LOCATION : location;
}

static void set_place(gimple *statement, location_t location)
{
    tree block = gimple_block(statement);

    gimple_set_location(statement, location);
    if (block)
        gimple_set_block(statement, block);
}

// Whether A stands at a line before that of B, in one file; both are known then.
static bool is_before(location_t a, location_t b)
{
    if (RESERVED_LOCATION_P(a) || RESERVED_LOCATION_P(b))
        return false;
    expanded_location x = expand_location(a), y = expand_location(b);

    return x.file && y.file && !strcmp(x.file, y.file) && x.line < y.line;
}

static tree label_at(unsigned place)
{
    const glabel *label =
        place < list.length() ? dyn_cast<const glabel *>(list[place]) : NULL;
    return label ? gimple_label_label(label) : NULL_TREE;
}

static tree target_at(unsigned place)
{
    gimple *statement = place < list.length() ? list[place] : NULL;

    return statement && gimple_code(statement) == GIMPLE_GOTO &&
                   TREE_CODE(gimple_goto_dest(statement)) == LABEL_DECL
               ? gimple_goto_dest(statement)
               : NULL_TREE;
}

static bool is_named(const_tree node, const char *start)
{
    return DECL_P(node) && DECL_NAME(node) &&
           startswith(IDENTIFIER_POINTER(DECL_NAME(node)), start);
}

static bool is_written(const_tree label)
{
    return is_named(label, WRITTEN);
}

// Where the construct begins that gfortran has made the label for; that at which the
// function returns is for none.
static location_t construct_of(const_tree label)
{
    location_t location = LOCATION_LOCUS(DECL_SOURCE_LOCATION(label));
    bool is_inside = is_before(DECL_SOURCE_LOCATION(current_function_decl), location);

    return !is_written(label) && is_inside ? location : UNKNOWN_LOCATION;
}

static bool is_jump(const gimple *statement)
{
    return gimple_code(statement) == GIMPLE_LABEL ||
           gimple_code(statement) == GIMPLE_GOTO ||
           gimple_code(statement) == GIMPLE_RETURN;
}

// The first of the statements in front of PLACE that stand next to each other and at
// LOCATION.
static unsigned run_before(unsigned place, location_t location)
{
    while (place > 0 && !is_jump(list[place - 1]) &&
           gimple_code(list[place - 1]) != GIMPLE_COND &&
           place_of(list[place - 1]) == location)
        place--;
    return place;
}

// Statements FIRST to LAST.
static void move(unsigned first, unsigned last, location_t to)
{
    for (unsigned i = first; i <= last; i++)
        set_place(list[i], to);
}

static void move_decision(unsigned place, location_t to)
{
    move(run_before(place, place_of(list[place])), place, to);
}

// Of `select case': the label of the first case was made when nothing of the body was.
// The choice among entries is not written.
static void correct_switch(unsigned place)
{
    const gswitch *by = as_a<const gswitch *>(list[place]);
    gimple *before = place > 0 ? list[place - 1] : NULL;
    bool is_loaded = before && gimple_get_lhs(before) == gimple_switch_index(by);
    location_t location = place_of(by);
    if (!location && is_loaded)
        location = place_of(before);
    location_t first = location;

    if (is_named(gimple_switch_index(by), ENTRY)) {
        set_place(list[place], UNKNOWN_LOCATION);
        return;
    }
    for (unsigned i = 0; i < gimple_switch_num_labels(by); i++) {
        location_t begins = construct_of(CASE_LABEL(gimple_switch_label(by, i)));
        if (is_before(begins, first) || !first)
            first = begins;
    }
    if (first == location)
        return;
    move(run_before(place, location), place, first);
}

// Of `select type': each arm but the last ends with a jump out of the construct, which
// was made together with the condition.
static bool correct_arm(unsigned place)
{
    const gcond *condition = as_a<const gcond *>(list[place]);
    location_t location = place_of(condition);
    tree other = gimple_cond_false_label(condition);
    const unsigned *behind = other ? label_places->get(other) : NULL;
    tree out = behind && *behind > place ? target_at(*behind - 1) : NULL_TREE;

    if (!out || place_of(list[*behind - 1]) != location ||
        !is_before(construct_of(out), location))
        return false;
    move_decision(place, construct_of(out));
    return true;
}

// Where the next statement stands that is no jump.
static location_t place_behind(unsigned place)
{
    location_t found = UNKNOWN_LOCATION;

    while (!found && ++place < list.length())
        if (!is_jump(list[place]))
            found = place_of(list[place]);
    return found;
}

// Of `select case' with logical values: what is decided stands before the decision.  The
// label behind the construct was made first.
static void correct_condition(unsigned place)
{
    location_t inside = place_behind(place);

    if (correct_arm(place) || !is_before(inside, place_of(list[place])))
        return;
    for (unsigned i = place + 1; i < list.length(); i++) {
        tree label = label_at(i);
        if (label && is_before(construct_of(label), inside)) {
            move_decision(place, construct_of(label));
            return;
        }
    }
}

// Of OpenMP's loops nothing tells where they begin.
static void correct_shared_loop(unsigned place)
{
    if (!is_before(place_of(list[place]), place_behind(place)))
        move_decision(place, UNKNOWN_LOCATION);
}

// The number of gfortran's own that the statement sets.
static tree number_set(gimple *statement)
{
    tree to = is_gimple_assign(statement) ? gimple_assign_lhs(statement) : NULL_TREE;

    return to && VAR_P(to) && DECL_ARTIFICIAL(to) && is_gimple_reg(to) &&
                   INTEGRAL_TYPE_P(TREE_TYPE(to))
               ? to
               : NULL_TREE;
}

static bool leads_to(const gcond *condition, const_tree label)
{
    return condition && label &&
           (gimple_cond_true_label(condition) == label ||
            gimple_cond_false_label(condition) == label);
}

// The last of the conditions at LOCATION, the loop's and its mask's, between the loop's
// START and what it does.
static unsigned last_decision(unsigned start, location_t location)
{
    const gcond *condition = NULL;
    unsigned last = start;

    for (unsigned i = start + 1; i < list.length(); i++) {
        bool goes_on = label_at(i) ? leads_to(condition, label_at(i))
                                   : place_of(list[i]) == location;
        tree to = gimple_get_lhs(list[i]);
        if (!goes_on || (to && !is_gimple_reg(to)))
            break;
        if (gcond *next = dyn_cast<gcond *>(list[i])) {
            condition = next;
            last = i;
        }
    }
    return last;
}

// Of `do concurrent': the loop between START, a label, and END, a jump there.  Its
// numbers, which are gfortran's own, are set in front of it and again in it.
static void correct_loop(unsigned start, unsigned end)
{
    hash_set<tree> numbers;
    location_t location = start > 0 ? place_of(list[start - 1]) : UNKNOWN_LOCATION;
    location_t begins = location;
    unsigned first = run_before(start, location);

    for (unsigned i = start + 1; i < end; i++)
        if (place_of(list[i]) == location && number_set(list[i]))
            numbers.add(number_set(list[i]));
    for (unsigned i = first; i < start; i++) {
        tree number = number_set(list[i]);
        if (number && numbers.contains(number) &&
            is_before(DECL_SOURCE_LOCATION(number), begins))
            begins = LOCATION_LOCUS(DECL_SOURCE_LOCATION(number));
    }
    if (begins == location)
        return;
    move(first, start - 1, begins);
    for (unsigned i = start + 1, last = last_decision(start, location); i < end; i++)
        if (place_of(list[i]) == location && (i <= last || number_set(list[i])))
            set_place(list[i], begins);
    set_place(list[end], begins);
}

// The label in front of PLACE to which gfortran leads back from there, or PLACE.
static unsigned start_of_loop(unsigned place)
{
    tree label = target_at(place);
    const unsigned *start = label ? label_places->get(label) : NULL;

    return start && *start < place && RESERVED_LOCATION_P(DECL_SOURCE_LOCATION(label))
               ? *start
               : place;
}

static void correct_loops(void)
{
    for (unsigned i = 0; i < list.length(); i++)
        if (start_of_loop(i) != i)
            correct_loop(start_of_loop(i), i);
}

// Whether the jump at PLACE is what a condition in its line decides, as in
// `if (done) exit'.
static bool is_decided_in_line(unsigned place)
{
    const gcond *condition = place > 1 ? dyn_cast<const gcond *>(list[place - 2]) : NULL;

    return condition && label_at(place - 1) &&
           label_at(place - 1) == gimple_cond_true_label(condition) &&
           LOCATION_LINE(place_of(condition)) == LOCATION_LINE(place_of(list[place]));
}

// What a construct leaves behind it, as the memory of a block's variables that is freed,
// has the position of a statement inside.
static void correct_ends(void)
{
    hash_set<int_hash<location_t, UNKNOWN_LOCATION>> seen;
    int inside = 0, last = 0; // lines; 0: not behind the end of a construct

    for (unsigned i = 0; i < list.length(); i++) {
        location_t begins = label_at(i) ? construct_of(label_at(i)) : UNKNOWN_LOCATION;
        if (begins)
            inside = inside ? MIN(inside, LOCATION_LINE(begins)) : LOCATION_LINE(begins);
        if (is_jump(list[i]) || !place_of(list[i]))
            continue;
        int line = LOCATION_LINE(place_of(list[i]));
        if (inside && line > inside && line <= last && seen.contains(place_of(list[i]))) {
            set_place(list[i], UNKNOWN_LOCATION);
            continue;
        }
        seen.add(place_of(list[i]));
        inside = 0;
        last = line;
    }
}

// Whether the statement leaves the function, or loads what is returned.
static bool returns(gimple *statement, const_tree value)
{
    return gimple_code(statement) == GIMPLE_RETURN ||
           (value && gimple_assign_single_p(statement) &&
            gimple_assign_lhs(statement) == value);
}

static bool is_way_out(gimple *statement, const_tree value)
{
    return gimple_code(statement) == GIMPLE_GOTO || returns(statement, value);
}

// A label is no statement.  A jump or return at a line that has other code, too, is one
// of gfortran's own, unless it is decided there.
static void correct_jumps(void)
{
    hash_set<int_hash<int, -1, -2>> lines;
    const greturn *last = list.is_empty() ? NULL : dyn_cast<const greturn *>(list.last());
    tree value = last ? gimple_return_retval(last) : NULL_TREE;

    for (gimple *statement : list)
        if (!is_jump(statement) && !returns(statement, value) && place_of(statement))
            lines.add(LOCATION_LINE(place_of(statement)));
    for (unsigned i = 0; i < list.length(); i++)
        if (gimple_code(list[i]) == GIMPLE_LABEL ||
            (is_way_out(list[i], value) &&
             lines.contains(LOCATION_LINE(place_of(list[i]))) && !is_decided_in_line(i) &&
             start_of_loop(i) == i))
            set_place(list[i], UNKNOWN_LOCATION);
}

static void collect(function *fun)
{
    list.truncate(0);
    label_places = new hash_map<tree, unsigned>;
    gimple_seq body = gimple_body(fun->decl);
    for (gimple_stmt_iterator gsi = gsi_start(body); !gsi_end_p(gsi); gsi_next(&gsi)) {
        if (glabel *label = dyn_cast<glabel *>(gsi_stmt(gsi)))
            label_places->put(gimple_label_label(label), list.length());
        list.safe_push(gsi_stmt(gsi));
    }
}

static void execute(function *fun)
{
    if (!startswith(lang_hooks.name, "GNU Fortran") || !filter_wants(fun->decl))
        return;
    collect(fun);
    correct_loops();
    for (unsigned i = 0; i < list.length(); i++)
        if (gimple_code(list[i]) == GIMPLE_SWITCH)
            correct_switch(i);
        else if (gimple_code(list[i]) == GIMPLE_COND)
            correct_condition(i);
        else if (gimple_code(list[i]) == GIMPLE_OMP_FOR)
            correct_shared_loop(i);
    correct_ends();
    correct_jumps();
    delete label_places;
}

opt_pass *passes_make_statements(void)
{
    return pass_make("ccprof_statements", PASS_LOWERED, execute);
}
