// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of counters at the end of the unit: the table that says whose they are,
// and the notes and records by which the runtime finds them.

#include "plugin/gcc/compat.h"
#include "plugin/tables/memory.h"
#include "plugin/label/label.h"
#include "plugin/label/points.h"
#include "plugin/count/cells-inside.h"
#include "plugin/count/cells.h"
#include "plugin/count/counter.h"
#include "plugin/count/threadword.h"
#include "rt/format.h"

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

    FOR_EACH_DEFINED_VARIABLE (node)
        if (counter_is(node->decl) && TREE_ASM_WRITTEN(node->decl))
            add_counter(DECL_THREAD_LOCAL_P(node->decl) ? &records : &cells, node->decl);
    return records.count || cells.count || cells_row_count || cells_delta_is_read();
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
    for (size_t i = 0; i < cells_row_count; i++) {
        cells_rows[i].record = next;
        for (unsigned j = 0; j < cells_rows[i].count; j++, next++)
            emit_record(cells_rows[i].variable, j);
    }
    fputs("\t.popsection\n", asm_out_file);
}

static void put_record(unsigned number)
{
    fprintf(asm_out_file, number ? RECORDS_LABEL "+%u" : RECORDS_LABEL, 8 * number);
}

void cells_put_place(unsigned row)
{
    if (DECL_THREAD_LOCAL_P(cells_rows[row].variable))
        put_record(cells_rows[row].record);
    else
        output_addr_const(asm_out_file, XEXP(DECL_RTL(cells_rows[row].variable), 0));
}

void cells_put_neighbour(unsigned row)
{
    if (DECL_THREAD_LOCAL_P(cells_rows[row].variable))
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
    for (size_t i = 0; i < cells_row_count; i++)
        if (DECL_THREAD_LOCAL_P(cells_rows[i].variable) == thread_local_ones)
            return true;
    return false;
}

void cells_emit(const char *unit)
{
    bool has_records = records.count || has_rows(true);
    bool has_cells = cells.count || has_rows(false);

    if (cells_delta_is_read() || has_cells)
        threadword_emit(CELLS_DELTA, 8, NULL);
    if (has_records) {
        emit_records();
        cells_emit_note(CCPROF_SECTION_RECORDS, CCPROF_NOTE_RECORDS, "0", "0");
    }
    if (has_cells)
        cells_emit_note(CCPROF_SECTION_CELLS, CCPROF_NOTE_CELLS, CELLS_DELTA "_offset-.",
                        "0");
    if (records.count)
        emit_tables(&records, unit);
    if (cells.count)
        emit_tables(&cells, unit);
}
