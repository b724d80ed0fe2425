/* SPDX-License-Identifier: MIT */
/* Interprets call frame information, for unwind.c. Finds the unwind rules for an
   instruction by executing the call frame instructions (DWARF 5, 6.4.2) of the
   function up to this instruction. Also evaluates the expressions in rules (DWARF 5,
   2.5). Linkers generate expressions for procedure linkage tables, libraries for
   signal frames, and GCC for frames with vectors whose length only the processor
   knows. Owns no data. Async-signal-safe. */

#include "rt/unwind/unwind-bytes.h"
#include "rt/unwind/unwind.h"

/* The first three instructions have an operand in the lower six bits of their byte. */
enum {
    RULES_ADVANCE = 0x40,
    RULES_OFFSET = 0x80,
    RULES_RESTORE = 0xc0,
    RULES_NOP = 0x00,
    RULES_SET_LOC = 0x01,
    RULES_ADVANCE_1 = 0x02,
    RULES_ADVANCE_2 = 0x03,
    RULES_ADVANCE_4 = 0x04,
    RULES_OFFSET_EXTENDED = 0x05,
    RULES_RESTORE_EXTENDED = 0x06,
    RULES_UNDEFINED = 0x07,
    RULES_SAME = 0x08,
    RULES_REGISTER = 0x09,
    RULES_REMEMBER = 0x0a,
    RULES_RECALL = 0x0b,
    RULES_FRAME = 0x0c,
    RULES_FRAME_REGISTER = 0x0d,
    RULES_FRAME_OFFSET = 0x0e,
    RULES_FRAME_EXPRESSION = 0x0f,
    RULES_EXPRESSION = 0x10,
    RULES_OFFSET_SIGNED = 0x11,
    RULES_FRAME_SIGNED = 0x12,
    RULES_FRAME_OFFSET_SIGNED = 0x13,
    RULES_VALUE = 0x14,
    RULES_VALUE_SIGNED = 0x15,
    RULES_VALUE_EXPRESSION = 0x16,
    RULES_WINDOW = 0x2d, /* aarch64: from here on the return address is signed */
    RULES_ARGUMENTS = 0x2e,
    RULES_OFFSET_NEGATIVE = 0x2f
};

/* A set of instructions, one bit for each: the first operand, after the byte of the
   instruction, is a register. */
#define BIT(code) ((uint64_t)1 << (code))
static const uint64_t rules_of_registers =
    BIT(RULES_OFFSET_EXTENDED) | BIT(RULES_RESTORE_EXTENDED) | BIT(RULES_UNDEFINED) |
    BIT(RULES_SAME) | BIT(RULES_REGISTER) | BIT(RULES_FRAME) | BIT(RULES_FRAME_REGISTER) |
    BIT(RULES_EXPRESSION) | BIT(RULES_OFFSET_SIGNED) | BIT(RULES_FRAME_SIGNED) |
    BIT(RULES_VALUE) | BIT(RULES_VALUE_SIGNED) | BIT(RULES_VALUE_EXPRESSION) |
    BIT(RULES_OFFSET_NEGATIVE);

struct rules_run {
    struct ccprof_unwind *unwind;
    const struct ccprof_unwind_function *function;
    struct ccprof_bytes bytes;
    uint64_t location, pc;
    unsigned remembered;
};

static void rules_set(struct rules_run *run, uint64_t number, enum ccprof_unwind_how how,
                      int64_t value)
{
    /* The unwinder does not need other registers of the caller. */
    if (number < CCPROF_CPU_REGISTERS) {
        run->unwind->rules.how[number] = (uint8_t)how;
        run->unwind->rules.value[number] = value;
    }
}

static void rules_restore(struct rules_run *run, uint64_t number)
{
    if (number < CCPROF_CPU_REGISTERS)
        rules_set(run, number, run->unwind->initial.how[number],
                  run->unwind->initial.value[number]);
}

static void rules_frame(struct rules_run *run, uint64_t number, int64_t offset)
{
    struct ccprof_unwind_rules *rules = &run->unwind->rules;
    rules->frame_expression = false;
    rules->frame_register = (uint8_t)number;
    rules->frame_offset = offset;
    run->bytes.bad |= number >= CCPROF_CPU_REGISTERS;
}

static int64_t rules_expression(struct rules_run *run)
{
    const uint8_t *start = run->bytes.next;
    ccprof_bytes_skip(&run->bytes, ccprof_bytes_unsigned_leb(&run->bytes));
    return (int64_t)(uintptr_t)start;
}

static int64_t rules_factored(struct rules_run *run, bool is_signed)
{
    int64_t offset = (int64_t)ccprof_bytes_leb(&run->bytes, is_signed);
    return (int64_t)((uint64_t)offset * (uint64_t)run->function->data_align);
}

static void rules_advance(struct rules_run *run, uint64_t delta)
{
    run->location += delta * run->function->code_align;
}

static void rules_execute(struct rules_run *run)
{
    struct ccprof_unwind_rules *rules = &run->unwind->rules;
    struct ccprof_bytes *bytes = &run->bytes;
    unsigned code = (unsigned)ccprof_bytes_fixed(bytes, 1);
    uint64_t operand = 0;

    if (code >= RULES_ADVANCE) {
        operand = code & (RULES_ADVANCE - 1);
        code &= ~(RULES_ADVANCE - 1u);
    } else if (rules_of_registers >> code & 1) {
        operand = ccprof_bytes_unsigned_leb(bytes);
    }

    switch (code) {
    case RULES_NOP:
    case RULES_WINDOW:
        break;
    case RULES_ARGUMENTS:
        ccprof_bytes_unsigned_leb(bytes);
        break;

    case RULES_ADVANCE:
        rules_advance(run, operand);
        break;
    case RULES_ADVANCE_1:
        rules_advance(run, ccprof_bytes_fixed(bytes, 1));
        break;
    case RULES_ADVANCE_2:
        rules_advance(run, ccprof_bytes_fixed(bytes, 2));
        break;
    case RULES_ADVANCE_4:
        rules_advance(run, ccprof_bytes_fixed(bytes, 4));
        break;

    case RULES_OFFSET:
    case RULES_OFFSET_EXTENDED:
        rules_set(run, operand, CCPROF_UNWIND_SAVED, rules_factored(run, false));
        break;
    case RULES_OFFSET_SIGNED:
        rules_set(run, operand, CCPROF_UNWIND_SAVED, rules_factored(run, true));
        break;
    case RULES_OFFSET_NEGATIVE:
        rules_set(run, operand, CCPROF_UNWIND_SAVED, -rules_factored(run, false));
        break;
    case RULES_RESTORE:
    case RULES_RESTORE_EXTENDED:
        rules_restore(run, operand);
        break;
    case RULES_UNDEFINED:
        rules_set(run, operand, CCPROF_UNWIND_UNDEFINED, 0);
        break;
    case RULES_SAME:
        rules_set(run, operand, CCPROF_UNWIND_SAME, 0);
        break;
    case RULES_REGISTER:
        rules_set(run, operand, CCPROF_UNWIND_REGISTER,
                  (int64_t)ccprof_bytes_unsigned_leb(bytes));
        break;
    case RULES_EXPRESSION:
        rules_set(run, operand, CCPROF_UNWIND_SAVED_EXPR, rules_expression(run));
        break;
    case RULES_VALUE:
        rules_set(run, operand, CCPROF_UNWIND_OFFSET, rules_factored(run, false));
        break;
    case RULES_VALUE_SIGNED:
        rules_set(run, operand, CCPROF_UNWIND_OFFSET, rules_factored(run, true));
        break;
    case RULES_VALUE_EXPRESSION:
        rules_set(run, operand, CCPROF_UNWIND_EXPR, rules_expression(run));
        break;

    case RULES_FRAME:
        rules_frame(run, operand, (int64_t)ccprof_bytes_unsigned_leb(bytes));
        break;
    case RULES_FRAME_SIGNED:
        rules_frame(run, operand, rules_factored(run, true));
        break;
    case RULES_FRAME_REGISTER:
        rules_frame(run, operand, rules->frame_offset);
        break;
    case RULES_FRAME_OFFSET:
        rules->frame_offset = (int64_t)ccprof_bytes_unsigned_leb(bytes);
        break;
    case RULES_FRAME_OFFSET_SIGNED:
        rules->frame_offset = rules_factored(run, true);
        break;
    case RULES_FRAME_EXPRESSION:
        rules->frame_expression = true;
        rules->frame_offset = rules_expression(run);
        break;

    case RULES_REMEMBER:
        if (run->remembered == CCPROF_UNWIND_REMEMBERED)
            bytes->bad = true;
        else
            run->unwind->remembered[run->remembered++] = *rules;
        break;
    case RULES_RECALL:
        if (run->remembered == 0)
            bytes->bad = true;
        else
            *rules = run->unwind->remembered[--run->remembered];
        break;
    default:
        bytes->bad = true;
    }
}

/* Executes the instructions between FROM and TO until the location is after run->pc. */
static bool rules_run(struct rules_run *run, const uint8_t *from, const uint8_t *to)
{
    run->bytes.next = from;
    run->bytes.end = to;
    run->bytes.bad = false;
    while (run->bytes.next < to && run->location <= run->pc && !run->bytes.bad)
        rules_execute(run);
    return !run->bytes.bad;
}

bool ccprof_unwind_rules(struct ccprof_unwind *unwind,
                         const struct ccprof_unwind_function *function, uint64_t pc)
{
    struct rules_run run = {unwind, function, {NULL, NULL, false}, 0, 0, 0};

    memset(&unwind->rules, 0, sizeof unwind->rules);
    run.location = function->start;
    run.pc = pc;
    if (!rules_run(&run, function->common, function->common_end))
        return false;
    unwind->initial = unwind->rules;
    return rules_run(&run, function->specific, function->specific_end);
}

enum {
    EXPRESSION_ADDRESS = 0x03,
    EXPRESSION_READ = 0x06,
    EXPRESSION_CONST = 0x08, /* 1, 2, 4, 8 bytes; each unsigned, then signed */
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
    EXPRESSION_LITERAL = 0x30, /* numbers 0 to 31 */
    EXPRESSION_LITERAL_END = 0x50,
    EXPRESSION_BASE = 0x70, /* 32 registers, each followed by an offset */
    EXPRESSION_BASE_END = 0x90,
    EXPRESSION_BASE_NUMBER = 0x92, /* followed by the register's number and an offset */
    EXPRESSION_NOP = 0x96
};

#define EXPRESSION_DEPTH 16

struct expression {
    struct ccprof_unwind *unwind;
    struct ccprof_bytes bytes; /* `bad' also records evaluation errors */
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
    /* The whole expression is in the table, since the code that found it has skipped
       the expression by its length. */
    struct ccprof_bytes length = {expression, expression + 10, false};
    uint64_t size = ccprof_bytes_unsigned_leb(&length);

    e.unwind = unwind;
    e.bytes.next = length.next;
    e.bytes.end = length.next + size;
    e.bytes.bad = false;
    e.depth = 0;
    if (pushed)
        expression_push(&e, *value);
    while (e.bytes.next < e.bytes.end && !e.bytes.bad)
        expression_step(&e);
    *value = expression_pop(&e);
    return !e.bytes.bad;
}
