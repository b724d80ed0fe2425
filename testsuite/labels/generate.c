/* SPDX-License-Identifier: GPL-3.0-or-later */
/* generate c|c++ SEED FOLDER: writes a program of several files into FOLDER in which
   each source function has constants, members, variables and callees of its own, and what
   is true of it into FOLDER/truth (text.h).  The program is made to be compiled, not to
   be run.

   Functions lie in layers; one calls those of the layers below it: functions of
   the header, static ones of its file, extern ones of any file.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accessor.h"
#include "body.h"
#include "constant.h"
#include "memory.h"
#include "text.h"

#define FILES     5
#define PER_FILE  64
#define IN_HEADER 70
#define CLASSES   8
#define MOST      (FILES * PER_FILE + IN_HEADER + 1)
#define HEADER    FILES

enum form {
    FORM_STATIC,
    FORM_EXTERN,
    FORM_INLINE, /* in the header */
    FORM_METHOD, /* in a class of the header, defined in a file */
    FORM_NUMBER, /* template <int N>, in the header, as all below */
    FORM_TYPE,   /* template <class T> */
    FORM_RING,   /* method of a template <int N> struct */
    FORM_INCLASS /* method defined in its class */
};

struct item {
    struct function f;
    enum form form;
    unsigned file; /* or HEADER */
    unsigned mixer;
    char name[32];
    const char *attribute;
    const char *kind; /* of a method: "static ", "virtual " or "" */
};

static struct item items[MOST];
static unsigned n_items;
static bool cxx;

static const char *const numbers[] = {"1", "2", "3", "4", NULL};
static const char *const types[] = {"unsigned int", "unsigned long", NULL};
static const char *const namespaces[FILES + 1] = {"alpha", "beta",    "gamma::inner",
                                                  "delta", "epsilon", "common"};

static enum form choose_form(unsigned file)
{
    unsigned n = random_below(100);

    if (file != HEADER) {
        if (cxx && n < 20)
            return FORM_METHOD;
        return n < 70 ? FORM_STATIC : FORM_EXTERN;
    }
    if (!cxx || n < 20)
        return FORM_INLINE;
    return n < 45 ? FORM_NUMBER : n < 65 ? FORM_TYPE : n < 80 ? FORM_RING : FORM_INCLASS;
}

static unsigned choose_layer(unsigned file)
{
    unsigned n = random_below(100);

    if (file == HEADER)
        return n < 70 ? 0 : 1;
    return n < 35 ? 0 : n < 60 ? 1 : n < 78 ? 2 : n < 90 ? 3 : n < 97 ? 4 : 5;
}

static const char *choose_attribute(const struct item *item)
{
    unsigned n = random_below(100);

    if (n < 8)
        return "__attribute__((noinline)) ";
    if (n < 11)
        return "__attribute__((cold)) ";
    if (n < 18 && item->f.layer == 0 && item->form == FORM_STATIC)
        return "inline __attribute__((always_inline)) ";
    return "";
}

/* Sets an item's names; SCOPE holds its namespace and class with :: behind.  */
static void set_names(struct item *item, const char *scope, const char *call)
{
    struct owner *o = &item->f.owner;
    const char *arguments =
        item->form == FORM_NUMBER || item->form == FORM_TYPE ? "<@>" : "";

    snprintf(item->f.call, sizeof item->f.call, "%s%s%s", call, item->name, arguments);
    snprintf(o->name, sizeof o->name, "%s%s%s", scope, item->name, arguments);
    snprintf(o->plain, sizeof o->plain, "%s%s", item->name, arguments);
    if (item->form == FORM_NUMBER || item->form == FORM_RING) {
        o->instances = numbers;
        o->step = "N";
    } else if (item->form == FORM_TYPE) {
        o->instances = types;
        o->step = "(u32)(sizeof(T) / 4)";
    }
}

static void plan_method(struct item *item)
{
    char scope[64], call[64];
    unsigned n = random_below(10);

    item->kind = n < 3 ? "static " : n < 5 && item->form == FORM_METHOD ? "virtual " : "";
    item->f.qualifiers = n > 7 ? " const" : "";
    item->mixer = random_below(CLASSES);
    snprintf(scope, sizeof scope, "common::Mixer%u::", item->mixer);
    if (n < 3)
        snprintf(call, sizeof call, "%s", scope);
    else
        snprintf(call, sizeof call, "common::mixer%u.", item->mixer);
    set_names(item, scope, call);
}

static void plan_item(unsigned file)
{
    struct item *item = &items[n_items];
    char scope[64], call[64];

    item->file = file;
    item->form = choose_form(file);
    item->f.layer = choose_layer(file);
    item->f.shape = random_below(SHAPES);
    item->f.qualifiers = "";
    item->kind = "";
    item->attribute = choose_attribute(item);
    item->f.once = item->form == FORM_STATIC && random_chance(35);
    snprintf(item->name, sizeof item->name, "f%u", n_items++);
    snprintf(scope, sizeof scope, "%s::", namespaces[file]);
    if (item->form == FORM_METHOD || item->form == FORM_INCLASS) {
        plan_method(item);
    } else if (item->form == FORM_RING) {
        snprintf(scope, sizeof scope, "common::Ring%s<@>::", item->name);
        snprintf(call, sizeof call, "common::Ring%s<@>().", item->name);
        set_names(item, scope, call);
    } else {
        set_names(item, cxx ? scope : "", cxx ? scope : "");
    }
}

/* Those that an item of FILE and LAYER may call.  */
static struct callees callees_of(unsigned file, unsigned layer)
{
    static struct function *list[MOST];
    struct callees callees = {list, 0};

    for (unsigned i = 0; i < n_items; i++) {
        const struct item *g = &items[i];

        if (g->f.layer >= layer || (g->form == FORM_STATIC && g->file != file) ||
            (file == HEADER && g->file != HEADER) ||
            (file == HEADER && g->form == FORM_INCLASS))
            continue;
        list[callees.n++] = &items[i].f;
        /* Rather the next layer than the ones below it.  */
        if (g->f.layer + 1 == layer && callees.n < MOST - 1)
            list[callees.n++] = &items[i].f;
    }
    return callees;
}

static void declare(struct text *t, const struct item *item)
{
    text_put(t, "%s %s(%s)", body_result(item->f.shape), item->name,
             body_parameters(item->f.shape));
}

static void define(struct text *t, const struct item *item)
{
    text_line(t);
    if (item->form == FORM_NUMBER)
        text_put(t, "template <int N> ");
    else if (item->form == FORM_TYPE)
        text_put(t, "template <class T> ");
    else if (item->form == FORM_RING)
        text_put(t, "template <int N> struct Ring%s { ", item->name);
    if (item->form == FORM_STATIC)
        text_put(t, "static ");
    else if (item->form == FORM_INLINE)
        text_put(t, cxx ? "inline " : "static inline ");
    text_put(t, "%s", item->attribute);
    if (item->form == FORM_METHOD)
        text_put(t, "%s common::Mixer%u::%s(%s)", body_result(item->f.shape), item->mixer,
                 item->name, body_parameters(item->f.shape));
    else
        declare(t, item);
    text_put(t, "%s", item->f.qualifiers);
    text_line(t);
    body_write(t, &item->f, callees_of(item->file, item->f.layer), cxx);
    if (item->form == FORM_RING)
        text_put(t, "};\n");
}

static void define_class(struct text *t, unsigned mixer)
{
    text_put(t, "\nstruct Mixer%u {", mixer);
    t->depth++;
    for (unsigned i = 0; i < n_items; i++) {
        struct item *item = &items[i];

        if (item->mixer != mixer ||
            (item->form != FORM_METHOD && item->form != FORM_INCLASS))
            continue;
        text_line(t);
        text_put(t, "%s", item->kind);
        if (item->form == FORM_INCLASS) {
            define(t, item);
            continue;
        }
        declare(t, item);
        text_put(t, "%s;", item->f.qualifiers);
    }
    t->depth--;
    text_put(t, "\n};\nextern Mixer%u mixer%u;\n", mixer, mixer);
}

static void open_namespace(struct text *t, unsigned file)
{
    if (cxx)
        text_put(t, "\nnamespace %s {\n", namespaces[file]);
}

static void close_namespace(struct text *t)
{
    if (cxx)
        text_put(t, "\n}\n");
}

static void write_header(const char *folder, FILE *table)
{
    struct text t;

    text_open(&t, folder, "program.h", table);
    text_put(&t, "typedef unsigned int u32;\ntypedef unsigned long u64;\n");
    memory_declare_outside(&t, cxx);
    memory_declare_room(&t);
    accessor_methods(&t);
    text_put(&t, "};\n");
    accessor_functions(&t);
    text_put(&t, "struct record {\n    u32 a, b;\n    u64 w;\n    u32 cell[16];\n"
                 "    struct room *far;\n};\n"
                 "extern struct record pool[8];\n"
                 "#define MIX(a, b, c) (((a) ^ (b) >> 5) * (c))\n"
                 "#define STEP(a, c) do { (a) += (a) >> 9; (a) *= (c); } while (0)\n");
    if (cxx)
        text_put(&t, "u32 may_throw(u32 x);\n"
                     "template <class F> u32 each_cell(u32 *cell, u32 n, F f)\n"
                     "{\n    u32 sum = 0;\n"
                     "    for (u32 i = 0; i < n; i++)\n        sum += f(cell[i]);\n"
                     "    return sum;\n}\n");
    for (unsigned i = 0; i < n_items; i++)
        if (items[i].form == FORM_EXTERN) {
            open_namespace(&t, items[i].file);
            declare(&t, &items[i]);
            text_put(&t, ";");
            close_namespace(&t);
        }
    open_namespace(&t, HEADER);
    for (unsigned layer = 0; layer < 2; layer++)
        for (unsigned i = 0; i < n_items; i++)
            if (items[i].file == HEADER && items[i].f.layer == layer &&
                items[i].form != FORM_INCLASS)
                define(&t, &items[i]);
    for (unsigned mixer = 0; cxx && mixer < CLASSES; mixer++)
        define_class(&t, mixer);
    close_namespace(&t);
    text_close(&t);
}

static void write_main(struct text *t)
{
    struct function f = {.owner = {.name = "main", .plain = "main"},
                         .shape = SHAPE_NARROW};

    text_put(t, "struct record pool[8];\n");
    if (cxx) {
        text_put(t, "u32 may_throw(u32 x)\n{\n    if (x == 77)\n        throw x;\n"
                    "    return x >> 1;\n}\n");
        open_namespace(t, HEADER);
        for (unsigned i = 0; i < CLASSES; i++)
            text_put(t, "Mixer%u mixer%u;\n", i, i);
        close_namespace(t);
    }
    body_main(t, &f, callees_of(0, 6), cxx);
}

static void write_file(const char *folder, unsigned file, FILE *table)
{
    struct text t;
    char name[32];

    snprintf(name, sizeof name, "part%u.%s", file, cxx ? "cc" : "c");
    text_open(&t, folder, name, table);
    text_put(&t, "#include \"program.h\"\n");
    for (unsigned layer = 0; layer < 6; layer++)
        for (unsigned i = 0; i < n_items; i++) {
            bool method = items[i].form == FORM_METHOD;

            if (items[i].file != file || items[i].f.layer != layer)
                continue;
            if (!method)
                open_namespace(&t, file);
            define(&t, &items[i]);
            if (!method)
                close_namespace(&t);
        }
    if (file == 0)
        write_main(&t);
    text_close(&t);
}

int main(int argc, char **argv)
{
    char path[4096];
    FILE *table;

    if (argc != 4 || (strcmp(argv[1], "c") != 0 && strcmp(argv[1], "c++") != 0)) {
        fprintf(stderr, "usage: generate c|c++ SEED FOLDER\n");
        return 2;
    }
    cxx = strcmp(argv[1], "c++") == 0;
    random_seed(strtoull(argv[2], NULL, 10));
    snprintf(path, sizeof path, "%s/truth", argv[3]);
    table = fopen(path, "w");
    if (!table) {
        perror(path);
        return 1;
    }
    for (unsigned file = 0; file <= HEADER; file++)
        for (unsigned i = 0; i < (file == HEADER ? IN_HEADER : PER_FILE); i++)
            plan_item(file);
    accessor_plan(cxx);
    write_header(argv[3], table);
    for (unsigned file = 0; file < FILES; file++)
        write_file(argv[3], file, table);
    memory_define(argv[3]);
    return fclose(table) != 0;
}
