/* SPDX-License-Identifier: MIT */
/* Evaluates the expressions in call frame information (DWARF 5, 2.5).  Owns nothing.
   Called by the SIGPROF handler.  Linkers write expressions for procedure linkage tables,
   libraries for signal frames, and GCC for frames with vectors whose length only the
   processor knows.  */

#include "rt/unwind/unwind-bytes.h"
#include "rt/unwind/unwind.h"

enum {
    EXPRESSION_ADDRESS = 0x03,
    EXPRESSION_READ = 0x06,
    EXPRESSION_CONST = 0x08, /* of 1, 2, 4, 8 bytes; each unsigned, then signed */
    EXPRESSION_CONST_END = 0x10,
    EXPRESSION_CONST_LEB = 0x10,
    EXPRESSION_CONST_SIGNED_LEB = 0x11,
    EXPRESSION_DUPLICATE = 0x12,
    EXPRESSION_DROP = 0x13,
    EXPRESSION_AND = 0x1a,
    EXPRESSION_MINUS = 0x1c,
    EXPRESSION_TIMES = 0x1e,
    EXPRESSION_OR = 0x21,
    EXPRESSION_PLUS = 0x22,
    EXPRESSION_PLUS_CONST = 0x23,
    EXPRESSION_LEFT = 0x24,
    EXPRESSION_RIGHT = 0x25,
    EXPRESSION_XOR = 0x27,
    EXPRESSION_EQ = 0x29,
    EXPRESSION_GE = 0x2a,
    EXPRESSION_GT = 0x2b,
    EXPRESSION_LE = 0x2c,
    EXPRESSION_LT = 0x2d,
    EXPRESSION_NE = 0x2e,
    EXPRESSION_LITERAL = 0x30, /* the numbers 0 to 31 */
    EXPRESSION_LITERAL_END = 0x50,
    EXPRESSION_BASE = 0x70, /* of 32 registers, each followed by an offset */
    EXPRESSION_BASE_END = 0x90,
    EXPRESSION_BASE_NUMBER = 0x92, /* followed by the register's number and an offset */
    EXPRESSION_NOP = 0x96
};

#define EXPRESSION_DEPTH 16

struct expression {
    struct ccprof_unwind *unwind;
    struct ccprof_bytes bytes; /* `bad' also tells of errors in the evaluation */
    unsigned depth;
    uint64_t stack[EXPRESSION_DEPTH];
};

static void expression_push(struct expression *e, uint64_t value)
{
    if (e->depth == EXPRESSION_DEPTH)
        e->bytes.bad = true;
    else
        e->stack[e->depth++] = value;
}

static uint64_t expression_pop(struct expression *e)
{
    if (e->depth == 0) {
        e->bytes.bad = true;
        return 0;
    }
    return e->stack[--e->depth];
}

static void expression_read(struct expression *e)
{
    uint64_t value = 0;
    if (!ccprof_safe_read(&e->unwind->readable, expression_pop(e), &value))
        e->bytes.bad = true;
    expression_push(e, value);
}

static void expression_const(struct expression *e, unsigned code)
{
    size_t size = (size_t)1 << (code - EXPRESSION_CONST) / 2;
    expression_push(e, code & 1 ? (uint64_t)ccprof_bytes_signed(&e->bytes, size)
                                : ccprof_bytes_fixed(&e->bytes, size));
}

static void expression_base(struct expression *e, uint64_t number)
{
    uint64_t offset = (uint64_t)ccprof_bytes_signed_leb(&e->bytes), value = 0;
    if (number < ccprof_cpu.registers)
        value = e->unwind->registers[number];
    else if (e->bytes.bad || !ccprof_cpu_vector_register(number, &value))
        e->bytes.bad = true;
    expression_push(e, value + offset);
}

static uint64_t expression_two(struct expression *e, unsigned code, uint64_t a,
                               uint64_t b)
{
    switch (code) {
    case EXPRESSION_AND:
        return a & b;
    case EXPRESSION_MINUS:
        return a - b;
    case EXPRESSION_TIMES:
        return a * b;
    case EXPRESSION_OR:
        return a | b;
    case EXPRESSION_PLUS:
        return a + b;
    case EXPRESSION_LEFT:
        return b < 64 ? a << b : 0;
    case EXPRESSION_RIGHT:
        return b < 64 ? a >> b : 0;
    case EXPRESSION_XOR:
        return a ^ b;
    case EXPRESSION_EQ:
        return a == b;
    case EXPRESSION_GE:
        return (int64_t)a >= (int64_t)b;
    case EXPRESSION_GT:
        return (int64_t)a > (int64_t)b;
    case EXPRESSION_LE:
        return (int64_t)a <= (int64_t)b;
    case EXPRESSION_LT:
        return (int64_t)a < (int64_t)b;
    case EXPRESSION_NE:
        return a != b;
    }
    e->bytes.bad = true;
    return 0;
}

static void expression_other(struct expression *e, unsigned code)
{
    uint64_t a, b;

    switch (code) {
    case EXPRESSION_NOP:
        break;
    case EXPRESSION_ADDRESS:
        expression_push(e, ccprof_bytes_fixed(&e->bytes, 8));
        break;
    case EXPRESSION_READ:
        expression_read(e);
        break;
    case EXPRESSION_CONST_LEB:
        expression_push(e, ccprof_bytes_unsigned_leb(&e->bytes));
        break;
    case EXPRESSION_CONST_SIGNED_LEB:
        expression_push(e, (uint64_t)ccprof_bytes_signed_leb(&e->bytes));
        break;
    case EXPRESSION_DUPLICATE:
        a = expression_pop(e);
        expression_push(e, a);
        expression_push(e, a);
        break;
    case EXPRESSION_DROP:
        expression_pop(e);
        break;
    case EXPRESSION_PLUS_CONST:
        a = expression_pop(e);
        expression_push(e, a + ccprof_bytes_unsigned_leb(&e->bytes));
        break;
    case EXPRESSION_BASE_NUMBER:
        expression_base(e, ccprof_bytes_unsigned_leb(&e->bytes));
        break;
    default:
        b = expression_pop(e);
        a = expression_pop(e);
        expression_push(e, expression_two(e, code, a, b));
    }
}

static void expression_step(struct expression *e)
{
    unsigned code = (unsigned)ccprof_bytes_fixed(&e->bytes, 1);

    if (code >= EXPRESSION_LITERAL && code < EXPRESSION_LITERAL_END)
        expression_push(e, code - EXPRESSION_LITERAL);
    else if (code >= EXPRESSION_BASE && code < EXPRESSION_BASE_END)
        expression_base(e, code - EXPRESSION_BASE);
    else if (code >= EXPRESSION_CONST && code < EXPRESSION_CONST_END)
        expression_const(e, code);
    else
        expression_other(e, code);
}

bool ccprof_unwind_expression(struct ccprof_unwind *unwind, const uint8_t *expression,
                              bool pushed, uint64_t *value)
{
    struct expression e;
    /* The table holds the whole expression: whoever found the expression has skipped it
       by its length.  */
    struct ccprof_bytes length = {expression, expression + 10, false};
    uint64_t size = ccprof_bytes_unsigned_leb(&length);

    e.unwind = unwind;
    e.bytes.at = length.at;
    e.bytes.end = length.at + size;
    e.bytes.bad = false;
    e.depth = 0;
    if (pushed)
        expression_push(&e, *value);
    while (e.bytes.at < e.bytes.end && !e.bytes.bad)
        expression_step(&e);
    *value = expression_pop(&e);
    return !e.bytes.bad;
}
