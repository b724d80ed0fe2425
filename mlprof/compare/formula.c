/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recursive-descent parser, with one level of precedence for each call of read_level,
   writes steps for a stack machine. formula_value executes the steps for a
   function. */

#include "mlprof/compare/formula.h"
#include "mlprof/base/buf.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The state of the parser. */
struct reading {
    struct formula *formula;
    const char *text, *cursor;
    size_t depth, height; /* of the recursion; of the stack of values */
    char *why;            /* error message; NULL: no error */
};

static void skip_blanks(struct reading *reading)
{
    reading->cursor += strspn(reading->cursor, " \t\n");
}

/* Sets the error message "EXPECTED expected". Returns false. */
static bool wrong(struct reading *reading, const char *expected)
{
    size_t place = (size_t)(reading->cursor - reading->text) + 1;
    if (!*reading->cursor)
        reading->why = buf_format("%s expected at its end", expected);
    else
        reading->why = buf_format("%s expected at character %zu, before `%.20s'",
                                  expected, place, reading->cursor);
    return false;
}

/* Skips blanks, and TEXT if it follows. Returns whether it follows. */
static bool take(struct reading *reading, const char *text)
{
    skip_blanks(reading);
    if (strncmp(reading->cursor, text, strlen(text)) != 0)
        return false;
    reading->cursor += strlen(text);
    return true;
}

#define OPERATION(name, expression)                                                      \
    static double name(double one, double other)                                         \
    {                                                                                    \
        (void)one;                                                                       \
        return expression;                                                               \
    }

/* A comparison, max or min: NaN if an operand is NaN. */
#define COMPARISON(name, expression)                                                     \
    OPERATION(name, isnan(one) || isnan(other) ? NAN : (double)(expression))

OPERATION(sum_of, one + other)
OPERATION(less, one - other)
OPERATION(times, one *other)
OPERATION(quotient, one / other)
OPERATION(power_of, pow(one, other))
OPERATION(opposite, -other)
OPERATION(log_of, log(other))
OPERATION(sqrt_of, sqrt(other))
OPERATION(abs_of, fabs(other))
COMPARISON(is_less, one < other)
COMPARISON(is_at_most, one <= other)
COMPARISON(is_more, one > other)
COMPARISON(is_at_least, one >= other)
COMPARISON(is_equal, one == other)
COMPARISON(is_unequal, one != other)
COMPARISON(max_of, one > other ? one : other)
COMPARISON(min_of, one < other ? one : other)

#define UNARY(name)                                                                      \
    {                                                                                    \
        .kind = FORMULA_OPERATION, .compute = name                                       \
    }
#define BINARY(name)                                                                     \
    {                                                                                    \
        .kind = FORMULA_OPERATION, .compute = name, .both = true                         \
    }

/* Adds a step. A step pops its operands from the stack of values and pushes its
   result. */
static bool add(struct reading *reading, struct formula_step step)
{
    struct formula *formula = reading->formula;
    size_t operands = step.kind != FORMULA_OPERATION ? 0 : step.both ? 2 : 1;
    BUF_NEXT(formula->steps, formula->count, formula->capacity) = step;
    assert(reading->height >= operands);
    reading->height += 1 - operands;
    if (formula->deepest < reading->height)
        formula->deepest = reading->height;
    return true;
}

/* Parses operands joined by operators of precedence LEVEL or higher. */
static bool read_level(struct reading *reading, size_t level);

static bool read_parenthesis(struct reading *reading)
{
    if (!take(reading, "("))
        return wrong(reading, "`('");
    if (!read_level(reading, 0))
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
    size_t length = word_length(reading->cursor);
    bool of_a = is_word(reading->cursor, length, "a"),
         of_b = is_word(reading->cursor, length, "b");
    if (!of_a && !of_b)
        return wrong(reading, "a or b");
    reading->cursor += length;
    if (!take(reading, ")"))
        return wrong(reading, "`)'");
    return add(reading,
               (struct formula_step){.kind = of_a ? FORMULA_SIZE_A : FORMULA_SIZE_B});
}

/* Parses the arguments of max or min, which are at least two. */
static bool read_list(struct reading *reading, struct formula_step step)
{
    if (!take(reading, "("))
        return wrong(reading, "`('");
    if (!read_level(reading, 0))
        return false;
    if (!take(reading, ","))
        return wrong(reading, "`,' or an operator");
    do {
        if (!read_level(reading, 0))
            return false;
        add(reading, step);
    } while (take(reading, ","));
    return take(reading, ")") || wrong(reading, "`,', `)' or an operator");
}

static bool read_word(struct reading *reading, size_t length)
{
    static const struct {
        const char *word;
        struct formula_step step;
    } words[] = {{"a", {.kind = FORMULA_A}}, {"b", {.kind = FORMULA_B}},
                 {"log", UNARY(log_of)},     {"sqrt", UNARY(sqrt_of)},
                 {"abs", UNARY(abs_of)},     {"max", BINARY(max_of)},
                 {"min", BINARY(min_of)},    {"n", {.kind = FORMULA_SIZE_A}}};
    size_t i = 0, count = sizeof words / sizeof *words;
    while (i < count && !is_word(reading->cursor, length, words[i].word))
        i++;
    if (i == count)
        return wrong(reading, "a, b, n(a), n(b), log, sqrt, abs, max or min");
    reading->cursor += length;
    const struct formula_step *step = &words[i].step;
    if (step->kind == FORMULA_SIZE_A)
        return read_size(reading);
    if (step->both)
        return read_list(reading, *step);
    return (step->kind != FORMULA_OPERATION || read_parenthesis(reading)) &&
           add(reading, *step);
}

/* Parses a decimal number. A point and an exponent are optional. Other numbers that
   strtod accepts, for example hexadecimal numbers, are errors. */
static bool read_number(struct reading *reading)
{
    static const char digits[] = "0123456789";
    const char *start = reading->cursor;
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
    BUF_OWN char *copy = buf_copy_prefix(start, length);
    double number = strtod(copy, NULL);
    if (!isfinite(number))
        return wrong(reading, "a smaller number");
    reading->cursor += length;
    return add(reading, (struct formula_step){.kind = FORMULA_NUMBER, .number = number});
}

static bool read_signed(struct reading *reading);

static bool read_power(struct reading *reading)
{
    skip_blanks(reading);
    size_t length = word_length(reading->cursor);
    bool good = *reading->cursor == '(' ? read_parenthesis(reading)
                : length                ? read_word(reading, length)
                                        : read_number(reading);
    if (!good || !take(reading, "^"))
        return good;
    return read_signed(reading) && add(reading, (struct formula_step)BINARY(power_of));
}

/* Parses an operand with its signs. All recursion goes through this function, which
   limits its depth. */
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
        add(reading, (struct formula_step)UNARY(opposite));
    return good;
}

static bool read_level(struct reading *reading, size_t level)
{
    /* Left-associative operators by precedence. `<' follows `<=', because an operator
       that is a prefix of another must be tried later. */
    static const struct {
        size_t level;
        const char *sign;
        struct formula_step step;
    } signs[] = {{0, "<=", BINARY(is_at_most)},  {0, "<", BINARY(is_less)},
                 {0, ">=", BINARY(is_at_least)}, {0, ">", BINARY(is_more)},
                 {0, "==", BINARY(is_equal)},    {0, "!=", BINARY(is_unequal)},
                 {1, "+", BINARY(sum_of)},       {1, "-", BINARY(less)},
                 {2, "*", BINARY(times)},        {2, "/", BINARY(quotient)}};
    if (level > 2)
        return read_signed(reading);
    bool good = read_level(reading, level + 1);
    while (good) {
        size_t i = 0, count = sizeof signs / sizeof *signs;
        while (i < count && (signs[i].level != level || !take(reading, signs[i].sign)))
            i++;
        if (i == count)
            break;
        good = read_level(reading, level + 1) && add(reading, signs[i].step);
    }
    return good;
}

char *formula_read(struct formula *formula, const char *text)
{
    struct reading reading = {.formula = formula, .text = text, .cursor = text};
    if (read_level(&reading, 0)) {
        skip_blanks(&reading);
        if (*reading.cursor)
            wrong(&reading, "an operator");
    }
    formula->text = buf_copy(text);
    return reading.why;
}

bool formula_has_sizes(const struct formula *formula)
{
    for (size_t i = 0; i < formula->count; i++)
        if (formula->steps[i].kind == FORMULA_SIZE_A ||
            formula->steps[i].kind == FORMULA_SIZE_B)
            return true;
    return false;
}

double formula_value(const struct formula *formula, const struct formula_values *values)
{
    BUF_OWN double *stack = buf_alloc((formula->deepest + 1) * sizeof *stack);
    size_t height = 0;
    for (size_t i = 0; i < formula->count; i++) {
        const struct formula_step *step = &formula->steps[i];
        const double leaves[] = {[FORMULA_NUMBER] = step->number,
                                 [FORMULA_A] = values->a,
                                 [FORMULA_B] = values->b,
                                 [FORMULA_SIZE_A] = values->size_a,
                                 [FORMULA_SIZE_B] = values->size_b};
        if (step->kind != FORMULA_OPERATION) {
            stack[height++] = leaves[step->kind];
            continue;
        }
        double other = stack[--height], one = step->both ? stack[--height] : 0;
        stack[height++] = step->compute(one, other);
    }
    return stack[0];
}

void formula_free(struct formula *formula)
{
    free(formula->steps);
    free(formula->text);
    memset(formula, 0, sizeof *formula);
}
