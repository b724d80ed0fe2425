/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/formula.h"
#include "mlprof/base/buf.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The text being read.  */
struct reading {
    struct formula *formula;
    const char *text, *at;
    size_t depth, height; /* of the recursion, of the stack of values */
    char *why;            /* the error message; NULL: no error yet */
};

static void skip_blanks(struct reading *reading)
{
    reading->at += strspn(reading->at, " \t\n");
}

/* Sets the error message: EXPECTED should stand here.  Returns false.  */
static bool wrong(struct reading *reading, const char *expected)
{
    size_t place = (size_t)(reading->at - reading->text) + 1;
    if (!*reading->at)
        reading->why = buf_format("%s expected at its end", expected);
    else
        reading->why = buf_format("%s expected at character %zu, before `%.20s'",
                                  expected, place, reading->at);
    return false;
}

/* Skips TEXT if it comes next; returns whether it does.  */
static bool take(struct reading *reading, const char *text)
{
    skip_blanks(reading);
    if (strncmp(reading->at, text, strlen(text)) != 0)
        return false;
    reading->at += strlen(text);
    return true;
}

/* Adds a step that takes OPERANDS values from the stack and puts one there.  */
static bool add(struct reading *reading, struct formula_step step, size_t operands)
{
    struct formula *formula = reading->formula;
    formula->steps = buf_grow(formula->steps, &formula->capacity, formula->count + 1,
                              sizeof *formula->steps);
    formula->steps[formula->count++] = step;
    assert(reading->height >= operands);
    reading->height += 1 - operands;
    if (formula->deepest < reading->height)
        formula->deepest = reading->height;
    return true;
}

static bool read_comparison(struct reading *reading);

static bool read_parenthesis(struct reading *reading)
{
    if (!take(reading, "("))
        return wrong(reading, "`('");
    if (!read_comparison(reading))
        return false;
    return take(reading, ")") || wrong(reading, "`)' or an operator");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (is_letter(text[length]) ||
           (length && text[length] >= '0' && text[length] <= '9'))
        length++;
    return length;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

static bool read_size(struct reading *reading)
{
    if (!take(reading, "("))
        return wrong(reading, "`('");
    skip_blanks(reading);
    size_t length = word_length(reading->at);
    bool of_a = is_word(reading->at, length, "a"),
         of_b = is_word(reading->at, length, "b");
    if (!of_a && !of_b)
        return wrong(reading, "a or b");
    reading->at += length;
    if (!take(reading, ")"))
        return wrong(reading, "`)'");
    return add(reading,
               (struct formula_step){.what = of_a ? FORMULA_SIZE_A : FORMULA_SIZE_B}, 0);
}

/* Reads the values of max or min, which are two or more.  */
static bool read_list(struct reading *reading, struct formula_step step)
{
    if (!take(reading, "("))
        return wrong(reading, "`('");
    if (!read_comparison(reading))
        return false;
    if (!take(reading, ","))
        return wrong(reading, "`,' or an operator");
    do {
        if (!read_comparison(reading))
            return false;
        add(reading, step, 2);
    } while (take(reading, ","));
    return take(reading, ")") || wrong(reading, "`,', `)' or an operator");
}

static bool read_word(struct reading *reading, size_t length)
{
    static const struct {
        const char *word;
        struct formula_step step;
    } words[] = {{"a", {.what = FORMULA_A}},     {"b", {.what = FORMULA_B}},
                 {"log", {.what = FORMULA_LOG}}, {"sqrt", {.what = FORMULA_SQRT}},
                 {"abs", {.what = FORMULA_ABS}}, {"max", {.what = FORMULA_MAX}},
                 {"min", {.what = FORMULA_MIN}}, {"n", {.what = FORMULA_SIZE_A}}};
    size_t i = 0, count = sizeof words / sizeof *words;
    while (i < count && !is_word(reading->at, length, words[i].word))
        i++;
    if (i == count)
        return wrong(reading, "a, b, n(a), n(b), log, sqrt, abs, max or min");
    reading->at += length;
    switch (words[i].step.what) {
    case FORMULA_SIZE_A:
        return read_size(reading);
    case FORMULA_A:
    case FORMULA_B:
        return add(reading, words[i].step, 0);
    case FORMULA_MAX:
    case FORMULA_MIN:
        return read_list(reading, words[i].step);
    default:
        return read_parenthesis(reading) && add(reading, words[i].step, 1);
    }
}

/* Reads a decimal number, with or without a point and an exponent, but nothing else that
   strtod would accept.  */
static bool read_number(struct reading *reading)
{
    static const char digits[] = "0123456789";
    const char *start = reading->at;
    size_t before = strspn(start, digits), length = before, behind = 0;
    if (start[length] == '.') {
        behind = strspn(start + length + 1, digits);
        length += 1 + behind;
    }
    if (before + behind == 0)
        return wrong(reading, "a number, a, b, n(a), n(b), a function or `('");
    if (start[length] == 'e' || start[length] == 'E') {
        size_t sign = start[length + 1] == '-' || start[length + 1] == '+';
        size_t power = strspn(start + length + 1 + sign, digits);
        length += power ? 1 + sign + power : 0;
    }
    char *copy = buf_copy_prefix(start, length);
    double number = strtod(copy, NULL);
    free(copy);
    if (!isfinite(number))
        return wrong(reading, "a smaller number");
    reading->at += length;
    return add(reading, (struct formula_step){.what = FORMULA_NUMBER, .number = number},
               0);
}

static bool read_signed(struct reading *reading);

static bool read_power(struct reading *reading)
{
    skip_blanks(reading);
    size_t length = word_length(reading->at);
    bool good = *reading->at == '(' ? read_parenthesis(reading)
                : length            ? read_word(reading, length)
                                    : read_number(reading);
    if (!good || !take(reading, "^"))
        return good;
    return read_signed(reading) &&
           add(reading, (struct formula_step){.what = FORMULA_POWER}, 2);
}

/* Reads an operand with its signs.  All recursion goes through this function, which
   limits the depth.  */
static bool read_signed(struct reading *reading)
{
    if (reading->depth == FORMULA_DEPTH)
        return wrong(reading, "a formula of less depth");
    reading->depth++;
    bool negative = take(reading, "-");
    bool good =
        negative || take(reading, "+") ? read_signed(reading) : read_power(reading);
    reading->depth--;
    if (good && negative)
        add(reading, (struct formula_step){.what = FORMULA_NEGATE}, 1);
    return good;
}

static bool read_product(struct reading *reading)
{
    bool good = read_signed(reading);
    while (good) {
        bool times = take(reading, "*");
        if (!times && !take(reading, "/"))
            break;
        good =
            read_signed(reading) &&
            add(reading,
                (struct formula_step){.what = times ? FORMULA_MULTIPLY : FORMULA_DIVIDE},
                2);
    }
    return good;
}

static bool read_sum(struct reading *reading)
{
    bool good = read_product(reading);
    while (good) {
        bool plus = take(reading, "+");
        if (!plus && !take(reading, "-"))
            break;
        good =
            read_product(reading) &&
            add(reading,
                (struct formula_step){.what = plus ? FORMULA_ADD : FORMULA_SUBTRACT}, 2);
    }
    return good;
}

/* Reads sums that are compared, from left to right.  */
static bool read_comparison(struct reading *reading)
{
    /* A sign that another one begins with stands behind it.  */
    static const struct {
        const char *sign;
        struct formula_step step;
    } signs[] = {{"<=", {.what = FORMULA_AT_MOST}},  {"<", {.what = FORMULA_LESS}},
                 {">=", {.what = FORMULA_AT_LEAST}}, {">", {.what = FORMULA_MORE}},
                 {"==", {.what = FORMULA_EQUAL}},    {"!=", {.what = FORMULA_UNEQUAL}}};
    bool good = read_sum(reading);
    while (good) {
        size_t i = 0, count = sizeof signs / sizeof *signs;
        while (i < count && !take(reading, signs[i].sign))
            i++;
        if (i == count)
            break;
        good = read_sum(reading) && add(reading, signs[i].step, 2);
    }
    return good;
}

char *formula_read(struct formula *formula, const char *text)
{
    struct reading reading = {.formula = formula, .text = text, .at = text};
    if (read_comparison(&reading)) {
        skip_blanks(&reading);
        if (*reading.at)
            wrong(&reading, "an operator");
    }
    formula->text = buf_copy(text);
    return reading.why;
}

bool formula_has_sizes(const struct formula *formula)
{
    for (size_t i = 0; i < formula->count; i++)
        if (formula->steps[i].what == FORMULA_SIZE_A ||
            formula->steps[i].what == FORMULA_SIZE_B)
            return true;
    return false;
}

/* The result of a step that compares its operands, both of which are numbers.  */
static double compare(const struct formula_step *step, double one, double other)
{
    switch (step->what) {
    case FORMULA_LESS:
        return one < other;
    case FORMULA_AT_MOST:
        return one <= other;
    case FORMULA_MORE:
        return one > other;
    case FORMULA_AT_LEAST:
        return one >= other;
    case FORMULA_EQUAL:
        return one == other;
    case FORMULA_UNEQUAL:
        return one != other;
    case FORMULA_MAX:
        return one > other ? one : other;
    default:
        return one < other ? one : other;
    }
}

/* The result of a step whose operands are ONE and OTHER, or OTHER alone.  */
static double compute(const struct formula_step *step, double one, double other)
{
    if (step->what >= FORMULA_LESS && step->what <= FORMULA_MIN)
        return isnan(one) || isnan(other) ? NAN : compare(step, one, other);
    switch (step->what) {
    case FORMULA_ADD:
        return one + other;
    case FORMULA_SUBTRACT:
        return one - other;
    case FORMULA_MULTIPLY:
        return one * other;
    case FORMULA_DIVIDE:
        return one / other;
    case FORMULA_POWER:
        return pow(one, other);
    case FORMULA_NEGATE:
        return -other;
    case FORMULA_LOG:
        return log(other);
    case FORMULA_ABS:
        return fabs(other);
    default:
        return sqrt(other);
    }
}

double formula_value(const struct formula *formula, const struct formula_values *values)
{
    double *stack = buf_alloc((formula->deepest + 1) * sizeof *stack);
    size_t height = 0;
    for (size_t i = 0; i < formula->count; i++) {
        const struct formula_step *step = &formula->steps[i];
        const double leaves[] = {[FORMULA_NUMBER] = step->number,
                                 [FORMULA_A] = values->a,
                                 [FORMULA_B] = values->b,
                                 [FORMULA_SIZE_A] = values->size_a,
                                 [FORMULA_SIZE_B] = values->size_b};
        if (step->what <= FORMULA_SIZE_B) {
            stack[height++] = leaves[step->what];
            continue;
        }
        double other = stack[--height];
        bool two = step->what <= FORMULA_MIN;
        double one = two ? stack[--height] : 0;
        stack[height++] = compute(step, one, other);
    }
    double value = stack[0];
    free(stack);
    return value;
}

void formula_free(struct formula *formula)
{
    free(formula->steps);
    free(formula->text);
    memset(formula, 0, sizeof *formula);
}
