// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the tables of counters at the end of the unit, and the notes and records by
// which the runtime finds the counters.

#include "plugin/gcc/compat.h"
#include "plugin/tables/memory.h"
#include "plugin/tables/encode.h"
#include "plugin/gcc/sources.h"
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
    struct counter_of counted;
    bool negative;
    unsigned record; // index of the variable in its list
};

// The variables of one kind of storage, and their counters.
struct list {
    tree *variables;
    size_t variable_count, variable_room;
    struct counter *counters;
    size_t count, room;
};
} // namespace

// The counters that are thread-local, and the counters that belong to the module.
static struct list records, module_own;

// The counters that were passed to storage_add_term and to storage_list.
static struct list all_terms, listed;

static bool has_cells; // the section of cells has content
static tree zero;      // counter of functions that are listed but not counted

static void append_counter(struct list *list, const struct counter *counter)
{
    list->counters = (struct counter *)memory_reserve(
        list->counters, &list->room, list->count + 1, sizeof *list->counters);
    list->counters[list->count++] = *counter;
}

static void add_counter(struct list *list, tree variable, tree marked, bool negative,
                        unsigned record)
{
    struct counter_of counted = counter_counts(marked);
    unsigned source = counted.calls ? sources_of(DECL_CONTEXT(marked)) : 0;
    const struct counter counter = {variable, source, counted, negative, record};

    append_counter(list, &counter);
}

void storage_add_term(tree counter, tree marked, bool negative)
{
    add_counter(&all_terms, counter, marked, negative, 0);
}

void storage_list(tree marked)
{
    if (!counter_counts(marked).calls)
        return;
    if (!zero)
        zero = storage_make_counter();
    add_counter(&listed, zero, marked, false, 0);
}

static struct list *list_of(tree variable)
{
    return DECL_THREAD_LOCAL_P(variable) ? &records : &module_own;
}

static void collect_variables(void)
{
    varpool_node *node;

    FOR_EACH_DEFINED_VARIABLE (node) {
        bool counts = counter_is(node->decl);
        const char *section = node->get_section();
        if (!TREE_ASM_WRITTEN(node->decl))
            continue;
        has_cells |= section && !strcmp(section, CCPROF_SECTION_CELLS);
        if (!counts && !storage_is_counter(node->decl))
            continue;
        struct list *list = list_of(node->decl);
        if (counts)
            add_counter(list, node->decl, node->decl, false, list->variable_count);
        list->variables =
            (tree *)memory_reserve(list->variables, &list->variable_room,
                                   list->variable_count + 1, sizeof *list->variables);
        list->variables[list->variable_count++] = node->decl;
    }
}

static void add_listed(void)
{
    hash_set<int_hash<unsigned, (unsigned)-1, (unsigned)-2>> sources;

    for (size_t i = 0; i < all_terms.count; i++)
        if (all_terms.counters[i].counted.calls)
            sources.add(all_terms.counters[i].source);
    for (size_t i = 0; i < listed.count; i++)
        if (!sources.add(listed.counters[i].source))
            append_counter(&all_terms, &listed.counters[i]);
}

static void collect_terms(void)
{
    hash_map<tree, unsigned> numbers;

    add_listed();
    for (const struct list *list : {&records, &module_own})
        for (size_t i = 0; i < list->variable_count; i++)
            numbers.put(list->variables[i], i);
    for (size_t i = 0; i < all_terms.count; i++) {
        struct counter counter = all_terms.counters[i];
        struct list *list = list_of(counter.variable);
        unsigned *number = numbers.get(counter.variable);
        // The first stage of an LTO compilation writes no variables.
        if (!number)
            continue;
        counter.record = *number;
        append_counter(list, &counter);
    }
}

bool storage_collect(void)
{
    collect_variables();
    collect_terms();
    return records.variable_count || has_cells || storage_row_count ||
           storage_delta_is_read();
}

void storage_emit_note(const char *section, int type, const char *offset,
                       const char *none)
{
    const bool is_placed =
        type == CCPROF_NOTE_CELLS_PLACED || type == CCPROF_NOTE_PAIRS_PLACED;
    char *name = concat(".note.", section, NULL),
         *group = concat(section, is_placed ? "_placed" : "_note", NULL);

    assembly_push_note(name, group, ASSEMBLY_RETAIN, sizeof(struct ccprof_counts_note),
                       type);
    for (const char *end : {"__start_", "__stop_"}) {
        assembly_line(".hidden", "%s%s", end, section);
        assembly_line(".4byte", "%s%s-.", end, section);
    }
    // The reference is weak unless the object itself refers to the symbol.
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
    unsigned next = records.variable_count;

    assembly_push_section(CCPROF_SECTION_RECORDS, "a" ASSEMBLY_RETAIN, "progbits", "");
    assembly_line(".balign", "8");
    assembly_label(RECORDS_LABEL);
    for (size_t i = 0; i < records.variable_count; i++)
        assembly_word_of_thread(records.variables[i], 0);
    for (size_t i = 0; i < storage_row_count; i++) {
        storage_rows[i].record = next;
        for (unsigned j = 0; j < storage_rows[i].count; j++, next++)
            assembly_word_of_thread(storage_rows[i].variable, 8 * j);
    }
    assembly_pop_section();
}

// Returns the address by which the tables refer to the variable. For a thread-local
// variable it is the address of its record.
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

// Writes the addresses of the list's variables, in the order of their numbers.
static void emit_places(const struct list *list)
{
    const struct assembly_address first = address_of(list->variables[0], 0);

    assembly_word(first);
    if (DECL_THREAD_LOCAL_P(list->variables[0])) {
        assembly_line(".4byte", "0");
        return;
    }
    assembly_line(".4byte", "%zu", list->variable_count);
    for (size_t i = 0; i < list->variable_count; i++)
        assembly_distance(address_of(list->variables[i], i), first);
}

// Returns the number of terms from FIRST on that belong to the same flow graph.
static size_t length_of_flow(const vec<terms_term> &terms, size_t first)
{
    size_t end = first;

    while (end < terms.length() && terms[end].flow == terms[first].flow)
        end++;
    return end - first;
}

static void emit_edges(const vec<terms_term> &terms)
{
    unsigned flows = 0;

    for (size_t i = 0; i < terms.length(); i += length_of_flow(terms, i))
        flows++;
    leb_unsigned(assembly_put_byte, NULL, flows);
    for (size_t i = 0; i < terms.length();) {
        size_t length = length_of_flow(terms, i);
        assembly_line(".8byte", "%#llx", (unsigned long long)terms[i].flow);
        leb_unsigned(assembly_put_byte, NULL, length);
        for (size_t end = i + length; i < end; i++)
            terms_put(assembly_put_byte, NULL, &terms[i], i ? &terms[i - 1] : NULL);
    }
}

static void start_piece(const char *section, const struct list *list)
{
    assembly_push_beside(section, address_of(list->variables[0], 0));
    assembly_byte(CCPROF_TABLES_TERMS);
}

static void emit_tables(const struct list *list, const char *unit)
{
    auto_vec<terms_term> calls, edges;

    for (size_t i = 0; i < list->count; i++) {
        const struct counter *counter = &list->counters[i];
        const struct counter_of *counted = &counter->counted;
        if (counted->calls)
            calls.safe_push({0, counter->source, counter->record, counter->negative});
        if (counted->edge)
            edges.safe_push(
                {counted->flow, counted->number, counter->record, counter->negative});
    }
    terms_sort(calls.address(), calls.length());
    terms_sort(edges.address(), edges.length());
    if (calls.length()) {
        start_piece(CCPROF_SECTION_COUNT, list);
        assembly_line(".4byte", "%s", unit);
        emit_places(list);
        leb_unsigned(assembly_put_byte, NULL, calls.length());
        for (size_t i = 0; i < calls.length(); i++)
            terms_put(assembly_put_byte, NULL, &calls[i], i ? &calls[i - 1] : NULL);
        assembly_pop_section();
    }
    if (edges.length()) {
        start_piece(CCPROF_SECTION_EDGE, list);
        emit_places(list);
        emit_edges(edges);
        assembly_pop_section();
    }
}

// If THREAD_LOCAL_ONES is true, returns true if there are thread-local rows. Otherwise
// returns true if there are rows that are not thread-local.
static bool has_rows(bool thread_local_ones)
{
    for (size_t i = 0; i < storage_row_count; i++)
        if (DECL_THREAD_LOCAL_P(storage_rows[i].variable) == thread_local_ones)
            return true;
    return false;
}

static void emit_cells_note(void)
{
    if (threadword_is_placed())
        storage_emit_note(CCPROF_SECTION_CELLS, CCPROF_NOTE_CELLS_PLACED,
                          THREADWORD_PLACE(STORAGE_DELTA) "-.", "0");
    else
        storage_emit_note(CCPROF_SECTION_CELLS, CCPROF_NOTE_CELLS,
                          STORAGE_DELTA "_offset-.", "0");
}

void storage_emit(const char *unit)
{
    bool has_records = records.variable_count || has_rows(true);
    bool has_own = has_cells || has_rows(false);

    if (storage_delta_is_read() || has_own) {
        if (threadword_is_placed())
            threadword_emit_place(STORAGE_DELTA, "0");
        else
            threadword_emit(STORAGE_DELTA, 8, NULL);
    }
    if (has_records) {
        emit_records();
        storage_emit_note(CCPROF_SECTION_RECORDS, CCPROF_NOTE_RECORDS, "0", "0");
    }
    if (has_own)
        emit_cells_note();
    if (records.count)
        emit_tables(&records, unit);
    if (module_own.count)
        emit_tables(&module_own, unit);
}
