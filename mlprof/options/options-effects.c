/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the output that the command line requests, and checks that each given option
   has an effect on it. Whether an option has an effect on an output follows from the
   option's entry, which names kinds of output (view/outputs.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/text.h"
#include "mlprof/options/inputs.h"
#include "mlprof/options/options-inside.h"
#include "mlprof/options/options.h"
#include "mlprof/rows/spread.h"

#include <stdlib.h>
#include <string.h>

/* The views, files and comparisons that the command line requests. */
struct requested {
    const struct options *options;
    const bool *given; /* by option */
    bool alone;        /* a command replaces all views */
    bool printed;      /* views are printed, because no file is standard output */
    struct options_entry table; /* the table shown by default; all zero: none */
};

/* Returns the name of the file that an option writes. */
static const char *file_of(const struct options *options,
                           const struct options_entry *option)
{
    return *(const char *const *)((const char *)options + option->offset);
}

/* Returns the option whose output OPTION requests: OPTION itself or another option.
   Returns NULL if OPTION requests no output. */
static const struct options_entry *shown_by(const struct options_entry *option)
{
    if (option->same_as)
        return options_find(option->same_as, strlen(option->same_as));
    return option->shows ? option : NULL;
}

/* Returns an entry for the table of functions or of -by, which have no option of their
   own. */
static struct options_entry table_entry(const struct views_entry *view)
{
    return (struct options_entry){
        .name = view->name, .shows = OPTIONS_PRINTED, .kind = view->kind, .view = view};
}

/* Returns whether there are operands and all of them are folders. */
static bool are_folders(const struct options *options)
{
    for (size_t i = 0; i < options->operand_count; i++)
        if (!inputs_is_folder(options->operands[i]))
            return false;
    return options->operand_count;
}

/* Finds the output that the command line requests. If no option requests printed
   output, a table is printed. If all operands are folders and nothing at all is
   requested, this is the list of programs. Otherwise it is the table of functions or
   of -by. If a requested file is standard output, nothing else is printed. */
static struct requested find_requested(const struct options *options, const bool *given)
{
    struct requested requested = {.options = options, .given = given, .printed = true};
    bool any = false, views = false;
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *option = &options_table[i];
        const struct options_entry *shown = given[i] ? shown_by(option) : NULL;
        if (!shown)
            continue;
        any = true;
        views |= shown->shows == OPTIONS_PRINTED;
        requested.alone |= shown->shows == OPTIONS_ALONE;
        if (option->form == OPTIONS_OUTPUT && shown->shows == OPTIONS_WRITTEN &&
            (shown->kind & OUTPUTS_FEEDBACK || save_is_output(file_of(options, option))))
            requested.printed = false;
    }
    if (!any && are_folders(options)) {
        requested.table = options_folder;
        requested.alone = true;
    } else if (requested.printed && !views && !requested.alone) {
        requested.table =
            table_entry(options->rows_key ? &groups_entry : &functions_entry);
    }
    return requested;
}

/* Returns whether the list of programs in folders is shown by default. */
static bool is_folder(const struct requested *requested)
{
    return requested->table.shows == OPTIONS_ALONE;
}

/* Returns whether the requested output SHOWN is shown. If a command replaces all
   views, the only other output is a page with a comparison (OUTPUTS_COMPARED). */
static bool is_shown(const struct requested *requested, const struct options_entry *shown)
{
    if (requested->alone)
        return shown->shows == OPTIONS_ALONE || shown->kind & OUTPUTS_COMPARED;
    return shown->shows != OPTIONS_PRINTED || requested->printed;
}

/* Returns whether OPTION can have an effect on SHOWN, as far as SHOWN has the kinds
   KIND. */
static bool can_act_on(const struct options_entry *option,
                       const struct options_entry *shown, outputs_set kind)
{
    const struct options_entry *output = shown_by(option);
    return output == shown || (output ? output : option)->affects & kind ||
           (option->orders && shown->view && shown->view->data[0].table &&
            table_sorts(shown->view->data[0].table, 0));
}

/* Returns whether OPTION can have an effect on SHOWN, which may have any argument, if
   no command replaces the views. */
static bool can_act(const struct options_entry *option, const struct options_entry *shown)
{
    return can_act_on(option, shown, shown->kind);
}

/* Returns whether OPTION has an effect on SHOWN with this command line. */
static bool acts(const struct requested *requested, const struct options_entry *option,
                 const struct options_entry *shown)
{
    outputs_set kind = requested->alone && shown->shows != OPTIONS_ALONE
                           ? shown->kind & OUTPUTS_COMPARED
                           : shown->kind;
    /* Rows by thread or process also keep their stacks apart. */
    enum rows_key rows_key = requested->options->rows_key;
    if ((rows_key == ROWS_THREADS || rows_key == ROWS_PROCESSES) &&
        strcmp("by", option->name) == 0 && shown->kind & OUTPUTS_STACKS)
        return true;
    return can_act_on(option, shown, kind) &&
           (!option->needed_key || requested->options->rows_key == option->needed_key);
}

/* Returns the names of the options that are NAMED (indexed by option), as `-a, -b or
   -c' if LAST is ` or '. The caller frees the text. */
static char *name_options(const bool *named, const char *last)
{
    char *text = NULL;
    size_t size, count = 0, number = 0;
    FILE *out = buf_open(&text, &size);
    for (size_t i = 0; i < options_count; i++)
        count += named[i];
    for (size_t i = 0; i < options_count; i++) {
        if (!named[i])
            continue;
        const char *between = number == 0 ? "" : number + 1 < count ? ", " : last;
        fprintf(out, "%s-%s", between, options_table[i].name);
        number++;
    }
    buf_close(out);
    return text;
}

/* Finds requested output on which OPTION has no effect: sets MISSED for each option
   that requests such output, and *TABLE for the default table. Sets *ACTED to whether
   OPTION has an effect on any output. Returns whether to report an error. It is an
   error if OPTION has no effect on some requested output, and OPTION either has no
   effect on any output, or selects functions or stacks. */
static bool find_missed(const struct requested *requested,
                        const struct options_entry *option, bool *missed, bool *table,
                        bool *acted)
{
    bool any = *table =
        requested->table.name && !acts(requested, option, &requested->table);
    *acted = requested->table.name && !*table;
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *shown =
            requested->given[i] ? shown_by(&options_table[i]) : NULL;
        missed[i] = false;
        if (!shown || !is_shown(requested, shown))
            continue;
        bool has = acts(requested, option, shown);
        *acted |= has;
        missed[i] = !has && (!requested->alone || shown->shows == OPTIONS_ALONE);
        any |= missed[i];
    }
    return any && (option->selects || !*acted);
}

/* Checks that OPTION has an effect on the requested output. Returns NULL or an error
   message, which the caller frees. If OPTION has no effect on any table, the message
   names the options that it needs. */
static char *check_effect(const struct requested *requested,
                          const struct options_entry *option)
{
    BUF_OWN bool *named = buf_alloc(options_count * sizeof *named);
    bool table, acted;
    if (!find_missed(requested, option, named, &table, &acted))
        return NULL;
    if (option->needed_key)
        return buf_format("option -%s needs -by path", option->name);
    const struct options_entry tables[] = {table_entry(&functions_entry),
                                           table_entry(&groups_entry)};
    bool needs = !acted && !shown_by(option) && !can_act(option, &tables[0]) &&
                 !can_act(option, &tables[1]);
    for (size_t i = 0; needs && i < options_count; i++) {
        const struct options_entry *shown = shown_by(&options_table[i]);
        named[i] = shown && can_act(option, shown);
    }
    BUF_OWN char *names =
        needs                           ? name_options(named, " or ")
        : table && is_folder(requested) ? buf_copy("only a folder: name a program")
        : table && requested->table.view == &groups_entry ? buf_copy("-by")
                                                          : name_options(named, " and ");
    return buf_format(
        "option -%s %s %s%s%s", option->name, needs ? "needs" : "has no effect with",
        names, option->because ? ": " : "", option->because ? option->because : "");
}

static bool both_write(const struct options *options, const struct options_entry *one,
                       const struct options_entry *other)
{
    if (one->form != OPTIONS_OUTPUT || other->form != OPTIONS_OUTPUT)
        return false;
    const char *file = file_of(options, one);
    return !save_is_output(file) && strcmp(file, file_of(options, other)) == 0;
}

/* If FIRST or SECOND is a comparison or growth, returns a colon and the option to use
   instead of the other one. Otherwise returns "". */
static const char *instead(const struct options_entry *first,
                           const struct options_entry *second)
{
    outputs_set kinds = first->kind | second->kind;
    if (!(kinds & OUTPUTS_COMPARISONS))
        return "";
    if (kinds & (OUTPUTS_BRANCHES | OUTPUTS_LINES))
        return ": -by line compares lines";
    if (kinds & OUTPUTS_TRAINED && kinds & OUTPUTS_COMPARISON)
        return ": -compare alone compares the times of both builds";
    if (!(kinds & (OUTPUTS_CALLS | OUTPUTS_PATH | OUTPUTS_GRAPH | OUTPUTS_FLAME)))
        return "";
    return kinds & OUTPUTS_GROWTH ? ": -measure total compares what is on the stack"
                                  : ": -html shows the changes by stack";
}

static bool excludes(const struct options_entry *one, const struct options_entry *other)
{
    return one->against && text_is_listed(one->against, other->name, strlen(other->name));
}

static char *check_pair(const struct options *options, const struct options_entry *one,
                        const struct options_entry *other)
{
    const struct options_entry *first = shown_by(one), *second = shown_by(other);
    bool alone = first && second &&
                 (first->shows == OPTIONS_ALONE || second->shows == OPTIONS_ALONE) &&
                 !(first->affects & second->kind) && !(second->affects & first->kind);
    if (alone || excludes(one, other) || excludes(other, one))
        return buf_format("options -%s and -%s cannot be given together%s", one->name,
                          other->name, alone ? instead(first, second) : "");
    if (both_write(options, one, other))
        return buf_format("options -%s and -%s name the same file: %s", one->name,
                          other->name, file_of(options, one));
    return NULL;
}

/* Refuses to overwrite a file that is probably an input. Returns NULL or an error
   message, which the caller frees. */
static char *check_output(const struct options *options,
                          const struct options_entry *option)
{
    if (option->form != OPTIONS_OUTPUT)
        return NULL;
    const char *path = file_of(options, option);
    bool updates = option->kind & OUTPUTS_BUDGET;
    /* With -pid, which -record needs, no data file is an input. */
    bool replaces = option->needs;
    const char *what = !replaces && inputs_is_data(path)    ? "a data file"
                       : inputs_is_executable(path)         ? "an executable"
                       : !updates && inputs_is_budget(path) ? "a budget"
                                                            : NULL;
    if (!what)
        return NULL;
    return buf_format("option -%s takes the file to be written, and %s is %s; remove it "
                      "first if that is meant",
                      option->name, path, what);
}

/* Checks the options that read the profile of a running process. Returns NULL or an
   error message, which the caller frees. */
static char *check_running(const struct options *options, const bool *given)
{
    for (size_t i = 0; i < options_count; i++) {
        const char *needs = given[i] ? options_table[i].needs : NULL;
        if (needs && !given[options_find(needs, strlen(needs)) - options_table])
            return buf_format("option -%s needs -%s", options_table[i].name, needs);
    }
    for (size_t i = 0; options->live && i < options_count; i++)
        if (given[i] && options_table[i].shows > OPTIONS_PRINTED)
            return buf_format("options -live and -%s cannot be given together",
                              options_table[i].name);
    if (options->live && options->operand_count)
        return buf_format("option -live reads the data of a process: leave out %s",
                          options->operands[0]);
    for (size_t i = 0; options->pid > 0 && i < options->operand_count; i++)
        if (i > 0 || inputs_is_data(options->operands[i]) ||
            inputs_is_folder(options->operands[i]))
            return buf_format("option -pid reads the data of a process: leave out %s",
                              options->operands[i]);
    if (options->record && save_is_output(options->record))
        return buf_copy("option -record takes a file: the report is written to standard "
                        "output");
    return NULL;
}

/* Refuses measures side by side if neither a table nor a file shows them. */
static char *check_beside(const struct requested *requested)
{
    bool shown = requested->table.name && !is_folder(requested);
    if (!requested->options->measure.beside)
        return NULL;
    for (size_t i = 0; i < options_count; i++)
        shown |= requested->given[i] && options_table[i].shows == OPTIONS_WRITTEN;
    return shown
               ? NULL
               : buf_copy("option -measure: only the table of functions and those of -by "
                          "show measures side by side");
}

/* Returns whether OPTION has an effect on some requested output of the kind SHOWS. */
static bool acts_on(const struct requested *requested, const struct options_entry *option,
                    enum options_shows shows)
{
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *shown =
            requested->given[i] ? shown_by(&options_table[i]) : NULL;
        if (shown && shown->shows == shows && acts(requested, option, shown))
            return true;
    }
    return false;
}

/* Returns whether only files are written, so that only their names are printed. This
   is true if neither a view is requested nor an option whose only effect is on the
   default table or on a command that replaces this table. */
static bool are_files_alone(const struct requested *requested)
{
    bool files = false;
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *option = &options_table[i];
        const struct options_entry *shown = requested->given[i] ? shown_by(option) : NULL;
        if (shown && shown->shows == OPTIONS_PRINTED)
            return false;
        files |= shown && shown->shows == OPTIONS_WRITTEN;
        if (requested->given[i] && !shown &&
            !acts_on(requested, option, OPTIONS_WRITTEN) &&
            (requested->alone
                 ? acts_on(requested, option, OPTIONS_ALONE)
                 : requested->table.name && acts(requested, option, &requested->table)))
            return false;
    }
    return files;
}

char *options_check(struct options *options, const bool *given)
{
    const struct requested requested = find_requested(options, given);
    char *wrong = NULL;
    for (size_t i = 0; i < options_count; i++)
        for (size_t j = i + 1; !wrong && given[i] && j < options_count; j++)
            if (given[j])
                wrong = check_pair(options, &options_table[i], &options_table[j]);
    if (!wrong)
        wrong = check_running(options, given);
    for (size_t i = 0; !wrong && i < options_count; i++)
        if (given[i])
            wrong = check_effect(&requested, &options_table[i]);
    for (size_t i = 0; !wrong && i < options_count; i++)
        if (given[i])
            wrong = check_output(options, &options_table[i]);
    options->programs = is_folder(&requested);
    options->files_alone = are_files_alone(&requested);
    return wrong ? wrong : check_beside(&requested);
}

/* Returns the names of the outputs on which OPTION has an effect. If these are more
   than half of all outputs, returns the names of all other outputs instead. *WHAT
   says which of the two lists is returned. The caller frees the text. Returns NULL
   if OPTION has no effect on any output. */
static char *list_shown(const struct options_entry *option, const char **what)
{
    const struct options_entry untitled[] = {table_entry(&functions_entry),
                                             table_entry(&groups_entry), options_folder};
    BUF_OWN char *on = NULL, *but = NULL;
    size_t size, acted = 0, missed = 0;
    FILE *yes = buf_open(&on, &size), *no = buf_open(&but, &size);
    for (size_t i = 0; i < sizeof untitled / sizeof *untitled; i++) {
        bool act = can_act(option, &untitled[i]);
        fprintf(act ? yes : no, "%s ", untitled[i].name);
    }
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *shown = shown_by(&options_table[i]);
        if (!shown)
            continue;
        bool act = can_act(option, shown);
        fprintf(act ? yes : no, "%s ", options_table[i].name);
        acted += act;
        missed += !act;
    }
    buf_close(yes);
    buf_close(no);
    bool most = missed && missed < acted;
    *what = most ? "has no effect on" : "has an effect on";
    return acted ? buf_copy(missed == 0 ? "all" : most ? but : on) : NULL;
}

static char *list_options(const struct options_entry *shown)
{
    char *words = NULL;
    size_t size;
    FILE *list = buf_open(&words, &size);
    for (size_t i = 0; i < options_count; i++)
        if (!shown_by(&options_table[i]) && can_act(&options_table[i], shown))
            fprintf(list, "%s ", options_table[i].name);
    buf_close(list);
    return words;
}

char *options_effects(const struct options_entry *option, const char **what)
{
    const struct options_entry *shown = shown_by(option);
    *what = "affected by";
    return shown ? list_options(shown) : list_shown(option, what);
}

/* What the command line requests from a view. Used by the rooms that show and
   evaluate views. */

const struct views_request *options_request(const struct options *options,
                                            const struct views_entry *view)
{
    size_t number = 0;
    while (views_all[number] != view)
        number++;
    return &options->views[number];
}

const struct measure *options_heap(const struct options *options)
{
    unsigned choice = options_request(options, &heapview_entry)->choice;
    return choice ? &measure_all[choice] : NULL;
}

bool options_has_measure(const struct options *options)
{
    return options->measure.measure || options->measure.column;
}

bool options_requests_measure(const struct options *options,
                              struct runset_measure measure)
{
    const struct options_measure *requested = &options->measure;
    enum runset_part part = requested->column == VIEW_STACK    ? RUNSET_STACK
                            : requested->column == VIEW_BLOCKS ? RUNSET_BLOCKS
                                                               : RUNSET_OWN;
    if (measure.base->kinds == MEASURE_KIND_WAIT)
        return !requested->measure || requested->measure == measure.base;
    return measure.part == part &&
           (requested->measure
                ? requested->measure == measure.base ||
                      (requested->measure->memory && measure_is_of_heap(measure.base))
                : part == RUNSET_STACK);
}

unsigned options_facts(const struct options *options)
{
    unsigned facts = 0;
    for (size_t i = 0; i < views_count; i++)
        if (views_is_requested(&options->views[i]))
            facts |= views_all[i]->facts;
    return facts;
}

enum spread_over options_load(const struct options *options)
{
    return options_request(options, &imbalance_entry)->choice;
}
