// SPDX-License-Identifier: GPL-3.0-or-later
// The pairs, one for each source of the compilation, and what is said of them.

#include "compat.h"
#include "cells.h"
#include "label.h"
#include "memory.h"
#include "points.h"
#include "stack.h"
#include "threadword.h"
#include "../rt/format.h"

#define WORD "ccprof_stack_word"

struct pair {
    tree variable;
    unsigned source;
};

static struct pair *pairs;
static size_t pair_count, pair_room;
static hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, tree> *pair_of_source;

static tree make_pair(unsigned source)
{
    char name[40];

    snprintf(name, sizeof name, "ccprof_pair.%u", source);
    tree variable = cells_variable(name, 2);
    varpool_node::get_create(variable)->set_section(CCPROF_SECTION_PAIRS);
    varpool_node::finalize_decl(variable);
    pairs =
        (struct pair *)memory_reserve(pairs, &pair_room, pair_count + 1, sizeof *pairs);
    pairs[pair_count++] = {variable, source};
    return variable;
}

tree stack_pair(tree function)
{
    unsigned source = points_source(&label_unit, function);
    bool known;

    if (!source)
        return NULL_TREE;
    if (!pair_of_source)
        pair_of_source =
            new hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, tree>;
    tree &pair = pair_of_source->get_or_insert(source, &known);
    if (!known)
        pair = make_pair(source);
    return pair;
}

bool stack_any(void)
{
    return pair_count != 0;
}

static void put_pair(const struct pair *pair)
{
    output_addr_const(asm_out_file, XEXP(DECL_RTL(pair->variable), 0));
}

static void emit_table(const char *unit)
{
    fprintf(asm_out_file,
            "\t.pushsection\t" CCPROF_SECTION_INCLUSIVE ",\"o\"," TYPE_OPERAND_FMT ",",
            "progbits");
    put_pair(&pairs[0]);
    fprintf(asm_out_file, "\n\t.byte\t%d\n\t.4byte\t%s,%u\n", CCPROF_TABLES_VERSION, unit,
            (unsigned)pair_count);
    for (size_t i = 0; i < pair_count; i++) {
        fputs("\t.8byte\t", asm_out_file);
        put_pair(&pairs[i]);
        fprintf(asm_out_file, "\n\t.4byte\t%u\n", pairs[i].source);
    }
    fputs("\t.popsection\n", asm_out_file);
}

// By these a reader finds the name of a pair's source as it finds that of code.
static void emit_streams(const char *unit)
{
    for (size_t i = 0; i < pair_count; i++) {
        fprintf(asm_out_file,
                "\t.pushsection\t" CCPROF_SECTION_CODE ",\"o\"," TYPE_OPERAND_FMT ",",
                "progbits");
        put_pair(&pairs[i]);
        fprintf(asm_out_file, "\n\t.byte\t0,%d\n\t.4byte\t%s\n\t.8byte\t",
                CCPROF_TABLES_VERSION, unit);
        put_pair(&pairs[i]);
        fprintf(asm_out_file, "\n\t.uleb128\t%u,0,%u,0,0\n\t.popsection\n",
                (unsigned)sizeof(struct ccprof_pair) + 1, pairs[i].source);
    }
}

void stack_emit(const char *unit)
{
    if (!pair_count)
        return;
    threadword_emit(WORD, 16, "ccprof_attach_none,0");
    cells_emit_note(CCPROF_SECTION_PAIRS, CCPROF_NOTE_PAIRS, WORD "_offset-.",
                    "ccprof_attach_none-.");
    emit_table(unit);
    emit_streams(unit);
}
