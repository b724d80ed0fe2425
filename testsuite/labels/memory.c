/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "memory.h"

#include <inttypes.h>
#include <stdlib.h>

#include "constant.h"

/* Distances lie between the addresses of the program and the constants.  */
#define FIRST_SLOT UINT64_C(0x400000)
#define SLOT_SIZE  2048u
#define SLOTS      6000u
#define SYMBOLS    2500u

static unsigned slots, variables, functions;

static unsigned taken(unsigned *count, unsigned n, unsigned limit)
{
    unsigned first = *count;

    if (limit - first < n) {
        fputs("generate: too many members, variables or functions\n", stderr);
        exit(1);
    }
    *count += n;
    return first;
}

void memory_declare_room(struct text *t)
{
    text_put(t,
             "struct slot {\n    u32 n;\n    unsigned char k;\n    u64 w;\n"
             "    u32 cell[16];\n    char rest[%u];\n};\n",
             SLOT_SIZE - 80);
    text_put(
        t, "struct room {\n    char before[0x%" PRIx64 "];\n    struct slot slot[%u];\n",
        FIRST_SLOT, SLOTS);
}

void memory_declare_outside(struct text *t, bool cxx)
{
    if (cxx)
        text_put(t, "extern \"C\" {\n");
    for (unsigned i = 0; i < SYMBOLS; i++)
        text_put(t, "extern u32 glob%u; u32 call%u(u32);\n", i, i);
    if (cxx)
        text_put(t, "}\n");
}

void memory_define(const char *folder)
{
    struct text t;

    text_open(&t, folder, "outside.s", NULL);
    text_put(&t, "    .text\n");
    for (unsigned i = 0; i < functions; i++)
        text_put(&t, "    .globl call%u\n    .type call%u, @function\ncall%u:\n    ret\n",
                 i, i, i);
    text_put(&t, "    .bss\n    .balign 4\n");
    for (unsigned i = 0; i < variables; i++)
        text_put(&t,
                 "    .globl glob%u\n    .type glob%u, @object\n    .size glob%u, 4\n"
                 "glob%u:\n    .zero 4\n",
                 i, i, i, i);
    text_put(&t, "    .section .note.GNU-stack,\"\",@progbits\n");
    text_close(&t);
}

void memory_member(struct text *t, const struct owner *owner, enum memory_member member,
                   const char *index)
{
    static const unsigned offsets[] = {0, 4, 8, 16};
    static const char *const names[] = {"n", "k", "w", "cell"};
    unsigned instances = text_instances(owner);
    unsigned slot = taken(&slots, instances + 1, SLOTS);

    for (unsigned i = 0; i <= instances; i++) {
        char form[32];

        snprintf(form, sizeof form, "0x%" PRIx64,
                 FIRST_SLOT + (slot + i) * SLOT_SIZE + offsets[member]);
        if (i > 0 || instances == 0)
            text_row(t, owner, instances ? i - 1 : 0, form);
    }
    if (instances)
        text_put(t, "slot[%u + %s].%s", slot, owner->step, names[member]);
    else
        text_put(t, "slot[%u].%s", slot, names[member]);
    if (member == MEMBER_CELL)
        text_put(t, "[%s]", index);
}

static bool symbol(struct text *t, const struct owner *owner, const char *kind,
                   unsigned *count)
{
    char form[32];

    if (owner->instances)
        return false;
    snprintf(form, sizeof form, "%s%u", kind, taken(count, 1, SYMBOLS));
    text_row(t, owner, 0, form);
    text_put(t, "%s", form);
    return true;
}

bool memory_variable(struct text *t, const struct owner *owner)
{
    return symbol(t, owner, "glob", &variables);
}

bool memory_function(struct text *t, const struct owner *owner)
{
    return symbol(t, owner, "call", &functions);
}
