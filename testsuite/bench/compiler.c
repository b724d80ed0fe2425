// SPDX-License-Identifier: GPL-3.0-or-later
// By recursive descent, a function for each rule of the grammar, to steps of a machine
// with a stack, which runs them.

#include "compiler.h"
#include "compiler-machine.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 1 << 16, FUNCTIONS_MAX = 1 << 10, LOCALS_MAX = 16 };

typedef struct {
    const char *text;
    uint32_t length, hash;
} Name;

typedef struct {
    Name name; // no text: none yet
    int entry, parameters;
} Function;

typedef struct {
    const char *at;
    int token;
    int number; // the value of a NUMBER
    Name name;  // of a NAME
    bool failed;
    int used, label; // control may arrive at steps up to LABEL from elsewhere
    int local_count;
    Name locals[LOCALS_MAX];
    Function functions[FUNCTIONS_MAX];
    Step steps[STEPS_MAX];
} Compiler;

// Whoever reads on finds the end.
static void fail(Compiler *c)
{
    c->failed = true;
    c->token = END;
    c->at = "";
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n';
}

static bool same(const Name *a, const Name *b)
{
    return a->hash == b->hash && a->length == b->length &&
           memcmp(a->text, b->text, a->length) == 0;
}

static void read_name(Compiler *c)
{
    static const char *const words[] = {"int", "if", "else", "while", "return"};
    const char *from = c->at;
    uint32_t hash = 2166136261u;

    for (; is_letter(*c->at) || is_digit(*c->at); c->at++)
        hash = (hash ^ (uint8_t)*c->at) * 16777619u;
    c->name = (Name){from, (uint32_t)(c->at - from), hash};
    c->token = NAME;
    for (int i = 0; i < 5; i++)
        if (strncmp(words[i], from, c->name.length) == 0 && !words[i][c->name.length])
            c->token = INT + i;
}

static void read_number(Compiler *c)
{
    uint32_t number = 0;

    for (; is_digit(*c->at); c->at++)
        number = number * 10 + (uint32_t)(*c->at - '0');
    c->number = (int)number;
    c->token = NUMBER;
}

static void read_operator(Compiler *c)
{
    static const char pairs[][3] = {"||", "&&", "==", "!=", "<=", ">="};

    c->token = *c->at & 0x7f;
    c->at += c->token != END;
    for (int i = 0; i < 6; i++)
        if (c->token == pairs[i][0] && *c->at == pairs[i][1]) {
            c->token = OR + i;
            c->at++;
            return;
        }
}

static void next(Compiler *c)
{
    while (is_space(*c->at))
        c->at++;
    if (is_letter(*c->at))
        read_name(c);
    else if (is_digit(*c->at))
        read_number(c);
    else
        read_operator(c);
}

static bool accept(Compiler *c, int token)
{
    if (c->token != token)
        return false;
    next(c);
    return true;
}

static void expect(Compiler *c, int token)
{
    if (!accept(c, token))
        fail(c);
}

// Returns the step's operand, for those who know it later.
static int *emit(Compiler *c, int operation, int operand)
{
    if (c->used == STEPS_MAX - 1)
        fail(c);
    else
        c->used++;
    c->steps[c->used - 1] = (Step){operation, operand};
    return &c->steps[c->used - 1].operand;
}

static int here(Compiler *c)
{
    c->label = c->used;
    return c->used;
}

// Of two constants it makes one.
static void emit_operation(Compiler *c, int operation)
{
    Step *last = c->steps + c->used - 2;

    if (c->used - 2 >= c->label && last[0].operation == CONSTANT &&
        last[1].operation == CONSTANT) {
        last[0].operand = machine_operate(operation, last[0].operand, last[1].operand);
        c->used--;
    } else {
        emit(c, operation, 0);
    }
}

static Function *find_function(Compiler *c, const Name *name)
{
    uint32_t i = name->hash % FUNCTIONS_MAX;

    // There are fewer functions than places, see function().
    while (c->functions[i].name.text && !same(&c->functions[i].name, name))
        i = (i + 1) % FUNCTIONS_MAX;
    return &c->functions[i];
}

static void variable(Compiler *c, int operation, const Name *name)
{
    int i = c->local_count - 1;

    while (i >= 0 && !same(&c->locals[i], name))
        i--;
    if (i < 0)
        fail(c);
    else
        emit(c, operation, i);
}

static void expression(Compiler *c);

static void call(Compiler *c, const Name *name)
{
    const Function *function = find_function(c, name);
    int arguments = 0;

    while (c->token != ')' && !c->failed) {
        if (arguments++ > 0)
            expect(c, ',');
        expression(c);
    }
    expect(c, ')');
    if (!function->name.text || function->parameters != arguments)
        fail(c);
    else
        emit(c, CALL, function->entry);
}

static void unary(Compiler *c)
{
    Name name = c->name;
    int number = c->number;

    if (accept(c, '-')) {
        unary(c);
        emit(c, NEGATE, 0);
    } else if (accept(c, '!')) {
        unary(c);
        emit(c, NOT, 0);
    } else if (accept(c, '(')) {
        expression(c);
        expect(c, ')');
    } else if (accept(c, NUMBER)) {
        emit(c, CONSTANT, number);
    } else {
        expect(c, NAME);
        if (accept(c, '('))
            call(c, &name);
        else
            variable(c, LOAD, &name);
    }
}

// How tightly an operator holds its operands; 0: it is none.
static int strength(int token)
{
    static const uint8_t all[TOKENS] = {
        [OR] = 1,      [AND] = 2,      ['|'] = 3, ['^'] = 4,     ['&'] = 5, [EQUAL] = 6,
        [UNEQUAL] = 6, ['<'] = 7,      ['>'] = 7, [AT_MOST] = 7, ['+'] = 8, ['-'] = 8,
        ['*'] = 9,     [AT_LEAST] = 7, ['/'] = 9, ['%'] = 9};

    return all[token];
}

// Operators that hold at least as tightly as LEAST.  The right operand of && and || is
// evaluated only if the left one does not settle it.
static void binary(Compiler *c, int least)
{
    unary(c);
    while (strength(c->token) >= least) {
        int operation = c->token;
        bool settles = operation == AND || operation == OR;
        int *over = NULL;

        next(c);
        if (settles) {
            emit(c, TRUTH, 0);
            over = emit(c, operation == AND ? KEEP_FALSE : KEEP_TRUE, 0);
        }
        binary(c, strength(operation) + 1);
        if (settles) {
            emit(c, TRUTH, 0);
            *over = here(c);
        } else {
            emit_operation(c, operation);
        }
    }
}

static void expression(Compiler *c)
{
    binary(c, 1);
}

static void statement(Compiler *c);

static void block(Compiler *c)
{
    while (c->token != '}' && !c->failed)
        statement(c);
    expect(c, '}');
}

// Returns where to say where it goes on if the condition does not hold.
static int *condition(Compiler *c)
{
    expect(c, '(');
    expression(c);
    expect(c, ')');
    return emit(c, IF_NOT, 0);
}

static void if_statement(Compiler *c)
{
    int *over = condition(c), *end;

    statement(c);
    if (accept(c, ELSE)) {
        end = emit(c, JUMP, 0);
        *over = here(c);
        over = end;
        statement(c);
    }
    *over = here(c);
}

static void while_statement(Compiler *c)
{
    int start = here(c), *end = condition(c);

    statement(c);
    emit(c, JUMP, start);
    *end = here(c);
}

static void statement(Compiler *c)
{
    Name name = c->name;

    if (accept(c, '{')) {
        block(c);
    } else if (accept(c, IF)) {
        if_statement(c);
    } else if (accept(c, WHILE)) {
        while_statement(c);
    } else if (accept(c, RETURN)) {
        expression(c);
        emit(c, LEAVE, 0);
        expect(c, ';');
    } else {
        expect(c, NAME);
        expect(c, '=');
        expression(c);
        variable(c, STORE, &name);
        expect(c, ';');
    }
}

static void declare(Compiler *c)
{
    expect(c, INT);
    if (c->token != NAME || c->local_count == LOCALS_MAX)
        fail(c);
    else
        c->locals[c->local_count++] = c->name;
    next(c);
}

static const Function *function(Compiler *c, int number)
{
    Function *function;

    expect(c, INT);
    function = find_function(c, &c->name);
    if (c->token != NAME || function->name.text || number == FUNCTIONS_MAX - 1) {
        fail(c);
        return NULL;
    }
    function->name = c->name;
    function->entry = here(c);
    next(c);
    expect(c, '(');
    c->local_count = 0;
    while (c->token != ')' && !c->failed) {
        if (c->local_count > 0)
            expect(c, ',');
        declare(c);
    }
    expect(c, ')');
    function->parameters = c->local_count;
    emit(c, ENTER, c->local_count);
    expect(c, '{');
    while (c->token == INT) {
        declare(c);
        emit(c, CONSTANT, 0);
        expect(c, ';');
    }
    block(c);
    emit(c, CONSTANT, 0);
    emit(c, LEAVE, 0);
    return function;
}

bool compiler_run(const char *text, int *result)
{
    Compiler *c = calloc(1, sizeof *c);
    const Function *last = NULL;
    bool ran = false;

    if (!c)
        return false;
    c->at = text;
    next(c);
    for (int number = 0; c->token != END; number++)
        last = function(c, number);
    if (!c->failed && last && last->parameters == 0)
        ran = machine_run(c->steps, last->entry, result);
    free(c);
    return ran;
}
