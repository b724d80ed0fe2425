/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Formulas of -formula: their values, and the messages for invalid formulas. */

#include <math.h>

#include "mlprof/compare/formula.h"
#include "testsuite/unit/tests.h"

/* a is 10, b 50, n(a) 2, n(b) 8. Formulas with the same value, separated by |. Sums are
   evaluated before comparisons, and comparisons from the left: 3 > 2 > 1 is 1 > 1.
   Infinity is a number. */
static const struct {
    double value;
    const char *formulas;
} formulas[] = {
    {10, "a | b - a * n(b) / n(a) | (((((a))))) | min(a,b)"},
    {50, " b  | max(a, b) | max ( b , a )"},
    {2, "n(a) | 2. | 16 / 4 / 2 | +3 - +1"},
    {8, "n ( b )"},
    {15, "1.5e1"},
    {0.5, ".5 | 2 ^ -1"},
    {-4, "1 - 2 - 3 | -2 ^ 2"},
    {20, "(2 + 3) * 4"},
    {512, "2 ^ 3 ^ 2"},
    {7, "sqrt(b - 1) | - -1 + 2 * 3"},
    {1, "log(b / a) / log(5) | min(3, 2, 1, 2) | a < b | a <= a | b > a | a >= a | "
        "b == 5 * a | a != b | a + 41 > b - 1 + 1 | 3 > (2 > 1) | 1/0 > b | max(1/0, a) "
        "> a"},
    {40, "max(-a, -b, b - a) | abs(a - b) | (b > a) * (b - a)"},
    {0, "a < a | b <= a | a > a | a >= b | a == b | a != a | 3 > 2 > 1 | a<-1"},
};

static const struct formula_values values = {.a = 10, .b = 50, .size_a = 2, .size_b = 8};

TEST_ROWS(formulas_have_values, formulas)
{
    char *all = strdup(formulas[_i].formulas);
    for (char *text = strtok(all, "|"); text; text = strtok(NULL, "|")) {
        struct formula formula = {0};
        char *why = formula_read(&formula, text);
        ck_assert_msg(!why, "%s: %s", text, why);
        ck_assert_double_eq_tol(formula_value(&formula, &values), formulas[_i].value,
                                1e-12);
        ck_assert_int_eq(formula_has_sizes(&formula),
                         strchr(text, 'n') && !strstr(text, "min"));
        formula_free(&formula);
    }
    free(all);
}

#define VALUE    "a number, a, b, n(a), n(b), a function or `(' expected"
#define WORD     "a, b, n(a), n(b), log, sqrt, abs, max or min expected"
#define OPERATOR "an operator expected at character "
#define BRACKET  "`)' or an operator expected"

static const struct {
    const char *text, *why;
} faults[] = {
    {"", VALUE " at its end"},
    {"a +", VALUE " at its end"},
    {"a b", OPERATOR "3, before `b'"},
    {"(a", BRACKET " at its end"},
    {"log a", "`(' expected at character 5, before `a'"},
    {"c", WORD " at character 1, before `c'"},
    {"n(c)", "a or b expected at character 3, before `c)'"},
    {"n(a", "`)' expected at its end"},
    {"1e999", "a smaller number expected at character 1, before `1e999'"},
    {"a = b", OPERATOR "3, before `= b'"},
    {"max(a)", "`,' or an operator expected at character 6, before `)'"},
    {"min(a, b", "`,', `)' or an operator expected at its end"},
    {"abs(a, b)", BRACKET " at character 6, before `, b)'"},
};

TEST_ROWS(what_is_none_is_said, faults)
{
    struct formula formula = {0};
    char *why = formula_read(&formula, faults[_i].text);
    ck_assert_ptr_nonnull(why);
    ck_assert_str_eq(why, faults[_i].why);
    free(why);
    formula_free(&formula);
}

/* COUNT times OPEN, then a, then COUNT times CLOSE. */
static char *nested(const char *open, const char *close, size_t count)
{
    char *text = calloc(1, count * (strlen(open) + strlen(close)) + 2), *end = text;
    for (size_t i = 0; i < count; i++)
        end = stpcpy(end, open);
    end = stpcpy(end, "a");
    for (size_t i = 0; i < count; i++)
        end = stpcpy(end, close);
    return text;
}

TEST(depth_has_a_limit)
{
    static const char *const pairs[][2] = {
        {"(", ")"}, {"-", ""}, {"2^", ""}, {"max(1, ", ")"}};
    for (size_t i = 0; i < LENGTH(pairs); i++)
        for (size_t more = 0; more < 2; more++) {
            struct formula formula = {0};
            char *text = nested(pairs[i][0], pairs[i][1], FORMULA_DEPTH - 1 + more);
            char *why = formula_read(&formula, text);
            ck_assert_int_eq(why != NULL, more);
            if (why)
                ck_assert_ptr_nonnull(strstr(why, "a formula of less depth expected"));
            else
                ck_assert(!isnan(formula_value(&formula, &values)));
            free(why);
            free(text);
            formula_free(&formula);
        }
    /* A long formula is not necessarily a deep one. */
    struct formula formula = {0};
    char *text = nested("1 + ", "", 100000);
    ck_assert_ptr_null(formula_read(&formula, text));
    ck_assert_double_eq_tol(formula_value(&formula, &values), 100010, 1e-6);
    ck_assert_uint_eq(formula.deepest, 2);
    free(text);
    formula_free(&formula);
}

TEST(no_value)
{
    static const char *const texts[] = {"(a - 10) / 0", "sqrt(-a)", "log(-1)",
                                        "(-1) ^ .5",    "0/0 < b",  "min(b, sqrt(-a))",
                                        "0/0 != 0/0",   "abs(0/0)", "max(1, 0/0, 2) > 0"};
    for (size_t i = 0; i < LENGTH(texts); i++) {
        struct formula formula = {0};
        ck_assert_ptr_null(formula_read(&formula, texts[i]));
        ck_assert(isnan(formula_value(&formula, &values)));
        formula_free(&formula);
    }
    struct formula formula = {0};
    ck_assert_ptr_null(formula_read(&formula, "-1/0"));
    ck_assert(isinf(formula_value(&formula, &values)));
    formula_free(&formula);
}
