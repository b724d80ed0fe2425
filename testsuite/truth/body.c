/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "body.h"

#include <stdlib.h>
#include <string.h>

#include "constant.h"

/* The body in work.  Each has the variables x and y (32 bits), w (64 bits),
   r (a record) and cell (an array of 16).  */
struct body {
    struct text *t;
    const struct function *f;
    const struct owner *owner; /* F's, or that of a lambda in F */
    struct callees callees;
    unsigned calls; /* that may still be written */
    unsigned temporaries;
    bool lambdas;
    bool recursed;
};

static void statement(struct body *b, unsigned depth);

#define PUT(...)   text_put(b->t, __VA_ARGS__)
#define NARROW()   text_constant(b->t, b->owner, false)
#define WIDE()     text_constant(b->t, b->owner, true)
#define PICK(list) (list[random_below(sizeof(list) / sizeof *(list))])

const char *body_result(enum shape shape)
{
    static const char *const results[] = {"u32", "u64", "u32", "void"};

    return results[shape];
}

const char *body_parameters(enum shape shape)
{
    static const char *const parameters[] = {
        "u32 x, u32 y", "u64 w, u32 y", "struct record *r, u32 y", "u32 *cell, u32 y"};

    return parameters[shape];
}

static const char *narrow_variable(void)
{
    static const char *const names[] = {"x", "y", "x", "r->a", "cell[x & 15]", "(u32)w"};

    return PICK(names);
}

/* What may stand between two terms, lowest precedence last.  */
static char operator_between(void)
{
    return "*++-^^|"[random_below(7)];
}

/* Whether a compiler may regroup what X joins with what Y joins, as in (a & c) ^ (b & c):
   then the constant would have no line of its own.  */
static bool regroup(char x, char y)
{
    if (strchr("+-", x))
        return y == '+' || y == '-';
    if (strchr("&|", x))
        return y && strchr("&|^", y);
    return x == y;
}

static void product(struct body *b, const char *variable)
{
    if (random_chance(50))
        PUT("((%s ^ y >> %u) * ", variable, 1 + random_below(20));
    else
        PUT("(%s * ", variable);
    NARROW();
    PUT(")");
}

/* An expression of 32 bits with one constant, which stands between the operators LEFT
   and RIGHT (or 0).  Most multiply.  */
static void term(struct body *b, char left, char right)
{
    const char *variable = narrow_variable();
    char fit[16], join;
    unsigned n = 0;

    for (const char *c = "***********^+-&|"; *c && n < sizeof fit; c++)
        if (!regroup(*c, left) && !regroup(*c, right))
            fit[n++] = *c;
    join = n ? fit[random_below(n)] : '*';
    if (join == '*') {
        product(b, variable);
        return;
    }
    PUT("(");
    if (join != '-')
        PUT("%s %c ", variable, join);
    NARROW();
    if (join == '-')
        PUT(" - %s", variable);
    PUT(")");
}

static void name_of(struct text *t, const struct function *f)
{
    unsigned n = 0;

    while (f->owner.instances && f->owner.instances[n])
        n++;
    for (const char *c = f->call; *c; c++)
        if (*c == '@')
            text_put(t, "%s", f->owner.instances[random_below(n)]);
        else
            text_put(t, "%c", *c);
}

/* A call as an expression of 32 bits, or for CELLS as a statement.  */
static void call(struct body *b, struct function *g)
{
    g->called++;
    b->calls--;
    name_of(b->t, g);
    switch (g->shape) {
    case SHAPE_NARROW:
        PUT("(");
        if (random_chance(60))
            PUT("%s", narrow_variable());
        else
            product(b, narrow_variable());
        break;
    case SHAPE_WIDE:
        PUT("(w ^ ");
        product(b, narrow_variable());
        break;
    case SHAPE_RECORD:
        PUT("(%s", random_chance(70) ? "r" : "&pool[x & 7]");
        break;
    default:
        PUT("(%s", random_chance(70) ? "cell" : "pool[y & 7].cell");
    }
    switch (random_below(3)) {
    case 0:
        PUT(", %u)", random_below(8));
        break;
    case 1:
        PUT(", y >> 1)");
        break;
    default:
        PUT(", x & 31)");
    }
}

static struct function *callee(const struct body *b, bool value)
{
    for (unsigned try = 0; b->calls > 0 && b->callees.n > 0 && try < 20; try++) {
        struct function *g = b->callees.list[random_below(b->callees.n)];

        if (value && g->shape == SHAPE_CELLS)
            continue;
        if (!g->once || !g->called)
            return g;
    }
    return NULL;
}

/* A call if there is something to call, or a term.  A product of a call may be
   regrouped with the product that the function returns.  */
static void operand(struct body *b, char left, char right)
{
    struct function *g =
        left != '*' && right != '*' && random_chance(40) ? callee(b, true) : NULL;

    if (g)
        call(b, g);
    else
        term(b, left, right);
}

static void plain_assignment(struct body *b)
{
    static const char *const left[] = {
        "x =", "x +=", "x ^=", "y +=", "r->b =", "r->a +=", "cell[y & 15] ="};
    const char *start = PICK(left);
    char own = strchr("+^", start[strlen(start) - 2]) ? start[strlen(start) - 2] : 0;
    char join = operator_between();

    PUT("%s ", start);
    operand(b, own, join);
    PUT(" %c ", join);
    if (random_chance(50))
        term(b, join, own);
    else
        PUT("(w >> %u)", 1 + random_below(40));
    PUT(";");
}

static void wide_assignment(struct body *b)
{
    PUT("w = %s * ", random_chance(50) ? "w" : "(w ^ x)");
    WIDE();
    PUT(" %c %s;", operator_between(), random_chance(50) ? "x" : "(w >> 7)");
}

static void long_expression(struct body *b)
{
    unsigned n = 2 + random_below(3);
    char left = operator_between();

    PUT("x = ");
    operand(b, 0, left);
    b->t->depth++;
    for (unsigned i = 0; i < n; i++) {
        char right = i + 1 < n ? operator_between() : 0;

        text_line(b->t);
        PUT("%c ", left);
        operand(b, left, right);
        left = right;
    }
    b->t->depth--;
    PUT(";");
}

/* { one to three statements } */
static void block(struct body *b, unsigned depth)
{
    unsigned n = 1 + random_below(depth > 1 ? 1 : 3);

    PUT("{");
    b->t->depth++;
    for (unsigned i = 0; i < n; i++)
        statement(b, depth + 1);
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
    if (random_chance(30))
        PUT("(%s ^ y >> %u) %s ", narrow_variable(), 1 + random_below(20),
            random_chance(50) ? "==" : "!=");
    else
        PUT("%s %s ", narrow_variable(), PICK(compare));
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

static void short_choice(struct body *b)
{
    PUT("%s %s ? ",
        random_chance(50) ? "x =" : "y +=", random_chance(50) ? "y & 4" : "x > y");
    term(b, 0, 0);
    if (random_chance(60)) {
        b->t->depth += 2;
        text_line(b->t);
        b->t->depth -= 2;
    } else {
        PUT(" ");
    }
    PUT(": ");
    if (random_chance(70))
        term(b, 0, 0);
    else
        NARROW();
    PUT(";");
}

static void counted_loop(struct body *b, unsigned depth)
{
    static const char *const limits[] = {"(y & 31)", "4", "16", "(x & 7)", "100"};
    unsigned i = b->temporaries++;

    PUT("for (u32 i%u = 0; i%u < %s; i%u++) {", i, i, PICK(limits), i);
    b->t->depth++;
    text_line(b->t);
    switch (random_below(4)) {
    case 0:
        PUT("cell[i%u & 15] = cell[i%u & 15] * ", i, i);
        NARROW();
        PUT(" + y;");
        break;
    case 1: /* does not change in the loop */
        PUT("x += cell[i%u & 15] ^ (y * ", i);
        NARROW();
        PUT(");");
        break;
    case 2:
        PUT("x = x * ");
        NARROW();
        PUT(" + i%u;", i);
        break;
    default:
        PUT("if (cell[i%u & 15] > ", i);
        NARROW();
        PUT(")");
        b->t->depth++;
        text_line(b->t);
        PUT("x ^= i%u * ", i);
        NARROW();
        PUT(";");
        b->t->depth--;
    }
    if (random_chance(40))
        statement(b, depth + 1);
    b->t->depth--;
    text_line(b->t);
    PUT("}");
}

static void vector_loop(struct body *b)
{
    unsigned i = b->temporaries++;

    PUT("for (u32 i%u = 0; i%u < 16; i%u++)", i, i, i);
    b->t->depth++;
    text_line(b->t);
    PUT("cell[i%u] = (cell[i%u] ^ (x * ", i, i);
    NARROW();
    PUT(")) + ");
    NARROW();
    PUT(";");
    b->t->depth--;
}

static void while_loop(struct body *b)
{
    if (random_chance(50)) {
        PUT("while (x > ");
        NARROW();
        PUT(")");
        b->t->depth++;
        text_line(b->t);
        PUT("x = (x >> 1) ^ (y & ");
        NARROW();
        PUT(");");
        b->t->depth--;
        return;
    }
    PUT("do {");
    b->t->depth++;
    text_line(b->t);
    PUT("x = (x >> 2) + (x & 3) * ");
    NARROW();
    PUT(";");
    b->t->depth--;
    text_line(b->t);
    PUT("} while (y-- && x > ");
    NARROW();
    PUT(");");
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
            long_expression(b);
        else
            plain_assignment(b);
        text_line(b->t);
        PUT("%s;", random_chance(85) ? "break" : "x++");
        b->t->depth--;
    }
    text_line(b->t);
    PUT("}");
}

static void stores(struct body *b)
{
    PUT("r->a = ");
    NARROW();
    PUT(";");
    text_line(b->t);
    PUT("cell[x & 15] %c= ", operator_between());
    NARROW();
    PUT(";");
}

static void macros(struct body *b)
{
    if (random_chance(50)) {
        PUT("x = MIX(x, y, ");
        NARROW();
        PUT(");");
        return;
    }
    PUT("STEP(x, ");
    NARROW();
    PUT(");");
}

static void result(struct body *b)
{
    static const char *const results[] = {"x ^ y", "w + x", "x", NULL};
    const char *value = b->owner != &b->f->owner ? "x" : results[b->f->shape];

    PUT(value ? "return %s;" : "return;", value);
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
        term(b, 0, 0);
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
    term(b, 0, 0);
    PUT(";");
    b->t->depth--;
    text_line(b->t);
    PUT("}");
    text_line(b->t);
    plain_assignment(b);
    text_line(b->t);
    PUT("if (flag%u)", i);
    b->t->depth++;
    text_line(b->t);
    plain_assignment(b);
    b->t->depth--;
}

static void recursion(struct body *b)
{
    static const char *const first[] = {"x + ", "w + ", "r", "cell"};
    enum shape shape = b->f->shape;

    if (b->recursed || b->owner != &b->f->owner || b->f->owner.instances) {
        plain_assignment(b);
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

static void call_statement(struct body *b)
{
    struct function *g = callee(b, false);

    if (!g) {
        plain_assignment(b);
        return;
    }
    if (g->shape != SHAPE_CELLS)
        PUT(random_chance(50) ? "x += " : "x ^= ");
    call(b, g);
    PUT(";");
}

/* A lambda, kept in a variable or given to each_cell.  */
static void lambda(struct body *b)
{
    const struct owner *outer = b->owner;
    struct owner own = *outer;
    unsigned i = b->temporaries++;

    bool given = random_chance(50);
    char join = operator_between();

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
    term(b, 0, join);
    PUT(" %c ", join);
    operand(b, join, 0);
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
    term(b, 0, 0);
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
    statement(b, 2);
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
    operand(b, 0, 0);
    PUT(";");
    text_line(b->t);
    PUT("x ^= t%u * ", i);
    NARROW();
    PUT(" + (t%u >> 3);", i);
    b->t->depth--;
    text_line(b->t);
    PUT("}");
}

static void statement(struct body *b, unsigned depth)
{
    text_line(b->t);
    if (b->lambdas && b->owner == &b->f->owner && random_chance(12)) {
        if (random_chance(75))
            lambda(b);
        else
            caught(b);
        return;
    }
    switch (random_below(depth < 3 ? 32 : 14)) {
    case 0 ... 2:
        plain_assignment(b);
        return;
    case 3 ... 4:
        long_expression(b);
        return;
    case 5:
        wide_assignment(b);
        return;
    case 6:
        short_choice(b);
        return;
    case 7:
        stores(b);
        return;
    case 8:
        macros(b);
        return;
    case 9 ... 13:
        call_statement(b);
        return;
    case 14 ... 17:
        choice(b, depth);
        return;
    case 18 ... 19:
        counted_loop(b, depth);
        return;
    case 20:
        vector_loop(b);
        return;
    case 21:
        while_loop(b);
        return;
    case 22 ... 23:
        selection(b);
        return;
    case 24 ... 25:
        early_return(b);
        return;
    case 26:
        PUT("{");
        b->t->depth++;
        text_line(b->t);
        threaded(b);
        b->t->depth--;
        text_line(b->t);
        PUT("}");
        return;
    case 27:
        recursion(b);
        return;
    case 28 ... 29:
        inner_scope(b);
        return;
    default:
        call_statement(b);
    }
}

/* The variables that a shape does not bring as parameters.  */
static void variables(struct body *b)
{
    static const char *const others[][3] = {
        {"struct record *r = &pool[y & 7];", "u32 *cell = r->cell;", "u64 w = r->w;"},
        {"struct record *r = &pool[y & 7];", "u32 *cell = r->cell;",
         "u32 x = (u32)(w >> 9);"},
        {"u32 *cell = r->cell;", "u32 x = r->b;", "u64 w = r->w;"},
        {"struct record *r = &pool[y & 7];", "u32 x = cell[y & 15];", "u64 w = r->w;"},
    };

    for (unsigned i = 0; i < 3; i++) {
        text_line(b->t);
        PUT("%s", others[b->f->shape][i]);
    }
}

static void small(struct body *b)
{
    switch (b->f->shape) {
    case SHAPE_NARROW:
        PUT("return (x * ");
        NARROW();
        PUT(") ^ (y + ");
        NARROW();
        PUT(");");
        return;
    case SHAPE_WIDE:
        PUT("return (w ^ y) * ");
        WIDE();
        PUT(";");
        return;
    case SHAPE_RECORD:
        PUT("return r->cell[y & 15] * ");
        NARROW();
        PUT(" + r->a;");
        return;
    default:
        PUT("cell[y & 15] += y * ");
        NARROW();
        PUT(";");
    }
}

void body_write(struct text *t, const struct function *f, struct callees callees,
                bool lambdas)
{
    struct body body = {
        .t = t, .f = f, .owner = &f->owner, .callees = callees, .lambdas = lambdas};
    struct body *b = &body;

    PUT("{");
    t->depth++;
    if (f->layer == 0 && random_chance(50)) {
        text_line(t);
        small(b);
    } else {
        unsigned n = f->layer == 0 ? 1 + random_below(2) : 2 + random_below(3 + f->layer);

        b->calls = f->layer ? 2 + random_below(4) : 0;
        variables(b);
        for (unsigned i = 0; i < n; i++)
            statement(b, 0);
        if (f->shape == SHAPE_WIDE || random_chance(30)) {
            text_line(t);
            PUT("r->w = w;");
        }
        text_line(t);
        PUT("r->b = r->b >> 3 ^ x;");
        text_line(t);
        result(b);
    }
    t->depth--;
    text_line(t);
    PUT("}\n");
}

static void call_from_main(struct text *t, struct function *f)
{
    static const char *const first[] = {"x", "w", "&pool[x & 7]", "pool[y & 7].cell"};
    static const char *const left[] = {"x ^= ", "w += ", "y += ", ""};

    text_line(t);
    text_put(t, "%s", left[f->shape]);
    f->called++;
    name_of(t, f);
    text_put(t, "(%s, %s);", first[f->shape], random_chance(50) ? "y" : "x & 63");
}

void body_main(struct text *t, const struct function *f, struct callees callees,
               bool lambdas)
{
    struct body body = {.t = t,
                        .f = f,
                        .owner = &f->owner,
                        .callees = callees,
                        .calls = 6,
                        .lambdas = lambdas,
                        .recursed = true};
    struct body *b = &body;

    PUT("\nint main(int argc, char **argv)\n{");
    t->depth++;
    text_line(t);
    PUT("u32 x = (u32)argc, y = (u32)argv[0][0];");
    variables(b);
    for (unsigned i = 0; i < 12; i++)
        statement(b, 0);
    for (unsigned i = 0; i < callees.n; i++)
        if (!callees.list[i]->once || !callees.list[i]->called)
            call_from_main(t, callees.list[i]);
    text_line(t);
    PUT("return (int)(x ^ y ^ (u32)w);");
    t->depth--;
    text_line(t);
    PUT("}\n");
}
