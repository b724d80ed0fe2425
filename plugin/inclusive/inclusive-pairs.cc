// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers the pairs and the lists of pairs, and writes them at the end of the unit,
// together with the counters that also count for a source.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/callgraph.h"
#include "plugin/gcc/scopes.h"
#include "plugin/gcc/sources.h"
#include "plugin/label/emit.h"
#include "plugin/count/storage.h"
#include "plugin/count/threadword.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive.h"
#include "plugin/inclusive/inclusive_step.h"
#include "rt/format.h"

#define WORD  INCLUSIVE_WORD
#define PAIRS ".Lccprof_pairs"
#define LISTS ".Lccprof_lists"

namespace
{
// A counter of a row (storage.h) also counts for SOURCE, a source of the unit.
struct share {
    unsigned row, counter, source;
};

struct shares {
    struct share *shares;
    size_t count, room;
};
} // namespace

typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, unsigned> number_map;

// The data of the unit until inclusive_emit writes its tables.
static struct {
    unsigned *sources; // indexed by pair
    size_t pair_count, pair_room;
    number_map *pair_of_source;
    char **lists; // distinct lists, in the syntax of the assembler
    size_t list_count, list_room, list_bytes;
    hash_map<nofree_string_hash, size_t> *offset_of_list;
    struct shares calls, inclusive;
} kept;

// The variables that inclusive_emit writes. They are declared when they are first used.
static struct {
    tree pairs, lists;
} variables;

static const struct ggc_root_tab roots[] = {
    {&variables, 2, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

void inclusive_pairs_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}

int inclusive_pair(tree function)
{
    unsigned source = sources_of(function);
    bool known;

    if (!source)
        return -1;
    if (!kept.pair_of_source)
        kept.pair_of_source = new number_map;
    unsigned &pair = kept.pair_of_source->get_or_insert(source, &known);
    if (!known) {
        pair = kept.pair_count;
        kept.sources = (unsigned *)memory_reserve(
            kept.sources, &kept.pair_room, kept.pair_count + 1, sizeof *kept.sources);
        kept.sources[kept.pair_count++] = source;
    }
    return pair;
}

unsigned inclusive_pairs_count(void)
{
    return kept.pair_count;
}

// Declares a symbol that is local to the unit.
static tree declare_local_symbol(const char *label, tree type)
{
    char *name = concat("*", label, NULL);
    tree decl = artificial_external(name, type);

    TREE_ADDRESSABLE(decl) = 1;
    TREE_USED(decl) = 1;
    varpool_node::get_create(decl);
    free(name);
    return decl;
}

tree inclusive_pairs(void)
{
    if (!variables.pairs)
        variables.pairs = declare_local_symbol(
            PAIRS, build_array_type_nelts(long_long_unsigned_type_node, 2));
    return variables.pairs;
}

// Returns the offset of the list TEXT, which has WORDS words. Takes ownership of TEXT.
static size_t offset_for_list(char *text, unsigned words)
{
    bool known;

    if (!kept.offset_of_list)
        kept.offset_of_list = new hash_map<nofree_string_hash, size_t>;
    size_t &offset = kept.offset_of_list->get_or_insert(text, &known);
    if (known) {
        free(text);
        return offset;
    }
    offset = kept.list_bytes;
    kept.list_bytes += sizeof(unsigned) * words;
    kept.lists = (char **)memory_reserve(kept.lists, &kept.list_room, kept.list_count + 1,
                                         sizeof *kept.lists);
    kept.lists[kept.list_count++] = text;
    return offset;
}

tree inclusive_pairs_list(const struct inclusive_list *list,
                          const struct inclusive_list *outer)
{
    auto_vec<unsigned> pairs;
    char *text, *cursor;

    for (const struct inclusive_list *l = list; l != outer; l = l->outer)
        pairs.safe_push(l->pair);
    unsigned words = 1 + pairs.length();
    cursor = text = XNEWVEC(char, 12 * words);
    cursor += sprintf(cursor, "%u", pairs.length());
    while (!pairs.is_empty())
        cursor += sprintf(cursor, ",%u", pairs.pop());
    size_t offset = offset_for_list(text, words);
    if (!variables.lists)
        variables.lists =
            declare_local_symbol(LISTS, build_array_type_nelts(unsigned_type_node, 2));
    tree first = build_fold_addr_expr(variables.lists);
    return offset ? build_fold_addr_expr(build2(MEM_REF, unsigned_type_node, first,
                                                build_int_cst(ptr_type_node, offset)))
                  : first;
}

// COUNTER may be a distance from the word itself, so it needs a directive of its own.
unsigned inclusive_pairs_words(const vec<unsigned> &words, const char *counter)
{
    size_t room = 12 * words.length() + (counter ? strlen(counter) : 0) + 30;
    char *text = XNEWVEC(char, room), *cursor = text;

    cursor += sprintf(cursor, "%u", words[0]);
    if (counter)
        cursor += sprintf(cursor, "\n\t.4byte\t%s", counter);
    for (unsigned i = 1; i < words.length(); i++)
        cursor += sprintf(cursor, counter && i == 1 ? "\n\t.4byte\t%u" : ",%u", words[i]);
    return offset_for_list(text, words.length() + (counter != NULL));
}

static void keep_share(struct shares *to, unsigned row, unsigned counter, unsigned source)
{
    to->shares = (struct share *)memory_reserve(to->shares, &to->room, to->count + 1,
                                                sizeof *to->shares);
    to->shares[to->count++] = {row, counter, source};
}

void inclusive_pairs_calls(unsigned row, unsigned counter, tree function)
{
    unsigned source = sources_of(function);

    if (source)
        keep_share(&kept.calls, row, counter, source);
}

void inclusive_pairs_inclusive(unsigned row, unsigned counter, unsigned pair)
{
    keep_share(&kept.inclusive, row, counter, kept.sources[pair]);
}

struct inclusive_list inclusive_list_any;

static struct inclusive_list *outermost; // the current function's lists of one source

struct inclusive_list *inclusive_list_within(struct inclusive_list *outer, tree function)
{
    struct inclusive_list **first = outer ? &outer->inner : &outermost;
    int pair = function ? inclusive_pair(function) : -1;

    if (pair < 0 || inclusive_list_depth(outer) == CCPROF_STACK_ENTRIES)
        return outer;
    if (!options.trace)
        for (const struct inclusive_list *list = outer; list; list = list->outer)
            if (list->pair == (unsigned)pair)
                return outer;
    for (struct inclusive_list *list = *first; list; list = list->next)
        if (list->pair == (unsigned)pair)
            return list;
    struct inclusive_list *list = XCNEW(struct inclusive_list);
    *list = {outer,
             NULL,
             *first,
             (unsigned)pair,
             inclusive_list_depth(outer) + 1,
             recursion_is_impossible(function)};
    return *first = list;
}

struct inclusive_list *inclusive_list_of(tree scope)
{
    auto_vec<tree> scopes;
    struct inclusive_list *list = NULL;

    if (options.mark != OPTIONS_MARK_SOURCE || !scope)
        return inclusive_list_within(NULL, DECL_ORIGIN(current_function_decl));
    for (; scope; scope = scopes_parent(scope))
        scopes.safe_push(scope);
    while (!scopes.is_empty())
        list = inclusive_list_within(list, scopes_function(scopes.pop()));
    return list;
}

struct inclusive_list *inclusive_list_common(struct inclusive_list *a,
                                             struct inclusive_list *b)
{
    if (a == &inclusive_list_any)
        return b;
    if (b == &inclusive_list_any)
        return a;
    while (a != b)
        if (inclusive_list_depth(a) > inclusive_list_depth(b))
            a = a->outer;
        else
            b = b->outer;
    return a;
}

static void free_lists(struct inclusive_list *list)
{
    while (list) {
        struct inclusive_list *next = list->next;
        free_lists(list->inner);
        free(list);
        list = next;
    }
}

void inclusive_lists_end(void)
{
    free_lists(outermost);
    outermost = NULL;
}

bool inclusive_any(void)
{
    return kept.pair_count != 0;
}

static void emit_head(const char *label, size_t count)
{
    assembly_byte(CCPROF_TABLES_VERSION);
    assembly_line(".4byte", "%s,%u", label, (unsigned)count);
}

static void emit_shares(const char *section, const struct shares *shares,
                        const char *label)
{
    if (!shares->count)
        return;
    assembly_push_beside(section, storage_neighbour(shares->shares[0].row));
    emit_head(label, shares->count);
    for (size_t i = 0; i < shares->count; i++) {
        assembly_word_of_element(storage_address(shares->shares[i].row),
                                 8 * shares->shares[i].counter);
        assembly_line(".4byte", "%u", shares->shares[i].source);
    }
    assembly_pop_section();
}

static void emit_pairs(void)
{
    assembly_push_section(CCPROF_SECTION_PAIRS, "aw", "progbits", "");
    assembly_line(".balign", "8");
    assembly_label(PAIRS);
    assembly_line(".zero", "%u",
                  (unsigned)(sizeof(struct ccprof_pair) * kept.pair_count));
    assembly_pop_section();
}

static void emit_lists(void)
{
    if (!kept.list_count)
        return;
    assembly_push_section(".rodata", "a", "progbits", "");
    assembly_line(".balign", "4");
    assembly_label(LISTS);
    for (size_t i = 0; i < kept.list_count; i++)
        assembly_line(".4byte", "%s", kept.lists[i]);
    assembly_pop_section();
}

static void emit_table(const char *label)
{
    assembly_push_beside(CCPROF_SECTION_INCLUSIVE, assembly_at(PAIRS));
    emit_head(label, kept.pair_count);
    for (size_t i = 0; i < kept.pair_count; i++) {
        assembly_word_of_element(assembly_at(PAIRS), sizeof(struct ccprof_pair) * i);
        assembly_line(".4byte", "%u", kept.sources[i]);
    }
    assembly_pop_section();
}

// Writes a stream for the pairs, so that a reader finds the name of a pair's source in
// the same way as the name of a function with code.
static void emit_stream(void)
{
    assembly_push_beside(CCPROF_SECTION_CODE, assembly_at(PAIRS));
    emit_stream_head(assembly_at(PAIRS));
    // One number per line, because the assembler for riscv64 does not accept lists.
    for (size_t i = 0; i < kept.pair_count; i++)
        for (unsigned number :
             {(unsigned)sizeof(struct ccprof_pair) + 1, 0u, kept.sources[i], 0u, 0u})
            assembly_line(".uleb128", "%u", number);
    assembly_pop_section();
}

void inclusive_emit_word(void)
{
    if (threadword_is_placed()) {
        threadword_emit_place(WORD, "ccprof_attach_none");
        storage_emit_note(CCPROF_SECTION_PAIRS, CCPROF_NOTE_PAIRS_PLACED,
                          THREADWORD_PLACE(WORD) "-.", "ccprof_attach_none-.");
    } else {
        threadword_emit(WORD, 16, "ccprof_attach_none,0");
        storage_emit_note(CCPROF_SECTION_PAIRS, CCPROF_NOTE_PAIRS, WORD "_offset-.",
                          "ccprof_attach_none-.");
    }
}

void inclusive_emit(const char *label)
{
    if (!kept.pair_count)
        return;
    inclusive_emit_word();
    emit_pairs();
    emit_lists();
    inclusive_step_emit(LISTS, PAIRS);
    emit_table(label);
    emit_stream();
    emit_shares(CCPROF_SECTION_COUNT, &kept.calls, label);
    emit_shares(CCPROF_SECTION_INCLUSIVE, &kept.inclusive, label);
}
