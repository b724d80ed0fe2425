// SPDX-License-Identifier: GPL-3.0-or-later
// delay: makes one function slower by a known time, for tests of profilers. Each call of
// the function, also each inlined one, first spends that much CPU time of its thread. No
// other function changes.
//
// The pass runs before there is a control flow graph, when jumps and labels are plain
// statements in a list:
//
//            start = clock (); all = more = ROUNDS_FIRST;
//     again: for (i = more; i != 0; i--) asm volatile ("");
//            spent = clock () - start;
//            more = all / UNIT * ((LENGTH - spent) * UNIT / spent) + ROUNDS_LEAST;
//            all += more;
//            if (spent < LENGTH) goto again;
//
// The clock is the CPU time of the thread, so time spent waiting for a processor does not
// count. The code reads it only a few times, because time in the kernel is sampled less
// exactly than time in the program.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/passes.h"
#include "plugin/mark/mark.h"

#define CLOCK        3 // CLOCK_THREAD_CPUTIME_ID
#define UNIT         1024
#define ROUNDS_FIRST UNIT
#define ROUNDS_LEAST 64
#define NANOSECONDS  1000000000

static char *delayed; // name of the function
static HOST_WIDE_INT length;
static unsigned pattern; // number of the function's pattern in the filter

bool delay_set(const char *value)
{
    const char *colon = strrchr(value, ':');
    char *end;

    if (!colon || colon == value || !ISDIGIT(colon[1]))
        return false;
    errno = 0;
    length = strtoll(colon + 1, &end, 10);
    if (errno || *end || length <= 0 || length > INT64_MAX / UNIT)
        return false;
    free(delayed);
    delayed = xstrndup(value, colon - value);
    pattern = filter_add_pattern("delay", value);
    return true;
}

bool delay_is_set(void)
{
    return delayed;
}

static bool is_delayed(tree function)
{
    // Set the function's assembler name first. The function is being compiled, so GCC
    // sets it soon anyway.
    if (HAS_DECL_ASSEMBLER_NAME_P(function))
        DECL_ASSEMBLER_NAME(function);
    char *name = names_of_function(function);
    bool same = !strcmp(name, delayed);

    free(name);
    if (same)
        filter_pattern_matched(pattern);
    return same;
}

#define INTEGER long_long_integer_type_node

static tree make_delay_variable(tree type)
{
    return create_tmp_var(type, "ccprof_delay");
}

static tree make_number(HOST_WIDE_INT value)
{
    return build_int_cst(INTEGER, value);
}

static void append_copy(gimple_seq *list, tree to, tree from)
{
    gimple_seq_add_stmt(list, gimple_build_assign(to, from));
}

static void append_operation(gimple_seq *list, tree to, tree a, enum tree_code code,
                             tree b)
{
    gimple_seq_add_stmt(list, gimple_build_assign(to, code, a, b));
}

static tree add_label(gimple_seq *list)
{
    tree label = create_artificial_label(UNKNOWN_LOCATION);

    gimple_seq_add_stmt(list, gimple_build_label(label));
    return label;
}

static void add_branch(gimple_seq *list, tree a, enum tree_code code, tree b, tree label)
{
    tree after = create_artificial_label(UNKNOWN_LOCATION);

    gimple_seq_add_stmt(list, gimple_build_cond(code, a, b, label, after));
    gimple_seq_add_stmt(list, gimple_build_label(after));
}

// Makes a variable of two 64-bit words, used as a struct timespec.
static tree clock_words(void)
{
    tree words = make_delay_variable(build_array_type_nelts(INTEGER, 2));

    TREE_ADDRESSABLE(words) = 1;
    return words;
}

static tree clock_word(gimple_seq *list, tree words, int i)
{
    tree word = make_delay_variable(INTEGER);

    append_copy(list, word,
                build4(ARRAY_REF, INTEGER, words, size_int(i), NULL_TREE, NULL_TREE));
    return word;
}

static void read_clock(gimple_seq *list, tree words, tree to)
{
    tree function = build_fn_decl(
        "clock_gettime", build_function_type_list(integer_type_node, integer_type_node,
                                                  ptr_type_node, NULL_TREE));

    gimple_seq_add_stmt(list, gimple_build_call(function, 2,
                                                build_int_cst(integer_type_node, CLOCK),
                                                build_fold_addr_expr(words)));
    append_operation(list, to, clock_word(list, words, 0), MULT_EXPR,
                     make_number(NANOSECONDS));
    append_operation(list, to, to, PLUS_EXPR, clock_word(list, words, 1));
}

static void append_loop(gimple_seq *list, tree rounds)
{
    tree i = make_delay_variable(INTEGER);

    append_copy(list, i, rounds);
    tree label = add_label(list);
    gasm *nothing = gimple_build_asm_vec("", NULL, NULL, NULL, NULL);
    gimple_asm_set_volatile(nothing, true);
    gimple_seq_add_stmt(list, nothing);
    append_operation(list, i, i, MINUS_EXPR, make_number(1));
    add_branch(list, i, NE_EXPR, make_number(0), label);
}

// Computes MORE, the number of rounds that are still needed, if ALL rounds have taken the
// time SPENT.
static void append_estimate(gimple_seq *list, tree more, tree all, tree spent)
{
    tree units = make_delay_variable(INTEGER);

    append_operation(list, more, make_number(length), MINUS_EXPR, spent);
    append_operation(list, more, more, MULT_EXPR, make_number(UNIT));
    append_operation(list, more, more, TRUNC_DIV_EXPR, spent);
    append_operation(list, units, all, TRUNC_DIV_EXPR, make_number(UNIT));
    append_operation(list, more, more, MULT_EXPR, units);
    append_operation(list, more, more, PLUS_EXPR, make_number(ROUNDS_LEAST));
    append_operation(list, all, all, PLUS_EXPR, more);
}

static gimple_seq make_delay(void)
{
    gimple_seq list = NULL;
    tree words = clock_words(), start = make_delay_variable(INTEGER);
    tree spent = make_delay_variable(INTEGER), all = make_delay_variable(INTEGER);
    tree more = make_delay_variable(INTEGER);

    read_clock(&list, words, start);
    append_copy(&list, all, make_number(ROUNDS_FIRST));
    append_copy(&list, more, make_number(ROUNDS_FIRST));
    tree again = add_label(&list);
    append_loop(&list, more);
    read_clock(&list, words, spent);
    append_operation(&list, spent, spent, MINUS_EXPR, start);
    append_operation(&list, spent, spent, MAX_EXPR, make_number(1));
    append_estimate(&list, more, all, spent);
    add_branch(&list, spent, LT_EXPR, make_number(length), again);
    return list;
}

// The delay belongs to the function itself and its first line.
static void set_locations(gimple_seq list, tree function)
{
    for (gimple_stmt_iterator gsi = gsi_start(list); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple_set_location(gsi_stmt(gsi), DECL_SOURCE_LOCATION(function));
        gimple_set_block(gsi_stmt(gsi), DECL_INITIAL(function));
    }
}

static void execute_delay(function *fun)
{
    if (!is_delayed(fun->decl) || filter_forbids_code(fun->decl))
        return;
    gimple_seq list = make_delay();
    set_locations(list, fun->decl);
    gimple_seq_add_seq(&list, gimple_body(fun->decl));
    gimple_set_body(fun->decl, list);
}

opt_pass *passes_make_delay(void)
{
    return pass_make("ccprof_delay", PASS_LOWERED, execute_delay);
}
