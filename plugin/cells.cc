// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "cells.h"
#include "count.h"
#include "label.h"
#include "memory.h"
#include "passes.h"
#include "points.h"
#include "../rt/format.h"

#define DELTA         "ccprof_delta"
#define RECORDS_LABEL ".Lccprof_records"

struct counter {
    tree variable;
    unsigned source;
    struct count_of of;
};

// Those of one kind.
struct list {
    struct counter *counters;
    size_t count, room;
};

static struct list records, cells;
static tree delta; // the thread-local word

static const struct ggc_root_tab roots[] = {
    {&delta, 1, sizeof delta, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

// Initial-exec, where the default would be a call of __tls_get_addr: 8 bytes fit into
// what the loader has to spare for shared objects that are loaded later.
static tree delta_word(void)
{
    if (delta)
        return delta;
    delta = build_decl(BUILTINS_LOCATION, VAR_DECL, get_identifier(DELTA), sizetype);
    SET_DECL_ASSEMBLER_NAME(delta, get_identifier(DELTA));
    TREE_PUBLIC(delta) = 1;
    DECL_EXTERNAL(delta) = 1;
    DECL_ARTIFICIAL(delta) = 1;
    DECL_IGNORED_P(delta) = 1;
    DECL_VISIBILITY(delta) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(delta) = 1;
    tls_model model = decl_default_tls_model(delta);
    set_decl_tls_model(delta,
                       model < TLS_MODEL_INITIAL_EXEC ? TLS_MODEL_INITIAL_EXEC : model);
    varpool_node::get_create(delta);
    return delta;
}

// The calling thread's cell of the counter, as statements before GSI.
static tree thread_cell(gimple_stmt_iterator *gsi, tree counter)
{
    location_t location = gimple_location(gsi_stmt(*gsi));
    tree distance = make_temp_ssa_name(sizetype, NULL, DELTA);
    tree pointer = make_temp_ssa_name(ptr_type_node, NULL, DELTA);
    gimple *load = gimple_build_assign(distance, delta_word());
    gimple *add = gimple_build_assign(pointer, POINTER_PLUS_EXPR,
                                      build_fold_addr_expr(counter), distance);

    gimple_set_location(load, location);
    gimple_set_location(add, location);
    gsi_insert_before(gsi, load, GSI_SAME_STMT);
    gsi_insert_before(gsi, add, GSI_SAME_STMT);
    return build2(MEM_REF, TREE_TYPE(counter), pointer,
                  build_int_cst(build_pointer_type(TREE_TYPE(counter)), 0));
}

static bool is_cell(tree operand)
{
    return operand && VAR_P(operand) && count_is_counter(operand) &&
           !DECL_THREAD_LOCAL_P(operand);
}

// Counters are read and written as a whole, by assignments alone.
static void lower_statement(gimple_stmt_iterator *gsi)
{
    gassign *assign = dyn_cast<gassign *>(gsi_stmt(*gsi));

    if (!assign || !gimple_assign_single_p(assign))
        return;
    if (is_cell(gimple_assign_rhs1(assign)))
        gimple_assign_set_rhs1(assign, thread_cell(gsi, gimple_assign_rhs1(assign)));
    else if (is_cell(gimple_assign_lhs(assign)))
        gimple_assign_set_lhs(assign, thread_cell(gsi, gimple_assign_lhs(assign)));
    else
        return;
    update_stmt(assign);
}

static const pass_data lower_data = {
    GIMPLE_PASS,
    "ccprof_cells",
    OPTGROUP_NONE,
    TV_NONE,
    PROP_cfg | PROP_ssa,
    0,
    0,
    0,
    TODO_update_ssa_only_virtuals,
};

class lower_pass : public gimple_opt_pass
{
  public:
    lower_pass() : gimple_opt_pass(lower_data, g)
    {
    }

    unsigned int execute(function *fun) final override
    {
        basic_block bb;

        FOR_EACH_BB_FN(bb, fun)
        {
            for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
                 gsi_next(&gsi))
                lower_statement(&gsi);
        }
        return 0;
    }
};

opt_pass *passes_make_cells(void)
{
    return new lower_pass;
}

static void add_counter(struct list *list, tree variable)
{
    struct count_of of = count_of_counter(variable);
    unsigned source = of.calls ? points_source(&label_unit, DECL_CONTEXT(variable)) : 0;

    list->counters = (struct counter *)memory_reserve(
        list->counters, &list->room, list->count + 1, sizeof *list->counters);
    list->counters[list->count++] = {variable, source, of};
}

bool cells_collect(void)
{
    varpool_node *node;

    FOR_EACH_DEFINED_VARIABLE(node)
    if (count_is_counter(node->decl) && TREE_ASM_WRITTEN(node->decl))
        add_counter(DECL_THREAD_LOCAL_P(node->decl) ? &records : &cells, node->decl);
    return records.count || cells.count || delta;
}

// The linker keeps one for each executable or shared object.
static void emit_delta(void)
{
    fprintf(asm_out_file,
            "\t.pushsection\t.tbss." DELTA ",\"awTG\"," TYPE_OPERAND_FMT "," DELTA
            ",comdat\n\t.balign\t8\n\t.hidden\t" DELTA "\n\t.globl\t" DELTA
            "\n\t.type\t" DELTA "," TYPE_OPERAND_FMT "\n\t.size\t" DELTA ",8\n" DELTA
            ":\n\t.zero\t8\n\t.popsection\n",
            "nobits", "tls_object");
    // A function that gives the word's distance from the thread pointer.
    fprintf(asm_out_file,
            "\t.att_syntax prefix\n\t.pushsection\t.text." DELTA
            ",\"axG\"," TYPE_OPERAND_FMT "," DELTA ",comdat\n\t.hidden\t" DELTA
            "_offset\n\t.globl\t" DELTA "_offset\n\t.type\t" DELTA
            "_offset," TYPE_OPERAND_FMT "\n" DELTA "_offset:\n\tendbr64\n\tmovq\t" DELTA
            "@gottpoff(%%rip),%%rax\n\tret\n\t.size\t" DELTA "_offset,.-" DELTA
            "_offset\n\t.popsection\n",
            "progbits", "function");
}

// The linker makes symbols of a section's start and end.
static void emit_note(const char *section, int type, const char *offset)
{
    fprintf(asm_out_file,
            "\t.pushsection\t.note.%s,\"%s\"," TYPE_OPERAND_FMT
            ",%s_note,comdat\n\t.balign\t4\n"
            "\t.4byte\t%u,%u,%d\n\t.asciz\t\"" CCPROF_NOTE_NAME "\"\n\t.balign\t4\n"
            "\t.4byte\t%d\n",
            section, HAVE_GAS_SHF_GNU_RETAIN ? "aGR" : "aG", "note", section,
            (unsigned)sizeof CCPROF_NOTE_NAME,
            (unsigned)sizeof(struct ccprof_counts_note), type, CCPROF_ATTACH_VERSION);
    for (const char *end : {"__start_", "__stop_"})
        fprintf(asm_out_file, "\t.hidden\t%s%s\n\t.4byte\t%s%s-.\n", end, section, end,
                section);
    // Weak unless the object itself refers to it.
    fprintf(asm_out_file,
            "\t.hidden\t__dso_handle\n\t.weakref\tccprof_dso_handle, __dso_handle\n"
            "\t.4byte\tccprof_dso_handle-.\n\t.4byte\t%s\n\t.popsection\n",
            offset);
}

static void emit_records(void)
{
    fprintf(asm_out_file,
            "\t.pushsection\t" CCPROF_SECTION_RECORDS ",\"%s\"," TYPE_OPERAND_FMT
            "\n\t.balign\t8\n" RECORDS_LABEL ":\n",
            HAVE_GAS_SHF_GNU_RETAIN ? "aR" : "a", "progbits");
    for (size_t i = 0; i < records.count; i++) {
        targetm.asm_out.output_dwarf_dtprel(
            asm_out_file, 8, XEXP(DECL_RTL(records.counters[i].variable), 0));
        putc('\n', asm_out_file);
    }
    fputs("\t.popsection\n", asm_out_file);
}

static void put_cell(const struct list *list, size_t i)
{
    if (list == &records)
        fprintf(asm_out_file, i ? RECORDS_LABEL "+%u" : RECORDS_LABEL, (unsigned)(8 * i));
    else
        output_addr_const(asm_out_file, XEXP(DECL_RTL(list->counters[i].variable), 0));
}

static bool counts_calls(const struct counter *counter)
{
    return counter->of.calls;
}

static bool counts_edge(const struct counter *counter)
{
    return counter->of.edge;
}

static void emit_call(const struct counter *counter)
{
    fprintf(asm_out_file, "\n\t.4byte\t%u\n", counter->source);
}

static void emit_edge(const struct counter *counter)
{
    fprintf(asm_out_file, "\n\t.8byte\t%#llx\n\t.4byte\t%u\n",
            (unsigned long long)counter->of.flow, counter->of.number);
}

// A piece of the section about those of the list that are WANTED, each told by TELL.
// UNIT: "LABEL," or nothing.
static void emit_piece(const char *section, const struct list *list, const char *unit,
                       bool (*wanted)(const struct counter *),
                       void (*tell)(const struct counter *))
{
    unsigned count = 0;

    for (size_t i = 0; i < list->count; i++)
        count += wanted(&list->counters[i]);
    if (!count)
        return;
    fprintf(asm_out_file, "\t.pushsection\t%s,\"o\"," TYPE_OPERAND_FMT ",", section,
            "progbits");
    put_cell(list, 0);
    fprintf(asm_out_file, "\n\t.byte\t%d\n\t.4byte\t%s%u\n", CCPROF_TABLES_VERSION, unit,
            count);
    for (size_t i = 0; i < list->count; i++) {
        if (!wanted(&list->counters[i]))
            continue;
        fputs("\t.8byte\t", asm_out_file);
        put_cell(list, i);
        tell(&list->counters[i]);
    }
    fputs("\t.popsection\n", asm_out_file);
}

static void emit_tables(const struct list *list, const char *unit)
{
    char *label = concat(unit, ",", NULL);

    emit_piece(CCPROF_SECTION_COUNT, list, label, counts_calls, emit_call);
    emit_piece(CCPROF_SECTION_EDGE, list, "", counts_edge, emit_edge);
    free(label);
}

void cells_emit(const char *unit)
{
    if (delta)
        emit_delta();
    if (records.count) {
        emit_records();
        emit_note(CCPROF_SECTION_RECORDS, CCPROF_NOTE_RECORDS, "0");
        emit_tables(&records, unit);
    }
    if (cells.count) {
        if (!delta)
            emit_delta();
        emit_note(CCPROF_SECTION_CELLS, CCPROF_NOTE_CELLS, DELTA "_offset-.");
        emit_tables(&cells, unit);
    }
}

// Where the linker knows the address of a thread-local variable the counters become such
// variables; otherwise cells.
static void decide(void *, void *)
{
    varpool_node *node;

    FOR_EACH_VARIABLE(node)
    {
        if (!count_is_counter(node->decl))
            continue;
        if (decl_default_tls_model(node->decl) == TLS_MODEL_LOCAL_EXEC)
            set_decl_tls_model(node->decl, TLS_MODEL_LOCAL_EXEC);
        else
            node->set_section(CCPROF_SECTION_CELLS);
    }
}

void cells_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, decide, NULL);
}
