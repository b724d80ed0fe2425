/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "writer.h"

#include <string.h>

#include "accessor.h"
#include "constant.h"
#include "memory.h"

const char *term_variable(void)
{
    static const char *const names[] = {"x", "y", "x", "r->a", "cell[x & 15]", "(u32)w"};

    return PICK(names);
}

char term_operator(void)
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

void term_product(struct body *b, const char *variable)
{
    if (random_chance(50))
        PUT("((%s ^ y >> %u) * ", variable, 1 + random_below(20));
    else
        PUT("(%s * ", variable);
    NARROW();
    PUT(")");
}

void term_memory(struct body *b)
{
    enum memory_member member = (enum memory_member)random_below(MEMBERS);

    if (random_chance(45)) {
        accessor_read(b->t, "far");
        return;
    }
    if (random_chance(25) && memory_variable(b->t, b->owner))
        return;
    PUT("%sfar->", member == MEMBER_WIDE ? "(u32)" : "");
    memory_member(b->t, b->owner, member, random_chance(50) ? "x & 15" : "y & 15");
}

void term_write(struct body *b, char left, char right)
{
    const char *variable = term_variable();
    char fit[16], join;
    unsigned n = 0;

    if (random_chance(20)) {
        term_memory(b);
        return;
    }

    for (const char *c = "***********^+-&|"; *c && n < sizeof fit; c++)
        if (!regroup(*c, left) && !regroup(*c, right))
            fit[n++] = *c;
    join = n ? fit[random_below(n)] : '*';
    if (join == '*') {
        term_product(b, variable);
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

void term_name(struct text *t, const struct function *f)
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

void term_call(struct body *b, struct function *g)
{
    g->called++;
    b->calls--;
    term_name(b->t, g);
    switch (g->shape) {
    case SHAPE_NARROW:
        PUT("(");
        if (random_chance(60))
            PUT("%s", term_variable());
        else
            term_product(b, term_variable());
        break;
    case SHAPE_WIDE:
        PUT("(w ^ ");
        term_product(b, term_variable());
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

struct function *term_callee(const struct body *b, bool value)
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

/* A product of a call may be regrouped with the product that the function returns.  */
void term_operand(struct body *b, char left, char right)
{
    struct function *g =
        left != '*' && right != '*' && random_chance(40) ? term_callee(b, true) : NULL;

    if (g)
        term_call(b, g);
    else
        term_write(b, left, right);
}
