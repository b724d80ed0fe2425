// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of counters at the end of the unit: the table that says whose they are,
// and the notes and records by which the runtime finds them.

#include "plugin/gcc/compat.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/sources.h"
#include "plugin/count/storage-inside.h"
#include "plugin/count/storage.h"
#include "plugin/count/counter.h"
#include "plugin/count/threadword.h"
#include "rt/format.h"

#define RECORDS_LABEL ".Lccprof_records"

namespace
{
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
} // namespace

static struct list records, module_own;

static void add_counter(struct list *list, tree variable)
{
    struct counter_of of = counter_counts(variable);
    unsigned source = of.calls ? sources_of(DECL_CONTEXT(variable)) : 0;

    list->counters = (struct counter *)memory_reserve(
        list->counters, &list->room, list->count + 1, sizeof *list->counters);
    list->counters[list->count++] = {variable, source, of};
}

bool storage_collect(void)
{
    varpool_node *node;

    FOR_EACH_DEFINED_VARIABLE (node)
        if (counter_is(node->decl) && TREE_ASM_WRITTEN(node->decl))
            add_counter(DECL_THREAD_LOCAL_P(node->decl) ? &records : &module_own,
                        node->decl);
    return records.count || module_own.count || storage_row_count ||
           storage_delta_is_read();
}

void storage_emit_note(const char *section, int type, const char *offset,
                       const char *none)
{
    char *name = concat(".note.", section, NULL), *group = concat(section, "_note", NULL);

    assembly_push_note(name, group, sizeof(struct ccprof_counts_note), type);
    for (const char *end : {"__start_", "__stop_"}) {
        assembly_line(".hidden", "%s%s", end, section);
        assembly_line(".4byte", "%s%s-.", end, section);
    }
    // Weak unless the object itself refers to it.
    assembly_line(".hidden", "__dso_handle");
    assembly_line(".weakref", "%s_handle, __dso_handle", section);
    assembly_line(".4byte", "%s_handle-.", section);
    assembly_line(".4byte", "%s,%s", offset, none);
    assembly_pop_section();
    free(name);
    free(group);
}

static void emit_records(void)
{
    unsigned next = records.count;

    assembly_push_section(CCPROF_SECTION_RECORDS, "a" ASSEMBLY_RETAIN, "progbits", "");
    assembly_line(".balign", "8");
    assembly_label(RECORDS_LABEL);
    for (size_t i = 0; i < records.count; i++)
        assembly_word_of_thread(records.counters[i].variable, 0);
    for (size_t i = 0; i < storage_row_count; i++) {
        storage_rows[i].record = next;
        for (unsigned j = 0; j < storage_rows[i].count; j++, next++)
            assembly_word_of_thread(storage_rows[i].variable, 8 * j);
    }
    assembly_pop_section();
}

// Of one of either list: a thread-local variable is told by its record.
static struct assembly_address address_of(tree variable, unsigned record)
{
    if (DECL_THREAD_LOCAL_P(variable))
        return {RECORDS_LABEL, 8 * record, NULL_TREE};
    return {NULL, 0, variable};
}

struct assembly_address storage_address(unsigned row)
{
    return address_of(storage_rows[row].variable, storage_rows[row].record);
}

struct assembly_address storage_neighbour(unsigned row)
{
    return address_of(storage_rows[row].variable, 0);
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
    assembly_line(".4byte", "%u", counter->source);
}

static void emit_edge(const struct counter *counter)
{
    assembly_line(".8byte", "%#llx", (unsigned long long)counter->of.flow);
    assembly_line(".4byte", "%u", counter->of.number);
}

// The unit's table in the section, of those of the list that are WANTED, each told by
// TELL. UNIT: "LABEL," or nothing.
static void emit_list(const char *section, const struct list *list, const char *unit,
                      bool (*wanted)(const struct counter *),
                      void (*tell)(const struct counter *))
{
    unsigned count = 0;

    for (size_t i = 0; i < list->count; i++)
        count += wanted(&list->counters[i]);
    if (!count)
        return;
    assembly_push_beside(section, address_of(list->counters[0].variable, 0));
    assembly_byte(CCPROF_TABLES_VERSION);
    assembly_line(".4byte", "%s%u", unit, count);
    for (size_t i = 0; i < list->count; i++) {
        if (!wanted(&list->counters[i]))
            continue;
        assembly_word(address_of(list->counters[i].variable, i));
        tell(&list->counters[i]);
    }
    assembly_pop_section();
}

static void emit_tables(const struct list *list, const char *unit)
{
    char *label = concat(unit, ",", NULL);

    emit_list(CCPROF_SECTION_COUNT, list, label, counts_calls, emit_call);
    emit_list(CCPROF_SECTION_EDGE, list, "", counts_edge, emit_edge);
    free(label);
}

// Whether some of storage_make_row's are thread-local variables; or others.
static bool has_rows(bool thread_local_ones)
{
    for (size_t i = 0; i < storage_row_count; i++)
        if (DECL_THREAD_LOCAL_P(storage_rows[i].variable) == thread_local_ones)
            return true;
    return false;
}

void storage_emit(const char *unit)
{
    bool has_records = records.count || has_rows(true);
    bool has_own = module_own.count || has_rows(false);

    if (storage_delta_is_read() || has_own)
        threadword_emit(STORAGE_DELTA, 8, NULL);
    if (has_records) {
        emit_records();
        storage_emit_note(CCPROF_SECTION_RECORDS, CCPROF_NOTE_RECORDS, "0", "0");
    }
    if (has_own)
        storage_emit_note(CCPROF_SECTION_CELLS, CCPROF_NOTE_CELLS,
                          STORAGE_DELTA "_offset-.", "0");
    if (records.count)
        emit_tables(&records, unit);
    if (module_own.count)
        emit_tables(&module_own, unit);
}
