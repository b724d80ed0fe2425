// SPDX-License-Identifier: GPL-3.0-or-later
// The pass runs before there is a control flow graph, when jumps and labels are plain
// statements in a list:
//         start = clock ();
//   again:  for (i = SPINS; i != 0; i--) asm volatile ("");
//         if (clock () - start < NANOSECONDS) goto again;
// The clock is the thread's CPU time, so that waiting for a processor is not taken for
// work; the loop in it keeps most of the delay out of the kernel.

#include "compat.h"
#include "delay.h"
#include "names.h"
#include "passes.h"

#define CLOCK       3 // CLOCK_THREAD_CPUTIME_ID
#define SPINS       1000
#define NANOSECONDS 1000000000

static char *wanted; // the function's name
static HOST_WIDE_INT length;

bool delay_set(const char *value)
{
    const char *colon = strrchr(value, ':');
    char *end;

    if (!colon || colon == value || !ISDIGIT(colon[1]))
        return false;
    errno = 0;
    length = strtoll(colon + 1, &end, 10);
    if (errno || *end || length <= 0)
        return false;
    free(wanted);
    wanted = xstrndup(value, colon - value);
    return true;
}

bool delay_is_set(void)
{
    return wanted;
}

static bool is_wanted(tree function)
{
    // The name of what is being compiled is settled soon anyway.
    if (HAS_DECL_ASSEMBLER_NAME_P(function))
        DECL_ASSEMBLER_NAME(function);
    char *name = names_of_function(function);
    bool same = !strcmp(name, wanted);

    free(name);
    return same;
}

static tree make_variable(tree type)
{
    return create_tmp_var(type, "ccprof_delay");
}

static void add_assignment(gimple_seq *list, tree to, enum tree_code code, tree a, tree b)
{
    gimple_seq_add_stmt(list, b ? gimple_build_assign(to, code, a, b)
                                : gimple_build_assign(to, a));
}

static void add_branch(gimple_seq *list, enum tree_code code, tree a, tree b, tree label)
{
    tree behind = create_artificial_label(UNKNOWN_LOCATION);

    gimple_seq_add_stmt(list, gimple_build_cond(code, a, b, label, behind));
    gimple_seq_add_stmt(list, gimple_build_label(behind));
}

// Two 64-bit words, as which struct timespec is read.
static tree clock_words(void)
{
    tree words = make_variable(build_array_type_nelts(long_long_integer_type_node, 2));

    TREE_ADDRESSABLE(words) = 1;
    return words;
}

static void add_clock(gimple_seq *list, tree words, tree to)
{
    tree type = long_long_integer_type_node;
    tree function = build_fn_decl(
        "clock_gettime", build_function_type_list(integer_type_node, integer_type_node,
                                                  ptr_type_node, NULL_TREE));
    tree parts[2];

    gimple_seq_add_stmt(list, gimple_build_call(function, 2,
                                                build_int_cst(integer_type_node, CLOCK),
                                                build_fold_addr_expr(words)));
    for (int i = 0; i < 2; i++) {
        parts[i] = make_variable(type);
        add_assignment(list, parts[i], NOP_EXPR,
                       build4(ARRAY_REF, type, words, size_int(i), NULL_TREE, NULL_TREE),
                       NULL_TREE);
    }
    add_assignment(list, to, MULT_EXPR, parts[0], build_int_cst(type, NANOSECONDS));
    add_assignment(list, to, PLUS_EXPR, to, parts[1]);
}

static tree add_label(gimple_seq *list)
{
    tree label = create_artificial_label(UNKNOWN_LOCATION);

    gimple_seq_add_stmt(list, gimple_build_label(label));
    return label;
}

static void add_spins(gimple_seq *list)
{
    tree i = make_variable(unsigned_type_node);

    add_assignment(list, i, NOP_EXPR, build_int_cst(unsigned_type_node, SPINS),
                   NULL_TREE);
    tree label = add_label(list);
    gasm *nothing = gimple_build_asm_vec("", NULL, NULL, NULL, NULL);
    gimple_asm_set_volatile(nothing, true);
    gimple_seq_add_stmt(list, nothing);
    add_assignment(list, i, MINUS_EXPR, i, build_int_cst(unsigned_type_node, 1));
    add_branch(list, NE_EXPR, i, build_int_cst(unsigned_type_node, 0), label);
}

static gimple_seq make_delay(void)
{
    gimple_seq list = NULL;
    tree type = long_long_integer_type_node;
    tree words = clock_words(), start = make_variable(type), now = make_variable(type);

    add_clock(&list, words, start);
    tree label = add_label(&list);
    add_spins(&list);
    add_clock(&list, words, now);
    add_assignment(&list, now, MINUS_EXPR, now, start);
    add_branch(&list, LT_EXPR, now, build_int_cst(type, length), label);
    return list;
}

// It is the function's own, at its first line.
static void place(gimple_seq list, tree function)
{
    for (gimple_stmt_iterator gsi = gsi_start(list); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple_set_location(gsi_stmt(gsi), DECL_SOURCE_LOCATION(function));
        gimple_set_block(gsi_stmt(gsi), DECL_INITIAL(function));
    }
}

static const pass_data delay_data = {
    GIMPLE_PASS, "ccprof_delay", OPTGROUP_NONE, TV_NONE, PROP_gimple_lcf, 0, 0, 0, 0,
};

class delay_pass : public gimple_opt_pass
{
  public:
    delay_pass() : gimple_opt_pass(delay_data, g)
    {
    }

    unsigned int execute(function *fun) final override
    {
        if (!is_wanted(fun->decl) ||
            lookup_attribute("naked", DECL_ATTRIBUTES(fun->decl)))
            return 0;
        gimple_seq list = make_delay();
        place(list, fun->decl);
        gimple_seq_add_seq(&list, gimple_body(fun->decl));
        gimple_set_body(fun->decl, list);
        return 0;
    }
};

opt_pass *passes_make_delay(void)
{
    return new delay_pass;
}
