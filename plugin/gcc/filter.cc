// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the rules of the arguments include, exclude and watch, matches functions with
// them, and writes the table of patterns.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/options.h"
#include "rt/format.h"

#include <regex.h>

#define EXCLUDE "ccprof_exclude"

// The attribute of functions that run before relocation. LTO streams it, so the link
// knows them too.
#define EARLY "ccprof_early"

namespace
{
struct rule {
    regex_t regexp;
    enum filter_subject subject;
    bool include;
    unsigned pattern; // number of the pattern in the record; 0 if the user did not give
                      // the pattern
};

struct rule_list {
    struct rule *all;
    size_t count, room;
    // A cache by GCC's pointer to the file name: GCC has one string for each file, and
    // most functions are in few files.
    hash_map<const char *, const struct rule *> *of_files;
};
} // namespace

static struct rule_list rules, watch_rules;

namespace
{
struct pattern {
    char *text;   // NAME=PATTERN
    bool matches; // a function of this unit
};
} // namespace

// The content of the table for mlprof.
static struct {
    struct pattern *patterns;
    size_t count, room;
    bool is_compiled; // this process compiles the unit; a link only reads it
    bool is_for_lto;
    char **allocators; // names of excluded functions
    size_t allocator_count, allocator_room;
} record;

unsigned filter_add_pattern(const char *name, const char *pattern)
{
    record.patterns = (struct pattern *)memory_reserve(
        record.patterns, &record.room, record.count + 1, sizeof *record.patterns);
    record.patterns[record.count].text = concat(name, "=", pattern, NULL);
    record.patterns[record.count].matches = false;
    return ++record.count;
}

void filter_pattern_matched(unsigned number)
{
    record.patterns[number - 1].matches = true;
}

void filter_note_excluded_allocator(const char *name)
{
    for (size_t i = 0; i < record.allocator_count; i++)
        if (!strcmp(record.allocators[i], name))
            return;
    record.allocators =
        (char **)memory_reserve(record.allocators, &record.allocator_room,
                                record.allocator_count + 1, sizeof *record.allocators);
    record.allocators[record.allocator_count++] = xstrdup(name);
}

// The files that declare the functions of the profiler that a program may call
// (rt/ccprof.h).
static const char own_files[] = "(^|/)ccprof\\.(h|f90)$";

static bool is_function_or_class(const_tree node)
{
    return TREE_CODE(node) == FUNCTION_DECL || RECORD_OR_UNION_TYPE_P(node);
}

static tree handle_attribute(tree *node, tree name, tree, int, bool *no_add)
{
    if (!is_function_or_class(*node)) {
        warning(OPT_Wattributes, "%qE attribute is for functions and classes", name);
        *no_add = true;
    }
    return NULL_TREE;
}

static const struct attribute_spec attribute = {
    EXCLUDE, 0, 0, false, false, false, false, handle_attribute, NULL};

static void register_exclude(void *, void *)
{
    register_attribute(&attribute);
}

static const char *add_rule(struct rule_list *to, const char *regexp,
                            enum filter_subject subject, bool include, const char *name)
{
    static char message[256];

    to->all =
        (struct rule *)memory_reserve(to->all, &to->room, to->count + 1, sizeof *to->all);
    struct rule *rule = &to->all[to->count];
    int error = regcomp(&rule->regexp, regexp, REG_EXTENDED | REG_NOSUB);
    if (error) {
        regerror(error, &rule->regexp, message, sizeof message);
        return message;
    }
    rule->subject = subject;
    rule->include = include;
    rule->pattern = name ? filter_add_pattern(name, regexp) : 0;
    to->count++;
    return NULL;
}

void filter_start(const char *plugin)
{
    add_rule(&rules, own_files, FILTER_FILE, false, NULL);
    register_callback(plugin, PLUGIN_ATTRIBUTES, register_exclude, NULL);
}

const char *filter_add(const char *regexp, enum filter_subject subject, bool include)
{
    static const char *const names[2][2] = {{"exclude", "exclude-function"},
                                            {"include", "include-function"}};

    return add_rule(&rules, regexp, subject, include,
                    names[include][subject == FILTER_FUNCTION]);
}

const char *filter_add_watch(const char *regexp, enum filter_subject subject)
{
    return add_rule(&watch_rules, regexp, subject, true,
                    subject == FILTER_FUNCTION ? "stopwatch" : "stopwatch-file");
}

// Returns false with -fgnu-tm: a transaction may contain no asm statement, and it may
// execute its calls twice (GCC: trans-mem.cc, expand_block_tm).
bool filter_watches_any(void)
{
    return watch_rules.count > 0 && !flag_tm;
}

static bool is_marked_excluded(tree node)
{
    tree list = TYPE_P(node)   ? TYPE_ATTRIBUTES(node)
                : DECL_P(node) ? DECL_ATTRIBUTES(node)
                               : NULL_TREE;
    return lookup_attribute(EXCLUDE, list);
}

// Returns true if the function, or a class or function around it, has the attribute.
static bool is_excluded_in_source(tree function)
{
    for (tree node = function; node && TREE_CODE(node) != TRANSLATION_UNIT_DECL;
         node = get_containing_scope(node))
        if (is_marked_excluded(node))
            return true;
    return false;
}

void filter_prepare(tree function)
{
    function = DECL_ORIGIN(function);
    if (!is_marked_excluded(function) && is_excluded_in_source(function))
        DECL_ATTRIBUTES(function) =
            tree_cons(get_identifier(EXCLUDE), NULL_TREE, DECL_ATTRIBUTES(function));
}

static bool has_function_rules(const struct rule_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->all[i].subject == FILTER_FUNCTION)
            return true;
    return false;
}

static bool rule_matches(const struct rule *rule, const char *file, const char *name)
{
    const char *subject = rule->subject == FILTER_FILE ? file : name;
    return subject && !regexec(&rule->regexp, subject, 0, NULL, 0);
}

// Returns the last rule that matches, or NULL.
static const struct rule *find_rule(const struct rule_list *list, const char *file,
                                    const char *name)
{
    for (size_t i = list->count; i > 0; i--)
        if (rule_matches(&list->all[i - 1], file, name))
            return &list->all[i - 1];
    return NULL;
}

static const struct rule *find_by_file(struct rule_list *list, const char *file)
{
    bool known;

    if (!file)
        return NULL;
    if (!list->of_files)
        list->of_files = new hash_map<const char *, const struct rule *>;
    const struct rule *&found = list->of_files->get_or_insert(file, &known);
    if (!known)
        found = find_rule(list, names_of_file(file), NULL);
    return found;
}

static const struct rule *find_rule(struct rule_list *list, tree function)
{
    const char *file = expand_location(DECL_SOURCE_LOCATION(function)).file;

    if (!has_function_rules(list))
        return find_by_file(list, file);
    char *name = names_of_function(function);
    const struct rule *found = find_rule(list, names_of_file(file), name);
    free(name);
    return found;
}

// The end of the names of resolvers that GCC itself makes (GCC:
// config/i386/i386-features.cc, make_resolver_func). GCC makes them after find_early has
// run.
#define RESOLVER_SUFFIX ".resolver"

static bool is_marked_early(const_tree function)
{
    return lookup_attribute(EARLY, DECL_ATTRIBUTES(function));
}

static bool is_gcc_resolver(const_tree function)
{
    const char *name = DECL_NAME(function) ? IDENTIFIER_POINTER(DECL_NAME(function)) : "";
    size_t length = strlen(name), end = strlen(RESOLVER_SUFFIX);

    return DECL_ARTIFICIAL(function) && length > end &&
           !strcmp(name + length - end, RESOLVER_SUFFIX);
}

// Gives the attribute to the function and to all functions of this unit that it calls,
// directly or indirectly.
static void mark_early(cgraph_node *node)
{
    node = node->ultimate_alias_target();
    if (!node->definition || is_marked_early(node->decl))
        return;
    DECL_ATTRIBUTES(node->decl) =
        tree_cons(get_identifier(EARLY), NULL_TREE, DECL_ATTRIBUTES(node->decl));
    for (cgraph_edge *call = node->callees; call; call = call->next_callee)
        mark_early(call->callee);
}

static void find_early(void *, void *)
{
    cgraph_node *node;

    FOR_EACH_FUNCTION (node)
        if (node->alias && node->ifunc_resolver)
            mark_early(node);
}

void filter_register_early(const char *plugin)
{
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, find_early, NULL);
}

static bool is_early(const_tree function)
{
    return is_marked_early(function) || is_gcc_resolver(function);
}

bool filter_forbids_code(const_tree function)
{
    return is_early(function) || lookup_attribute("naked", DECL_ATTRIBUTES(function));
}

// Returns true if the plugin adds code to functions: counters, stores into the field, or
// stopwatches.
static bool adds_code(void)
{
    return options_measures(CCPROF_KIND_COUNT | CCPROF_KIND_ALLOC | CCPROF_KIND_FIELD) ||
           filter_watches_any();
}

bool filter_wants(tree function)
{
    function = DECL_ORIGIN(function);
    if (adds_code() && is_early(function))
        return false;
    const struct rule *rule = find_rule(&rules, function);
    return (!rule || rule->include) && !is_excluded_in_source(function);
}

bool filter_watches(tree function)
{
    typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, bool> answers_map;
    static answers_map *answers; // by DECL_UID
    bool known;

    if (!filter_watches_any())
        return false;
    if (!answers)
        answers = new answers_map;
    function = DECL_ORIGIN(function);
    bool &answer = answers->get_or_insert(DECL_UID(function), &known);
    if (!known)
        answer = find_rule(&watch_rules, function) && filter_wants(function);
    return answer;
}

// Marks the patterns that match. A pattern counts as matched even if a later rule decides
// about the function.
static void match_rules(const struct rule_list *list, const char *file, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        unsigned number = list->all[i].pattern;
        if (number && !record.patterns[number - 1].matches &&
            rule_matches(&list->all[i], file, name))
            filter_pattern_matched(number);
    }
}

static void match_functions(void)
{
    cgraph_node *node;

    FOR_EACH_DEFINED_FUNCTION (node) {
        tree function = DECL_ORIGIN(node->decl);
        const char *file =
            names_of_file(expand_location(DECL_SOURCE_LOCATION(function)).file);
        char *name = names_of_function(function);
        match_rules(&rules, file, name);
        match_rules(&watch_rules, file, name);
        free(name);
    }
}

// Calls PUT with each string of the table that is known before functions are compiled.
static void for_each_string(void (*put)(const char *text))
{
    for (size_t i = 0; i < record.count; i++) {
        char *text = concat(CCPROF_ASKED_PATTERN, record.patterns[i].text, NULL);
        put(text);
        free(text);
        if (!record.patterns[i].matches)
            continue;
        text = concat(CCPROF_ASKED_MET, record.patterns[i].text, NULL);
        put(text);
        free(text);
    }
    if (record.is_for_lto)
        put(CCPROF_ASKED_LTO);
}

// With -flto the assembly file of the compilation is not linked. So the table is an asm
// statement of the unit, which LTO streams and the link prints, with or without the
// plugin.
static struct obstack statement;

static void put_in_statement(const char *text)
{
    obstack_grow(&statement, "\n\t.string\t\"", 11);
    for (; *text; text++) {
        char octal[5];
        int length = snprintf(octal, sizeof octal, "\\%03o", (unsigned char)*text);
        obstack_grow(&statement, ISALNUM(*text) ? text : octal,
                     ISALNUM(*text) ? 1 : length);
    }
    obstack_1grow(&statement, '"');
}

static void add_statement(void)
{
    char push[100];

    obstack_init(&statement);
    snprintf(push, sizeof push, "\t.pushsection\t%s,\"MS\"," TYPE_OPERAND_FMT ",1",
             CCPROF_SECTION_ASKED, "progbits");
    obstack_grow(&statement, push, strlen(push));
    for_each_string(put_in_statement);
    obstack_grow0(&statement, "\n\t.popsection", 13);
    const char *text = (const char *)obstack_finish(&statement);
    symtab->finalize_toplevel_asm(build_string(strlen(text), text));
    obstack_free(&statement, NULL);
}

static void record_unit(void *, void *)
{
    if (in_lto_p || seen_error())
        return;
    record.is_compiled = true;
    record.is_for_lto = flag_generate_lto;
    if (record.count)
        match_functions();
    if (record.is_for_lto)
        add_statement();
}

void filter_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, record_unit, NULL);
}

static void emit_allocators(void)
{
    for (size_t i = 0; i < record.allocator_count; i++) {
        char *text = concat(CCPROF_ASKED_LACKS, record.allocators[i], NULL);
        assembly_string(text);
        free(text);
    }
}

// Writes the table. A unit for LTO that also contains machine code (-ffat-lto-objects)
// has tables, and it has the asm statement.
void filter_emit(void)
{
    bool has_tables = in_lto_p || (record.is_for_lto && flag_fat_lto_objects);
    bool is_recorded = record.is_compiled && !record.is_for_lto && record.count;

    if (!has_tables && !is_recorded && !record.allocator_count)
        return;
    assembly_push_section(CCPROF_SECTION_ASKED, "MS", "progbits", "1");
    if (has_tables)
        assembly_string(CCPROF_ASKED_LINKED);
    else if (is_recorded)
        for_each_string(assembly_string);
    emit_allocators();
    assembly_pop_section();
}
