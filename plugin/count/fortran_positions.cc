// SPDX-License-Identifier: GPL-3.0-or-later
// fortran_positions: corrects the positions of code in Fortran, so that a line counts the
// executions of its statement. gfortran builds some code after the body of a construct:
// the switch of `select case', the loop of `do concurrent', the exit of a loop. It gives
// this code the position of the last statement in the body (GCC: fortran/trans-stmt.cc).
// Labels and variables that it declares before the body have the position of the
// construct. The pass runs before the control flow graph is built, while the statements
// are in the order of the source.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/passes.h"

// The prefix of labels that are in the source, and the name of the argument that selects
// one of several entries (GCC: fortran/trans-decl.cc, gfc_get_label_decl,
// create_function_arglist).
#define WRITTEN "__label_"
#define ENTRY   "__entry"

// The statements of the current function.
static auto_vec<gimple *> list;
static hash_map<tree, unsigned> *label_places; // index of the label in the list

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

// Returns true if A is on an earlier line than B in the same file. Returns false if A or
// B is unknown.
static bool is_line_before(location_t a, location_t b)
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

// Returns the start of the construct for which gfortran made the label. Returns
// UNKNOWN_LOCATION for labels in the source, and for the label at the end of the
// function.
static location_t construct_of(const_tree label)
{
    location_t location = LOCATION_LOCUS(DECL_SOURCE_LOCATION(label));
    bool is_inside =
        is_line_before(DECL_SOURCE_LOCATION(current_function_decl), location);

    return !is_named(label, WRITTEN) && is_inside ? location : UNKNOWN_LOCATION;
}

static bool is_jump(const gimple *statement)
{
    return gimple_code(statement) == GIMPLE_LABEL ||
           gimple_code(statement) == GIMPLE_GOTO ||
           gimple_code(statement) == GIMPLE_RETURN;
}

// Returns the first of the adjacent statements before PLACE that are at LOCATION.
static unsigned run_before(unsigned place, location_t location)
{
    while (place > 0 && !is_jump(list[place - 1]) &&
           gimple_code(list[place - 1]) != GIMPLE_COND &&
           place_of(list[place - 1]) == location)
        place--;
    return place;
}

// Changes the position of each statement from FIRST to LAST to the position TO.
static void move_statements(unsigned first, unsigned last, location_t to)
{
    for (unsigned i = first; i <= last; i++)
        set_place(list[i], to);
}

static void move_decision(unsigned place, location_t to)
{
    move_statements(run_before(place, place_of(list[place])), place, to);
}

// `select case': the label of the first case has the right position, because gfortran
// made it before the body. The selection among several entries gets no position, because
// it is not in the source.
static void correct_switch(unsigned place)
{
    const gswitch *statement = as_a<const gswitch *>(list[place]);
    gimple *before = place > 0 ? list[place - 1] : NULL;
    bool is_loaded = before && gimple_get_lhs(before) == gimple_switch_index(statement);
    location_t location = place_of(statement);
    if (!location && is_loaded)
        location = place_of(before);
    location_t first = location;

    if (is_named(gimple_switch_index(statement), ENTRY)) {
        set_place(list[place], UNKNOWN_LOCATION);
        return;
    }
    for (unsigned i = 0; i < gimple_switch_num_labels(statement); i++) {
        location_t begins = construct_of(CASE_LABEL(gimple_switch_label(statement, i)));
        if (is_line_before(begins, first) || !first)
            first = begins;
    }
    if (first == location)
        return;
    move_statements(run_before(place, location), place, first);
}

// `select type': each arm except the last ends with a jump out of the construct. gfortran
// gives this jump and the condition of the arm the same position.
static bool correct_arm(unsigned place)
{
    const gcond *condition = as_a<const gcond *>(list[place]);
    location_t location = place_of(condition);
    tree other = gimple_cond_false_label(condition);
    const unsigned *behind = other ? label_places->get(other) : NULL;
    tree target = behind && *behind > place ? target_at(*behind - 1) : NULL_TREE;

    if (!target || place_of(list[*behind - 1]) != location ||
        !is_line_before(construct_of(target), location))
        return false;
    move_decision(place, construct_of(target));
    return true;
}

// Returns the position of the next statement that is not a jump.
static location_t place_behind(unsigned place)
{
    location_t found = UNKNOWN_LOCATION;

    while (!found && ++place < list.length())
        if (!is_jump(list[place]))
            found = place_of(list[place]);
    return found;
}

// `select case' with logical values: the position of the condition is wrong if its arm is
// on an earlier line. The label at the end of the construct has the right position,
// because gfortran made it first.
static void correct_condition(unsigned place)
{
    location_t inside = place_behind(place);

    if (correct_arm(place) || !is_line_before(inside, place_of(list[place])))
        return;
    for (unsigned i = place + 1; i < list.length(); i++) {
        tree label = label_at(i);
        if (label && is_line_before(construct_of(label), inside)) {
            move_decision(place, construct_of(label));
            return;
        }
    }
}

// OpenMP loops: no statement has the position of the loop.
static void correct_shared_loop(unsigned place)
{
    if (!is_line_before(place_of(list[place]), place_behind(place)))
        move_decision(place, UNKNOWN_LOCATION);
}

// If the statement sets an integer variable that gfortran made, returns this variable.
// Otherwise returns NULL_TREE.
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

// Returns the last condition in the head of a loop: the condition of the loop or of its
// mask. All conditions of the head are at LOCATION, before the first statement of the
// body.
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

// Finds the counters of the loop between START and END: variables that are set both by
// the statements from FIRST to START and by statements at LOCATION in the loop.
static void find_counters(unsigned first, unsigned start, unsigned end,
                          location_t location, hash_set<tree> *counters)
{
    hash_set<tree> initialised;

    for (unsigned i = first; i < start; i++)
        if (number_set(list[i]))
            initialised.add(number_set(list[i]));
    for (unsigned i = start + 1; i < end; i++) {
        tree number = number_set(list[i]);
        if (number && place_of(list[i]) == location && initialised.contains(number))
            counters->add(number);
    }
}

// `do concurrent': corrects the loop between START, a label, and END, a jump to this
// label. The counters of the loop are variables that gfortran made. These variables have
// the position of the construct.
static void correct_loop(unsigned start, unsigned end)
{
    hash_set<tree> counters;
    location_t location = start > 0 ? place_of(list[start - 1]) : UNKNOWN_LOCATION;
    location_t begins = location;
    unsigned first = run_before(start, location);

    find_counters(first, start, end, location, &counters);
    for (hash_set<tree>::iterator i = counters.begin(); i != counters.end(); ++i)
        if (is_line_before(DECL_SOURCE_LOCATION(*i), begins))
            begins = LOCATION_LOCUS(DECL_SOURCE_LOCATION(*i));
    if (begins == location)
        return;
    move_statements(first, start - 1, begins);
    for (unsigned i = start + 1, last = last_decision(start, location); i < end; i++) {
        tree number = number_set(list[i]);
        if (place_of(list[i]) == location &&
            (i <= last || (number && counters.contains(number))))
            set_place(list[i], begins);
    }
    set_place(list[end], begins);
}

// If PLACE is a jump that GCC made for a loop, returns the place of the label to which it
// jumps back. Otherwise returns PLACE.
static unsigned start_of_loop(unsigned place)
{
    tree label = target_at(place);
    const unsigned *start = label ? label_places->get(label) : NULL;

    return start && *start < place && RESERVED_LOCATION_P(DECL_SOURCE_LOCATION(label))
               ? *start
               : place;
}

// Returns true if a condition on the same line decides about the jump at PLACE, as in `if
// (done) exit'.
static bool is_decided_in_line(unsigned place)
{
    const gcond *condition = place > 1 ? dyn_cast<const gcond *>(list[place - 2]) : NULL;

    return condition && label_at(place - 1) &&
           label_at(place - 1) == gimple_cond_true_label(condition) &&
           LOCATION_LINE(place_of(condition)) == LOCATION_LINE(place_of(list[place]));
}

// Removes the position of code after the end of a construct if it is the position of a
// statement inside the construct. An example is code that frees the variables of a block.
// The statement inside is not executed there.
static void correct_ends(void)
{
    hash_set<int_hash<location_t, UNKNOWN_LOCATION>> seen;
    int inside = 0,
        last = 0; // line numbers; INSIDE is 0, except after the end of a construct

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

// Returns true if the statement is a return, or sets VALUE, the variable with the
// returned value.
static bool is_return(gimple *statement, const_tree value)
{
    return gimple_code(statement) == GIMPLE_RETURN ||
           (value && gimple_assign_single_p(statement) &&
            gimple_assign_lhs(statement) == value);
}

// Removes the position of labels, which are not executed. Also removes the position of a
// jump or return on a line with other code: gfortran made it, unless it depends on a
// condition on this line.
static void correct_jumps(void)
{
    hash_set<int_hash<int, -1, -2>> lines;
    const greturn *last = list.is_empty() ? NULL : dyn_cast<const greturn *>(list.last());
    tree value = last ? gimple_return_retval(last) : NULL_TREE;

    for (gimple *statement : list)
        if (!is_jump(statement) && !is_return(statement, value) && place_of(statement))
            lines.add(LOCATION_LINE(place_of(statement)));
    for (unsigned i = 0; i < list.length(); i++)
        if (gimple_code(list[i]) == GIMPLE_LABEL ||
            ((gimple_code(list[i]) == GIMPLE_GOTO || is_return(list[i], value)) &&
             lines.contains(LOCATION_LINE(place_of(list[i]))) && !is_decided_in_line(i) &&
             start_of_loop(i) == i))
            set_place(list[i], UNKNOWN_LOCATION);
}

static void collect_statements(function *fun)
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

static void execute_statements(function *fun)
{
    if (!startswith(lang_hooks.name, "GNU Fortran") || !filter_wants(fun->decl))
        return;
    collect_statements(fun);
    for (unsigned i = 0; i < list.length(); i++)
        if (start_of_loop(i) != i)
            correct_loop(start_of_loop(i), i);
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
    return pass_make("ccprof_statements", PASS_LOWERED, execute_statements);
}
