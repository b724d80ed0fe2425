// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "cells.h"
#include "counter.h"
#include "label.h"
#include "memory.h"
#include "passes.h"
#include "points.h"
#include "threadword.h"
#include "../rt/format.h"

#define DELTA         "ccprof_delta"
#define RECORDS_LABEL ".Lccprof_records"

struct counter {
    tree variable;
    unsigned source;
    struct counter_of of;
};

// Those of one kind.
struct list {
    struct counter *counters;
    size_t count, room;
};

static struct list records, cells;

// Of cells_make; in executables the first record of each.
struct row {
    tree variable;
    unsigned count, record;
};

static struct row *rows;
static size_t row_count, row_room;
static tree delta; // the thread-local word
static bool decided;

static const struct ggc_root_tab roots[] = {
    {&delta, 1, sizeof delta, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

static tree delta_word(void)
{
    if (!delta)
        delta = threadword_declare(DELTA, sizetype);
    return delta;
}

// The calling thread's cell INDEX of the variable, behind statements.
static tree thread_cell(gimple_seq *statements, tree variable, unsigned index)
{
    tree type = long_long_unsigned_type_node;
    tree distance = make_temp_ssa_name(sizetype, NULL, DELTA);
    tree pointer = make_temp_ssa_name(ptr_type_node, NULL, DELTA);

    gimple_seq_add_stmt(statements, gimple_build_assign(distance, delta_word()));
    gimple_seq_add_stmt(statements,
                        gimple_build_assign(pointer, POINTER_PLUS_EXPR,
                                            build_fold_addr_expr(variable), distance));
    return build2(MEM_REF, type, pointer,
                  build_int_cst(build_pointer_type(type), 8 * index));
}

static tree cell_of_counter(gimple_stmt_iterator *gsi, tree counter)
{
    gimple_seq statements = NULL;
    tree cell = thread_cell(&statements, counter, 0);

    annotate_all_with_location(statements, gimple_location(gsi_stmt(*gsi)));
    gsi_insert_seq_before(gsi, statements, GSI_SAME_STMT);
    return cell;
}

static bool is_cell(tree operand)
{
    return operand && VAR_P(operand) && counter_is(operand) &&
           !DECL_THREAD_LOCAL_P(operand);
}

// Counters are read and written as a whole, by assignments alone.
static void lower_statement(gimple_stmt_iterator *gsi)
{
    gassign *assign = dyn_cast<gassign *>(gsi_stmt(*gsi));

    if (!assign || !gimple_assign_single_p(assign))
        return;
    if (is_cell(gimple_assign_rhs1(assign)))
        gimple_assign_set_rhs1(assign, cell_of_counter(gsi, gimple_assign_rhs1(assign)));
    else if (is_cell(gimple_assign_lhs(assign)))
        gimple_assign_set_lhs(assign, cell_of_counter(gsi, gimple_assign_lhs(assign)));
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

// Where the linker knows the address of a thread-local variable it becomes such a one.
static void place_variable(tree variable)
{
    if (decl_default_tls_model(variable) == TLS_MODEL_LOCAL_EXEC)
        set_decl_tls_model(variable, TLS_MODEL_LOCAL_EXEC);
    else
        varpool_node::get_create(variable)->set_section(CCPROF_SECTION_CELLS);
}

// No larger alignment than that of one, so that nothing lies between rows.
unsigned cells_make(unsigned count)
{
    static unsigned number;
    char name[40];

    snprintf(name, sizeof name, "ccprof_cells.%u", number++);
    tree type = build_array_type_nelts(long_long_unsigned_type_node, count);
    tree variable = build_decl(BUILTINS_LOCATION, VAR_DECL, get_identifier(name), type);
    SET_DECL_ASSEMBLER_NAME(variable, get_identifier(name));
    SET_DECL_ALIGN(variable, 64);
    DECL_USER_ALIGN(variable) = 1;
    TREE_STATIC(variable) = 1;
    TREE_USED(variable) = 1;
    TREE_ADDRESSABLE(variable) = 1;
    DECL_ARTIFICIAL(variable) = 1;
    DECL_IGNORED_P(variable) = 1;
    DECL_PRESERVE_P(variable) = 1;
    place_variable(variable);
    varpool_node::finalize_decl(variable);
    rows = (struct row *)memory_reserve(rows, &row_room, row_count + 1, sizeof *rows);
    rows[row_count] = {variable, count, 0};
    return row_count++;
}

static tree row_cell(gimple_seq *statements, tree variable, unsigned index)
{
    if (!DECL_THREAD_LOCAL_P(variable))
        return thread_cell(statements, variable, index);
    return build4(ARRAY_REF, long_long_unsigned_type_node, variable, size_int(index),
                  NULL_TREE, NULL_TREE);
}

void cells_add(gimple_seq *statements, unsigned row, unsigned index, tree amount)
{
    tree type = long_long_unsigned_type_node;
    tree before = make_temp_ssa_name(type, NULL, "ccprof_cell");
    tree after = make_temp_ssa_name(type, NULL, "ccprof_cell");
    tree cell = row_cell(statements, rows[row].variable, index);

    gimple_seq_add_stmt(statements, gimple_build_assign(before, cell));
    gimple_seq_add_stmt(statements,
                        gimple_build_assign(after, PLUS_EXPR, before, amount));
    gimple_seq_add_stmt(statements, gimple_build_assign(unshare_expr(cell), after));
}

static void add_counter(struct list *list, tree variable)
{
    struct counter_of of = counter_counts(variable);
    unsigned source = of.calls ? points_source(&label_unit, DECL_CONTEXT(variable)) : 0;

    list->counters = (struct counter *)memory_reserve(
        list->counters, &list->room, list->count + 1, sizeof *list->counters);
    list->counters[list->count++] = {variable, source, of};
}

bool cells_collect(void)
{
    varpool_node *node;

    FOR_EACH_DEFINED_VARIABLE(node)
    if (counter_is(node->decl) && TREE_ASM_WRITTEN(node->decl))
        add_counter(DECL_THREAD_LOCAL_P(node->decl) ? &records : &cells, node->decl);
    return records.count || cells.count || row_count || delta;
}

void cells_emit_note(const char *section, int type, const char *offset, const char *none)
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
            "\t.hidden\t__dso_handle\n\t.weakref\t%s_handle, __dso_handle\n"
            "\t.4byte\t%s_handle-.\n\t.4byte\t%s,%s\n\t.popsection\n",
            section, section, offset, none);
}

static void emit_record(tree variable, unsigned index)
{
    rtx place = XEXP(DECL_RTL(variable), 0);

    targetm.asm_out.output_dwarf_dtprel(asm_out_file, 8,
                                        plus_constant(Pmode, place, 8 * index));
    putc('\n', asm_out_file);
}

static void emit_records(void)
{
    unsigned next = records.count;

    fprintf(asm_out_file,
            "\t.pushsection\t" CCPROF_SECTION_RECORDS ",\"%s\"," TYPE_OPERAND_FMT
            "\n\t.balign\t8\n" RECORDS_LABEL ":\n",
            HAVE_GAS_SHF_GNU_RETAIN ? "aR" : "a", "progbits");
    for (size_t i = 0; i < records.count; i++)
        emit_record(records.counters[i].variable, 0);
    for (size_t i = 0; i < row_count; i++) {
        rows[i].record = next;
        for (unsigned j = 0; j < rows[i].count; j++, next++)
            emit_record(rows[i].variable, j);
    }
    fputs("\t.popsection\n", asm_out_file);
}

static void put_record(unsigned number)
{
    fprintf(asm_out_file, number ? RECORDS_LABEL "+%u" : RECORDS_LABEL, 8 * number);
}

void cells_put_place(unsigned row)
{
    if (DECL_THREAD_LOCAL_P(rows[row].variable))
        put_record(rows[row].record);
    else
        output_addr_const(asm_out_file, XEXP(DECL_RTL(rows[row].variable), 0));
}

void cells_put_neighbour(unsigned row)
{
    if (DECL_THREAD_LOCAL_P(rows[row].variable))
        put_record(0);
    else
        cells_put_place(row);
}

static void put_cell(const struct list *list, size_t i)
{
    if (list == &records)
        put_record(i);
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

// Whether some of cells_make's are thread-local variables; or others.
static bool has_rows(bool thread_local_ones)
{
    for (size_t i = 0; i < row_count; i++)
        if (DECL_THREAD_LOCAL_P(rows[i].variable) == thread_local_ones)
            return true;
    return false;
}

void cells_emit(const char *unit)
{
    bool has_records = records.count || has_rows(true);
    bool has_cells = cells.count || has_rows(false);

    if (delta || has_cells)
        threadword_emit(DELTA, 8, NULL);
    if (has_records) {
        emit_records();
        cells_emit_note(CCPROF_SECTION_RECORDS, CCPROF_NOTE_RECORDS, "0", "0");
    }
    if (has_cells)
        cells_emit_note(CCPROF_SECTION_CELLS, CCPROF_NOTE_CELLS, DELTA "_offset-.", "0");
    if (records.count)
        emit_tables(&records, unit);
    if (cells.count)
        emit_tables(&cells, unit);
}

static void decide(void *, void *)
{
    varpool_node *node;

    FOR_EACH_VARIABLE(node)
    {
        if (counter_is(node->decl))
            place_variable(node->decl);
    }
    decided = true;
}

bool cells_are_placed(void)
{
    return decided;
}

void cells_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, decide, NULL);
}
