/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "writer.h"

#include <string.h>

#include "constant.h"

/* { one to three statements } */
static void block(struct body *b, unsigned depth)
{
    unsigned n = 1 + random_below(depth > 1 ? 1 : 3);

    PUT("{");
    b->t->depth++;
    for (unsigned i = 0; i < n; i++)
        statement_write(b, depth + 1);
    b->t->depth--;
    text_line(b->t);
    PUT("}");
}

static void condition(struct body *b)
{
    static const char *const compare[] = {">", "<", ">="};
    static const char *const cheap[] = {"x & 1", "y > 3", "x > y", "r->a", "w & 4"};

    if (random_chance(40)) {
        PUT("%s", PICK(cheap));
        return;
    }
    /* What is equal to a constant would be replaced by it elsewhere.  */
    if (random_chance(35)) {
        term_memory(b);
        PUT(" %s ", PICK(compare));
    } else if (random_chance(30)) {
        PUT("(%s ^ y >> %u) %s ", term_variable(), 1 + random_below(20),
            random_chance(50) ? "==" : "!=");
    } else {
        PUT("%s %s ", term_variable(), PICK(compare));
    }
    NARROW();
}

static void choice(struct body *b, unsigned depth)
{
    PUT("if (");
    if (random_chance(15)) {
        PUT("__builtin_expect(");
        condition(b);
        PUT(", 0)");
    } else {
        condition(b);
    }
    PUT(") ");
    block(b, depth);
    if (random_chance(60)) {
        PUT(" else ");
        block(b, depth);
    }
}

static void selection(struct body *b)
{
    unsigned n = 3 + random_below(4);

    PUT("switch (%s) {", random_chance(50) ? "x & 7" : "y");
    for (unsigned i = 0; i < n; i++) {
        text_line(b->t);
        PUT("case %u:", i + random_below(2) * 10);
        b->t->depth++;
        text_line(b->t);
        if (random_chance(40))
            simple_long(b);
        else
            simple_assignment(b);
        text_line(b->t);
        PUT("%s;", random_chance(85) ? "break" : "x++");
        b->t->depth--;
    }
    text_line(b->t);
    PUT("}");
}

static void early_return(struct body *b)
{
    PUT("if ((y ^ x >> %u) == ", 1 + random_below(20));
    NARROW();
    PUT(")");
    b->t->depth++;
    text_line(b->t);
    if (b->f->shape == SHAPE_CELLS && b->owner == &b->f->owner) {
        PUT("return;");
    } else {
        PUT("return ");
        term_write(b, 0, 0);
        PUT(";");
    }
    b->t->depth--;
}

/* One condition twice, with a statement between: jump threading.  */
static void threaded(struct body *b)
{
    unsigned i = b->temporaries++;

    PUT("u32 flag%u = 0;", i);
    text_line(b->t);
    PUT("if (x > ");
    NARROW();
    PUT(") {");
    b->t->depth++;
    text_line(b->t);
    PUT("flag%u = 1;", i);
    text_line(b->t);
    PUT("x = ");
    term_write(b, 0, 0);
    PUT(";");
    b->t->depth--;
    text_line(b->t);
    PUT("}");
    text_line(b->t);
    simple_assignment(b);
    text_line(b->t);
    PUT("if (flag%u)", i);
    b->t->depth++;
    text_line(b->t);
    simple_assignment(b);
    b->t->depth--;
}

static void recursion(struct body *b)
{
    static const char *const first[] = {"x + ", "w + ", "r", "cell"};
    enum shape shape = b->f->shape;

    if (b->recursed || b->owner != &b->f->owner || b->f->owner.instances) {
        simple_assignment(b);
        return;
    }
    b->recursed = true;
    PUT("if (y > 1)");
    b->t->depth++;
    text_line(b->t);
    if (shape != SHAPE_CELLS)
        PUT("x += ");
    PUT("%s(%s", b->f->owner.plain, first[shape]);
    if (shape == SHAPE_NARROW || shape == SHAPE_WIDE)
        NARROW();
    PUT(", y >> 1);");
    b->t->depth--;
}

/* A lambda, kept in a variable or given to each_cell.  */
static void lambda(struct body *b)
{
    const struct owner *outer = b->owner;
    struct owner own = *outer;
    unsigned i = b->temporaries++;

    bool given = random_chance(50);
    char join = term_operator();

    strncat(own.name, ".lambda", sizeof own.name - strlen(own.name) - 1);
    strcpy(own.plain, "operator()");
    if (given)
        PUT("x += each_cell(cell, y & 15, [&](u32 x) {");
    else
        PUT("auto lambda%u = [=](u32 x) {", i);
    b->owner = &own;
    b->t->depth++;
    text_line(b->t);
    PUT("return ");
    term_write(b, 0, join);
    PUT(" %c ", join);
    term_operand(b, join, 0);
    PUT(";");
    b->t->depth--;
    b->owner = outer;
    text_line(b->t);
    if (given) {
        PUT("});");
        return;
    }
    PUT("};");
    text_line(b->t);
    PUT("x = lambda%u(x) ^ lambda%u(", i, i);
    term_write(b, 0, 0);
    PUT(");");
}

static void caught(struct body *b)
{
    PUT("try {");
    b->t->depth++;
    text_line(b->t);
    PUT("x += may_throw(x ^ ");
    NARROW();
    PUT(");");
    statement_write(b, 2);
    b->t->depth--;
    text_line(b->t);
    PUT("} catch (u32 thrown) {");
    b->t->depth++;
    text_line(b->t);
    PUT("x = thrown * ");
    NARROW();
    PUT(";");
    b->t->depth--;
    text_line(b->t);
    PUT("}");
}

static void inner_scope(struct body *b)
{
    unsigned i = b->temporaries++;

    PUT("{");
    b->t->depth++;
    text_line(b->t);
    PUT("u32 t%u = ", i);
    term_operand(b, 0, 0);
    PUT(";");
    text_line(b->t);
    PUT("x ^= t%u * ", i);
    NARROW();
    PUT(" + (t%u >> 3);", i);
    b->t->depth--;
    text_line(b->t);
    PUT("}");
}

void statement_write(struct body *b, unsigned depth)
{
    text_line(b->t);
    if (b->lambdas && b->owner == &b->f->owner && random_chance(12)) {
        if (random_chance(75))
            lambda(b);
        else
            caught(b);
        return;
    }
    switch (random_below(depth < 3 ? 38 : 20)) {
    case 0 ... 2:
        simple_assignment(b);
        return;
    case 3 ... 4:
        simple_long(b);
        return;
    case 5:
        simple_wide(b);
        return;
    case 6:
        simple_choice(b);
        return;
    case 7:
        simple_stores(b);
        return;
    case 8:
        simple_macro(b);
        return;
    case 9 ... 13:
        simple_call(b);
        return;
    case 14 ... 17:
        simple_write(b);
        return;
    case 18 ... 19:
        simple_outside(b);
        return;
    case 20 ... 23:
        choice(b, depth);
        return;
    case 24 ... 25:
        loop_counted(b, depth, statement_write);
        return;
    case 26:
        loop_vector(b);
        return;
    case 27:
        loop_while(b);
        return;
    case 28 ... 29:
        selection(b);
        return;
    case 30 ... 31:
        early_return(b);
        return;
    case 32:
        PUT("{");
        b->t->depth++;
        text_line(b->t);
        threaded(b);
        b->t->depth--;
        text_line(b->t);
        PUT("}");
        return;
    case 33:
        recursion(b);
        return;
    case 34 ... 35:
        inner_scope(b);
        return;
    default:
        simple_call(b);
    }
}
