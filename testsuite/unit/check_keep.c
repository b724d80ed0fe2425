/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The language of -keep: errors in expressions, and the meaning of each form on a graph
   small enough to apply MLton's definitions by hand. */

#include "mlprof/report/keep.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/keep_graph.h"

static void assert_wrong(const char *text, const char *want)
{
    struct keep keep = {0};
    char *why = keep_parse(&keep, text);
    ck_assert_msg(why != NULL, "%s is an expression", text);
    ck_assert_str_eq(why, want);
    ck_assert_uint_eq(keep.count, 0);
    free(why);
}

#define FORMS "and, from, not, or, pred, succ, thresh, thresh-gc, thresh-stack or to"

TEST(errors)
{
    static const char *const cases[][2] = {
        {" ; all", "character 7: expected all, a string or a parenthesis, not: the end"},
        {"alls", "character 1: expected all, a string or a parenthesis, not: alls"},
        {"(", "character 1: the parenthesis is not closed"},
        {" (and (or all)", "character 2: the parenthesis is not closed"},
        {"()", "character 2: expected " FORMS ", not: )"},
        {"(an all)", "character 2: expected " FORMS ", not: an"},
        {"(not)", "character 5: not takes an expression"},
        {"(not all all)", "character 10: not takes one expression"},
        {"(and (succ all all))", "character 16: succ takes one expression"},
        {"(thresh -1)", "character 9: thresh takes a number from 0 to 100, not: -1"},
        {"(thresh 100.1)",
         "character 9: thresh takes a number from 0 to 100, not: 100.1"},
        {"(thresh", "character 1: the parenthesis is not closed"},
        {"(thresh 1e)", "character 9: thresh takes a number from 0 to 100, not: 1e"},
        {"(thresh nan)", "character 9: thresh takes a number from 0 to 100, not: nan"},
        {"(thresh-stack 1 2)", "character 17: thresh-stack takes one number"},
        {"(not \"f)", "character 6: the string is not closed"},
        {"\"f\\", "character 1: the string is not closed"},
        {"all all", "character 5: expected nothing after the expression, not: all"},
        {"(and \x01)",
         "character 6: expected all, a string or a parenthesis, not: \\x01"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         "character 1: expected all, a string or a parenthesis, not: "
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        assert_wrong(cases[i][0], cases[i][1]);
    struct keep keep = {0};
    char *why = keep_parse(&keep, "(or \"f\" \"(\")");
    ck_assert_ptr_nonnull(why);
    ck_assert_int_eq(strncmp(why, "character 9: no regular expression: ",
                             strlen("character 9: no regular expression: ")),
                     0);
    free(why);
}

/* The maximum depth, and one more. Also the longest expression that fits on a command
   line. */
TEST(depth)
{
    static char text[600000];
    struct keep keep = {0};
    for (int deep = KEEP_DEEPEST - 1; deep <= KEEP_DEEPEST; deep++) {
        *text = '\0';
        for (int i = 0; i < deep; i++)
            strcat(text, "(not ");
        strcat(text, "all");
        for (int i = 0; i < deep; i++)
            strcat(text, ")");
        char *why = keep_parse(&keep, text);
        if (deep < KEEP_DEEPEST)
            ck_assert_ptr_null(why);
        else
            ck_assert_str_eq(
                why, "character 501: more than 100 expressions within each other");
        free(why);
    }
    keep_free(&keep);
    for (size_t i = 0; i + 5 < sizeof text; i += 5)
        memcpy(text + i, "(and ", 5);
    char *why = keep_parse(&keep, text);
    ck_assert_str_eq(why, "character 501: more than 100 expressions within each other");
    free(why);
}

/* Checks the names of the kept functions, separated by spaces. */
static void assert_kept(const struct rows *rows, const char *text, const char *want)
{
    struct keep keep = {0};
    char got[100] = "";
    char *why = keep_parse(&keep, text);
    ck_assert_msg(!why, "%s: %s", text, why);
    const struct names_style style = {.long_name = true, .form = NAMES_PLAIN};
    bool *kept = keep_rows(&keep, rows, NULL, &style);
    for (size_t i = 0; i < rows->count; i++)
        if (kept[i])
            sprintf(got + strlen(got), "%s%s", *got ? " " : "",
                    rows->rows[i].source.name);
    ck_assert_msg(strcmp(got, want) == 0, "%s: %s, not %s", text, got, want);
    free(kept);
    keep_free(&keep);
}

#define ALL "main f g h k z"

TEST(forms)
{
    static const char *const cases[][2] = {
        {"all", ALL},
        {"(and)", ALL},
        {"(or)", ""},
        /* Patterns match the beginning of `name  file: line', with two spaces between. */
        {"\"f\"", "f"},
        {"\".*[.]c: [13]$\"", "main g"},
        {"\"f  x\\\\.c: 2\"", "f"},
        {"(and \"f\" \"g\")", ""},
        {"(or \"f\" \"g\")", "f g"},
        {"(not \"f\")", "main g h k z"},
        /* The callers of both copies of h; the callers of k; the functions called by h. f
           calls a copy of h that calls nothing. */
        {"(pred \"h\")", "f g h"},
        {"(pred \"k\")", "h k z"},
        {"(succ \"h\")", "h k"},
        {"(succ (or))", ""},
        /* Forms follow copies: f reaches no k, and no k is reached from f. */
        {"(from \"f\")", "f h"},
        {"(from \"g\")", "g h k"},
        {"(from \"h\")", "h k"},
        {"(to \"k\")", "main g h k z"},
        /* In each of the two forms one copy of h is kept, but not the same one. So no
           copy is in both. */
        {"(and (from \"f\") (to \"k\"))", ""},
        {"(and (from \"g\") (to \"k\"))", "g h k"},
        /* The limit itself is included. */
        {"(thresh 30)", "h k"},
        {"(thresh 30.01)", "k"},
        {"(thresh-stack 60)", "main g h"},
        {"(thresh-stack 60.0001)", "main g"},
        {"(thresh-gc 0)", ALL},
        {"(thresh-gc 0.1)", ""},
        {"(and (thresh-stack 20) (not (thresh 20)))", "main f"},
        /* Spaces have no meaning, and comments end with the line. */
        {" ( or\"f\"\t\"g\";(\n(and(from\"f\")\"h\"))\n; the end", "f g h"},
    };
    struct keep_graph made;
    keep_graph_make(&made);
    for (size_t i = 0; i < LENGTH(cases); i++)
        assert_kept(&made.rows, cases[i][0], cases[i][1]);
    made.rows.stack = false;
    assert_kept(&made.rows, "(thresh-stack 1)", "");
    assert_kept(&made.rows, "(thresh-stack 0)", ALL);
    made.rows.total = 0;
    assert_kept(&made.rows, "(thresh 1)", "");
    keep_graph_free(&made);
}

/* Without measurements, the copies come from the tables. One row is in no graph. */
TEST(catalog)
{
    struct keep_graph made;
    keep_graph_make(&made);
    keep_graph_catalog(&made);
    assert_kept(&made.rows, "(from \"f\")", "f h");
    assert_kept(&made.rows, "(to \"k\")", "g h k");
    assert_kept(&made.rows, "(from \"z\")", "z");
    assert_kept(&made.rows, "(not (from (or \"main\" \"g\")))", "z");
    keep_graph_free(&made);
}
