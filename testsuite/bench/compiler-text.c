// SPDX-License-Identifier: GPL-3.0-or-later
// Programs for compiler.c, written here.  Their results are known from elsewhere: of
// expressions from C, of sums from a formula, of some functions from everyone.  A program
// compares, and returns how many of its results are wrong.

#include "compiler.h"
#include "units.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_MAX = 1 << 17, EXPRESSIONS = 300, SUMS = 60 };

typedef struct {
    char text[TEXT_MAX];
    size_t used;
    uint32_t random;
    int variables[3]; // the values of a, b and c
} Writer;

static const char known[] = "int gcd(int a, int b) {\n"
                            "    if (b == 0) return a;\n"
                            "    return gcd(b, a % b);\n"
                            "}\n"
                            "int fibonacci(int n) {\n"
                            "    if (n < 2) return n;\n"
                            "    return fibonacci(n - 1) + fibonacci(n - 2);\n"
                            "}\n"
                            "int collatz(int n) {\n"
                            "    int steps;\n"
                            "    steps = 0;\n"
                            "    while (n != 1) {\n"
                            "        if (n & 1) n = 3 * n + 1; else n = n / 2;\n"
                            "        steps = steps + 1;\n"
                            "    }\n"
                            "    return steps;\n"
                            "}\n"
                            "int prime(int n) {\n"
                            "    int d;\n"
                            "    d = 2;\n"
                            "    while (d * d <= n && n % d != 0) d = d + 1;\n"
                            "    return n > 1 && d * d > n;\n"
                            "}\n"
                            "int primes(int below) {\n"
                            "    int n; int count;\n"
                            "    n = 0; count = 0;\n"
                            "    while (n < below) {\n"
                            "        count = count + prime(n);\n"
                            "        n = n + 1;\n"
                            "    }\n"
                            "    return count;\n"
                            "}\n";

static const char comparisons[] = "    if (gcd(1071, 462) != 21) wrong = wrong + 1;\n"
                                  "    if (fibonacci(15) != 610) wrong = wrong + 1;\n"
                                  "    if (collatz(27) != 111) wrong = wrong + 1;\n"
                                  "    if (primes(1000) != 168) wrong = wrong + 1;\n";

__attribute__((format(printf, 2, 3))) static void put(Writer *w, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    w->used +=
        (size_t)vsnprintf(w->text + w->used, TEXT_MAX - w->used, format, arguments);
    va_end(arguments);
    if (w->used >= TEXT_MAX)
        abort();
}

static uint32_t below(Writer *w, uint32_t n)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 17;
    w->random ^= w->random << 5;
    return (uint32_t)(((uint64_t)w->random * n) >> 32);
}

// A variable or a constant.  Returns the value, as all that write expressions do.
static int operand(Writer *w)
{
    uint32_t which = below(w, 5), number = below(w, 1000);

    if (which < 3) {
        put(w, "%c", 'a' + (int)which);
        return w->variables[which];
    }
    put(w, "%u", number);
    return (int)number;
}

static int expression(Writer *w, int depth);

static int inner(Writer *w, int depth)
{
    int value;

    put(w, "(");
    value = expression(w, depth);
    put(w, ")");
    return value;
}

// Where it matters which operators hold tighter.
static int without_parentheses(Writer *w)
{
    int x, y, z;

#define THREE(first, second)                                                             \
    (x = operand(w), put(w, first), y = operand(w), put(w, second), z = operand(w))
    switch (below(w, 5)) {
    case 0:
        THREE(" + ", " * ");
        return (int)((uint32_t)x + (uint32_t)y * (uint32_t)z);
    case 1:
        THREE(" - ", " - ");
        return (int)((uint32_t)x - (uint32_t)y - (uint32_t)z);
    case 2:
        THREE(" < ", " == ");
        return (x < y) == z;
    case 3:
        THREE(" && ", " || ");
        return (x && y) || z;
    default:
        THREE(" | ", " ^ ");
        return x | (y ^ z);
    }
#undef THREE
}

static int two(Writer *w, int depth)
{
    static const char *const operators[] = {"+", "-",  "*",  "&",  "^", "|",
                                            ">", ">=", "!=", "&&", "||"};
    uint32_t which = below(w, 11);
    int x = inner(w, depth), y;

    put(w, " %s ", operators[which]);
    y = inner(w, depth);
    switch (which) {
    case 0:
        return (int)((uint32_t)x + (uint32_t)y);
    case 1:
        return (int)((uint32_t)x - (uint32_t)y);
    case 2:
        return (int)((uint32_t)x * (uint32_t)y);
    case 3:
        return x & y;
    case 4:
        return x ^ y;
    case 5:
        return x | y;
    case 6:
        return x > y;
    case 7:
        return x >= y;
    case 8:
        return x != y;
    case 9:
        return x && y;
    default:
        return x || y;
    }
}

static int expression(Writer *w, int depth)
{
    int divisor;

    if (depth == 0)
        return operand(w);
    switch (below(w, 8)) {
    case 0:
        put(w, "-");
        return (int)-(uint32_t)inner(w, depth - 1);
    case 1:
        put(w, "!");
        return !inner(w, depth - 1);
    case 2:
    case 3:
        return without_parentheses(w);
    case 4:
        divisor = 1 + (int)below(w, 100);
        if (below(w, 2)) {
            int value = inner(w, depth - 1);

            put(w, " / %d", divisor);
            return value / divisor;
        } else {
            int value = inner(w, depth - 1);

            put(w, " %% %d", divisor);
            return value % divisor;
        }
    default:
        return two(w, depth - 1);
    }
}

// Its result is to be VALUES[I], for the arguments that it has in main.
static void expression_function(Writer *w, int i, int values[][4])
{
    for (int j = 0; j < 3; j++)
        values[i][j] = w->variables[j] = (int)below(w, 1u << 16) - (1 << 15);
    put(w, "int e%d(int a, int b, int c)\n{\n    return ", i);
    values[i][3] = expression(w, 5);
    put(w, ";\n}\n");
}

// FACTOR times the odd numbers up to N, but for LEFT_OUT, less the others.
static void sum_function(Writer *w, int i, int factor, int left_out)
{
    put(w,
        "int sum%d(int n)\n"
        "{\n"
        "    int i; int sum;\n"
        "    i = 0;\n"
        "    sum = 0;\n"
        "    while (i < n) {\n"
        "        i = i + 1;\n"
        "        if (i %% 2 == 1 && i != %d)\n"
        "            sum = sum + %d * i;\n"
        "        else\n"
        "            sum = sum - i;\n"
        "    }\n"
        "    return sum;\n"
        "}\n",
        i, left_out, factor);
}

// What that comes to up to 2 * HALF: the odd ones are HALF * HALF together.
static int sum_of(int half, int factor, int left_out)
{
    return factor * (half * half - left_out) - half * (half + 1) - left_out;
}

static void program(Writer *w)
{
    int values[EXPRESSIONS][4], halves[SUMS], sums[SUMS];

    put(w, "%s", known);
    for (int i = 0; i < EXPRESSIONS; i++)
        expression_function(w, i, values);
    for (int i = 0; i < SUMS; i++) {
        int factor = (int)below(w, 1000), left_out;

        halves[i] = 1 + (int)below(w, 100);
        left_out = 2 * (int)below(w, (uint32_t)halves[i]) + 1;
        sums[i] = sum_of(halves[i], factor, left_out);
        sum_function(w, i, factor, left_out);
    }
    put(w, "int main()\n{\n    int wrong; wrong = 0;\n%s", comparisons);
    for (int i = 0; i < EXPRESSIONS; i++)
        put(w, "    if (e%d(%d, %d, %d) != %d) wrong = wrong + 1;\n", i, values[i][0],
            values[i][1], values[i][2], values[i][3]);
    for (int i = 0; i < SUMS; i++)
        put(w, "    if (sum%d(%d) != %d) wrong = wrong + 1;\n", i, 2 * halves[i],
            sums[i]);
    put(w, "    return wrong;\n}\n");
}

int unit_is_right(int number)
{
    Writer *w = malloc(sizeof *w);
    int wrong = 0, ran = w != NULL;

    for (uint32_t i = 0; i < 10 && ran && wrong == 0; i++) {
        w->used = 0;
        w->random = (uint32_t)(number + 1) * 2654435761u + i;
        program(w);
        for (int j = 0; j < 12 && ran && wrong == 0; j++)
            ran = compiler_run(w->text, &wrong);
    }
    free(w);
    return ran && wrong == 0;
}
