/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "writer.h"

#include <string.h>

#include "accessor.h"
#include "constant.h"
#include "memory.h"

void simple_assignment(struct body *b)
{
    static const char *const left[] = {
        "x =", "x +=", "x ^=", "y +=", "r->b =", "r->a +=", "cell[y & 15] ="};
    const char *start = PICK(left);
    char own = strchr("+^", start[strlen(start) - 2]) ? start[strlen(start) - 2] : 0;
    char join = term_operator();

    PUT("%s ", start);
    term_operand(b, own, join);
    PUT(" %c ", join);
    if (random_chance(50))
        term_write(b, join, own);
    else
        PUT("(w >> %u)", 1 + random_below(40));
    PUT(";");
}

void simple_wide(struct body *b)
{
    PUT("w = %s * ", random_chance(50) ? "w" : "(w ^ x)");
    WIDE();
    PUT(" %c %s;", term_operator(), random_chance(50) ? "x" : "(w >> 7)");
}

void simple_long(struct body *b)
{
    unsigned n = 2 + random_below(3);
    char left = term_operator();

    PUT("x = ");
    term_operand(b, 0, left);
    b->t->depth++;
    for (unsigned i = 0; i < n; i++) {
        char right = i + 1 < n ? term_operator() : 0;

        text_line(b->t);
        PUT("%c ", left);
        term_operand(b, left, right);
        left = right;
    }
    b->t->depth--;
    PUT(";");
}

void simple_choice(struct body *b)
{
    PUT("%s %s ? ",
        random_chance(50) ? "x =" : "y +=", random_chance(50) ? "y & 4" : "x > y");
    term_write(b, 0, 0);
    if (random_chance(60)) {
        b->t->depth += 2;
        text_line(b->t);
        b->t->depth -= 2;
    } else {
        PUT(" ");
    }
    PUT(": ");
    if (random_chance(70))
        term_write(b, 0, 0);
    else
        NARROW();
    PUT(";");
}

void simple_stores(struct body *b)
{
    PUT("r->a = ");
    NARROW();
    PUT(";");
    text_line(b->t);
    PUT("cell[x & 15] %c= ", term_operator());
    NARROW();
    PUT(";");
}

void simple_macro(struct body *b)
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

void simple_call(struct body *b)
{
    struct function *g = term_callee(b, false);

    if (!g) {
        simple_assignment(b);
        return;
    }
    if (g->shape != SHAPE_CELLS)
        PUT(random_chance(50) ? "x += " : "x ^= ");
    term_call(b, g);
    PUT(";");
}

void simple_write(struct body *b)
{
    static const char *const values[] = {"x", "y", "x >> 3", "(u32)w", "7"};
    enum memory_member member = (enum memory_member)random_below(MEMBERS);

    if (random_chance(45)) {
        accessor_write(b->t, "far", PICK(values));
        PUT(";");
        return;
    }
    if (!random_chance(25) || !memory_variable(b->t, b->owner)) {
        PUT("far->");
        memory_member(b->t, b->owner, member, random_chance(50) ? "x & 15" : "y & 15");
    }
    if (random_chance(40))
        PUT(" %c= %s;", term_operator(), random_chance(50) ? "x" : "y");
    else
        PUT(" = %s;", PICK(values));
}

void simple_outside(struct body *b)
{
    PUT(random_chance(50) ? "x += " : "y ^= ");
    if (memory_function(b->t, b->owner)) {
        PUT("(");
        if (random_chance(50))
            PUT("x >> 1");
        else
            term_write(b, 0, 0);
        PUT(")");
    } else {
        term_memory(b);
    }
    PUT(";");
}
