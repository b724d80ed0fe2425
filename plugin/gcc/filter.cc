// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/asked.h"
#include "plugin/gcc/filter.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/untouched.h"

#include <regex.h>

#define ATTRIBUTE "ccprof_exclude"

namespace
{
struct rule {
    regex_t regexp;
    enum filter_subject subject;
    bool include;
    unsigned asked; // its number there, 0: nobody asked for it
};
} // namespace

namespace
{
struct rule_list {
    struct rule *all;
    size_t count, room;
    // GCC keeps one string for a file, and most functions are in few.
    hash_map<const char *, const struct rule *> *of_files;
};
} // namespace

static struct rule_list rules, watches;

// The files of the program's calls to its profiler (rt/ccprof.h), of which nobody wants
// to hear.
static const char own[] = "(^|/)ccprof\\.(h|f90)$";

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
    ATTRIBUTE, 0, 0, false, false, false, false, handle_attribute, NULL};

static void register_attribute_of_ours(void *, void *)
{
    register_attribute(&attribute);
}

static const char *add(struct rule_list *to, const char *regexp,
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
    rule->asked = name ? asked_add(name, regexp) : 0;
    to->count++;
    return NULL;
}

void filter_start(const char *plugin)
{
    add(&rules, own, FILTER_FILE, false, NULL);
    register_callback(plugin, PLUGIN_ATTRIBUTES, register_attribute_of_ours, NULL);
}

const char *filter_add(const char *regexp, enum filter_subject subject, bool include)
{
    static const char *const names[2][2] = {{"exclude", "exclude-function"},
                                            {"include", "include-function"}};

    return add(&rules, regexp, subject, include,
               names[include][subject == FILTER_FUNCTION]);
}

const char *filter_add_watch(const char *regexp, enum filter_subject subject)
{
    return add(&watches, regexp, subject, true,
               subject == FILTER_FUNCTION ? "stopwatch" : "stopwatch-file");
}

// A transaction may hold no asm statement, and may run its calls again (GCC:
// trans-mem.cc, expand_block_tm).
bool filter_watches_any(void)
{
    return watches.count > 0 && !flag_tm;
}

static bool has_attribute(tree node)
{
    tree list = TYPE_P(node)   ? TYPE_ATTRIBUTES(node)
                : DECL_P(node) ? DECL_ATTRIBUTES(node)
                               : NULL_TREE;
    return lookup_attribute(ATTRIBUTE, list);
}

// On the function itself or on a class or function around it.
static bool is_excluded_in_source(tree function)
{
    for (tree node = function; node && TREE_CODE(node) != TRANSLATION_UNIT_DECL;
         node = get_containing_scope(node))
        if (has_attribute(node))
            return true;
    return false;
}

void filter_prepare(tree function)
{
    function = DECL_ORIGIN(function);
    if (!has_attribute(function) && is_excluded_in_source(function))
        DECL_ATTRIBUTES(function) =
            tree_cons(get_identifier(ATTRIBUTE), NULL_TREE, DECL_ATTRIBUTES(function));
}

static bool has_function_rules(const struct rule_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->all[i].subject == FILTER_FUNCTION)
            return true;
    return false;
}

static bool matches(const struct rule *rule, const char *file, const char *name)
{
    const char *subject = rule->subject == FILTER_FILE ? file : name;
    return subject && !regexec(&rule->regexp, subject, 0, NULL, 0);
}

// The last rule that matches; NULL: none does.
static const struct rule *find(const struct rule_list *list, const char *file,
                               const char *name)
{
    for (size_t i = list->count; i > 0; i--)
        if (matches(&list->all[i - 1], file, name))
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
        found = find(list, names_of_file(file), NULL);
    return found;
}

static const struct rule *find(struct rule_list *list, tree function)
{
    const char *file = expand_location(DECL_SOURCE_LOCATION(function)).file;

    if (!has_function_rules(list))
        return find_by_file(list, file);
    char *name = names_of_function(function);
    const struct rule *found = find(list, names_of_file(file), name);
    free(name);
    return found;
}

// Whichever decides.
static void meet(struct rule_list *list, const char *file, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (!asked_is_met(list->all[i].asked) && matches(&list->all[i], file, name))
            asked_meet(list->all[i].asked);
}

void filter_meet(void)
{
    cgraph_node *node;

    FOR_EACH_DEFINED_FUNCTION (node) {
        tree function = DECL_ORIGIN(node->decl);
        const char *file =
            names_of_file(expand_location(DECL_SOURCE_LOCATION(function)).file);
        char *name = names_of_function(function);
        meet(&rules, file, name);
        meet(&watches, file, name);
        free(name);
    }
}

// Whether what is profiled is touched.
static bool adds_code(void)
{
    return options_measures(CCPROF_KIND_COUNT | CCPROF_KIND_ALLOC | CCPROF_KIND_FIELD) ||
           filter_watches_any();
}

bool filter_wants(tree function)
{
    function = DECL_ORIGIN(function);
    if (adds_code() && untouched_is_early(function))
        return false;
    const struct rule *rule = find(&rules, function);
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
        answer = find(&watches, function) && filter_wants(function);
    return answer;
}
