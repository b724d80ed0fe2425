/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "accessor.h"

#include "constant.h"
#include "memory.h"

#define READERS 60
#define WRITERS 40

/* What it does with its member, and then with its variable.  */
enum act {
    GET,
    GET_WIDE,
    GET_BYTE,
    GET_CELL,
    IS_ABOVE,
    READ_VARIABLE,
    IS_VARIABLE,
    SET,
    SET_CELL,
    ADD,
    SET_VARIABLE,
    ADD_VARIABLE
};

struct accessor {
    struct owner owner;
    enum act act;
    const char *attribute;
};

static struct accessor accessors[READERS + WRITERS];
static bool methods;

static const char *const numbers[] = {"1", "2", "3", "4", NULL};

static bool writes(enum act act)
{
    return act >= SET;
}

static bool has_variable(enum act act)
{
    return act == READ_VARIABLE || act == IS_VARIABLE || act == SET_VARIABLE ||
           act == ADD_VARIABLE;
}

void accessor_plan(bool cxx)
{
    methods = cxx;
    for (unsigned i = 0; i < READERS + WRITERS; i++) {
        struct accessor *a = &accessors[i];
        struct owner *o = &a->owner;
        bool template;

        a->act =
            i < READERS ? random_below(SET) : SET + random_below(ADD_VARIABLE + 1 - SET);
        a->attribute = random_chance(30)  ? "__attribute__((always_inline)) "
                       : random_chance(8) ? "__attribute__((noinline)) "
                                          : "";
        template = cxx && !has_variable(a->act) && random_chance(25);
        o->accessor = true;
        if (template) {
            o->instances = numbers;
            o->step = "N";
        }
        snprintf(o->plain, sizeof o->plain, "%s%u%s", i < READERS ? "get" : "set", i,
                 template ? "<@>" : "");
        snprintf(o->name, sizeof o->name, "%s%s", cxx ? "room::" : "", o->plain);
    }
}

static void member(struct text *t, const struct accessor *a, enum memory_member kind)
{
    text_put(t, "%s", methods ? "" : "far->");
    memory_member(t, &a->owner, kind, "i & 15");
}

static void body(struct text *t, const struct accessor *a)
{
    const struct owner *o = &a->owner;

    text_put(t, writes(a->act) ? "" : "return ");
    switch (a->act) {
    case GET:
        member(t, a, MEMBER_NARROW);
        break;
    case GET_WIDE:
        text_put(t, "(u32)");
        member(t, a, MEMBER_WIDE);
        break;
    case GET_BYTE:
        member(t, a, MEMBER_BYTE);
        break;
    case GET_CELL:
        member(t, a, MEMBER_CELL);
        break;
    case IS_ABOVE:
        member(t, a, MEMBER_NARROW);
        text_put(t, " > ");
        text_constant(t, o, false);
        break;
    case READ_VARIABLE:
        memory_variable(t, o);
        break;
    case IS_VARIABLE:
        memory_variable(t, o);
        text_put(t, " > i");
        break;
    case SET:
        member(t, a, MEMBER_NARROW);
        text_put(t, " = i");
        break;
    case SET_CELL:
        member(t, a, MEMBER_CELL);
        text_put(t, " = i >> 4");
        break;
    case ADD:
        member(t, a, MEMBER_NARROW);
        text_put(t, " += i");
        break;
    case SET_VARIABLE:
        memory_variable(t, o);
        text_put(t, " = i");
        break;
    case ADD_VARIABLE:
        memory_variable(t, o);
        text_put(t, " += i");
    }
    text_put(t, ";");
}

static void define(struct text *t, const struct accessor *a)
{
    const char *parameters = methods ? "u32 i" : "struct room *far, u32 i";
    int length = (int)(sizeof "get" - 1);

    text_line(t);
    if (a->owner.instances)
        text_put(t, "template <int N> ");
    text_put(t, "%s%s%s ", methods ? "inline " : "static inline ", a->attribute,
             writes(a->act) ? "void" : "u32");
    text_put(t, "%.*s%u(%s)", length, a->owner.plain, (unsigned)(a - accessors),
             parameters);
    text_line(t);
    text_put(t, "{");
    t->depth++;
    text_line(t);
    body(t, a);
    t->depth--;
    text_line(t);
    text_put(t, "}");
}

static void define_all(struct text *t)
{
    for (unsigned i = 0; i < READERS + WRITERS; i++)
        define(t, &accessors[i]);
    text_put(t, "\n");
}

void accessor_methods(struct text *t)
{
    if (!methods)
        return;
    t->depth++;
    define_all(t);
    t->depth--;
}

void accessor_functions(struct text *t)
{
    if (!methods)
        define_all(t);
}

static void call(struct text *t, const struct accessor *a, const char *far,
                 const char *value)
{
    if (methods)
        text_put(t, "%s->", far);
    for (const char *c = a->owner.plain; *c; c++)
        if (*c == '@')
            text_put(t, "%u", 1 + random_below(4));
        else
            text_put(t, "%c", *c);
    if (methods)
        text_put(t, "(%s)", value);
    else
        text_put(t, "(%s, %s)", far, value);
}

void accessor_read(struct text *t, const char *far)
{
    call(t, &accessors[random_below(READERS)], far, random_chance(50) ? "y" : "y >> 2");
}

void accessor_write(struct text *t, const char *far, const char *value)
{
    call(t, &accessors[READERS + random_below(WRITERS)], far, value);
}
