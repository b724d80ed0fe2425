/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "body.h"

#include <stdlib.h>

#include "accessor.h"
#include "constant.h"
#include "writer.h"

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
    text_line(b->t);
    PUT("struct room *far = r->far;");
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
        PUT("return ");
        if (random_chance(50))
            accessor_read(b->t, "r->far");
        else
            PUT("r->cell[y & 15]");
        PUT(" * ");
        NARROW();
        PUT(" + r->a;");
        return;
    default:
        PUT("cell[y & 15] += y * ");
        NARROW();
        PUT(";");
    }
}

static void result(struct body *b)
{
    static const char *const results[] = {"x ^ y", "w + x", "x", NULL};
    const char *value = b->owner != &b->f->owner ? "x" : results[b->f->shape];

    PUT(value ? "return %s;" : "return;", value);
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
            statement_write(b, 0);
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
    term_name(t, f);
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
        statement_write(b, 0);
    for (unsigned i = 0; i < callees.n; i++)
        if (!callees.list[i]->once || !callees.list[i]->called)
            call_from_main(t, callees.list[i]);
    text_line(t);
    PUT("return (int)(x ^ y ^ (u32)w);");
    t->depth--;
    text_line(t);
    PUT("}\n");
}
