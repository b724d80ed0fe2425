/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "writer.h"

#include "constant.h"

void loop_counted(struct body *b, unsigned depth, statement_writer *inner)
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
        inner(b, depth + 1);
    b->t->depth--;
    text_line(b->t);
    PUT("}");
}

void loop_vector(struct body *b)
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

void loop_while(struct body *b)
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
