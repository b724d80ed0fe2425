// SPDX-License-Identifier: GPL-3.0-or-later
// The machine with a stack for which compiler.c compiles.

#ifndef COMPILER_MACHINE_H
#define COMPILER_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

// Tokens; those of one character are that character.
enum { END = 0, NAME = 128, NUMBER, INT, IF, ELSE, WHILE, RETURN };
enum { OR = RETURN + 1, AND, EQUAL, UNEQUAL, AT_MOST, AT_LEAST, TOKENS };

// What a step does; with two operands it is their token.
enum { CONSTANT = TOKENS, LOAD, STORE, NEGATE, TRUTH, NOT };
enum { JUMP = NOT + 1, IF_NOT, KEEP_FALSE, KEEP_TRUE, CALL, ENTER, LEAVE };

typedef struct {
    int operation, operand;
} Step;

static inline int machine_operate(int operation, int a, int b)
{
    uint32_t x = (uint32_t)a, y = (uint32_t)b;

    switch (operation) {
    case '+':
        return (int)(x + y);
    case '-':
        return (int)(x - y);
    case '*':
        return (int)(x * y);
    case '/':
        return b == 0 ? 0 : b == -1 ? (int)-x : a / b;
    case '%':
        return b == 0 || b == -1 ? 0 : a % b;
    case '&':
        return a & b;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '<':
        return a < b;
    case '>':
        return a > b;
    case EQUAL:
        return a == b;
    case UNEQUAL:
        return a != b;
    case AT_MOST:
        return a <= b;
    default:
        return a >= b;
    }
}

// Runs the function that begins at step ENTRY; what it returns is in *RESULT.  False if
// there are too many calls.  Steps, and how deep they put operands, are not checked.
bool machine_run(const Step *steps, int entry, int *result);

#endif
