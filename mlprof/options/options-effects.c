/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/base/save.h"
#include "mlprof/options/inputs.h"
#include "mlprof/options/options-inside.h"

#include <stdlib.h>
#include <string.h>

/* What is asked for.  */
struct asked {
    const struct options *options;
    const bool *given;          /* by option */
    bool alone;                 /* something is shown in place of all views */
    bool printed;               /* views are printed: no file is standard output */
    struct options_entry table; /* of what is shown though no option asks for it; all
                                   zero: nothing is */
};

/* The file of an option that writes one.  */
static const char *file_of(const struct options *options,
                           const struct options_entry *option)
{
    return *(const char *const *)((const char *)options + option->offset);
}

/* What an option asks for, as the option that is named like it; NULL: nothing.  */
static const struct options_entry *shown_by(const struct options_entry *option)
{
    if (option->asks)
        return options_find(option->asks, strlen(option->asks));
    return option->shows ? option : NULL;
}

/* The table of the functions, or that of -by.  */
static struct options_entry table_entry(const struct views_entry *view)
{
    return (struct options_entry){.name = view->name,
                                  .shows = OPTIONS_PRINTED,
                                  .goes_by = view->goes_by,
                                  .view = view};
}

/* No program stands before them, nor a data file.  */
static bool are_folders(const struct options *options)
{
    for (size_t i = 0; i < options->operand_count; i++)
        if (!inputs_is_folder(options->operands[i]))
            return false;
    return options->operand_count;
}

/* A table is printed if nothing is that takes its place: that of the programs, if there
   are but folders and no file is asked for, either; nothing is if a file is standard
   output.  */
static struct asked find_asked(const struct options *options, const bool *given)
{
    struct asked asked = {.options = options, .given = given, .printed = true};
    bool any = false, views = false;
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *option = &options_table[i];
        const struct options_entry *shown = given[i] ? shown_by(option) : NULL;
        if (!shown)
            continue;
        any = true;
        views |= shown->shows == OPTIONS_PRINTED;
        asked.alone |= shown->shows == OPTIONS_ALONE;
        if (option->form == OPTIONS_OUTPUT && shown->shows == OPTIONS_WRITTEN &&
            save_is_output(file_of(options, option)))
            asked.printed = false;
    }
    if (!any && are_folders(options)) {
        asked.table = options_folder;
        asked.alone = true;
    } else if (asked.printed && !views && !asked.alone) {
        asked.table = table_entry(options->by ? &report_groups : &report_functions);
    }
    return asked;
}

/* The list of the programs in folders is shown: nothing is asked for.  */
static bool is_folder(const struct asked *asked)
{
    return asked->table.shows == OPTIONS_ALONE;
}

/* Whether something that an option asks for is shown.  Files beside what is shown alone
   tell of that; a page of it has titles and source texts.  */
static bool is_shown(const struct asked *asked, const struct options_entry *shown)
{
    if (asked->alone)
        return shown->shows == OPTIONS_ALONE || shown->goes_by_beside;
    return shown->shows != OPTIONS_PRINTED || asked->printed;
}

/* NAME is one of the words of LIST, which may be NULL; WORD, behind a colon there, is
   what else has to be so.  */
static bool is_in(const char *list, const char *name, const char **word)
{
    size_t length = strlen(name);
    *word = NULL;
    for (const char *at = list; at && (at = strstr(at, name)); at += length) {
        if (at != list && at[-1] != ' ')
            continue;
        if (at[length] == ':')
            *word = at + length + 1;
        if (at[length] == ':' || at[length] == ' ' || !at[length])
            return true;
    }
    return false;
}

static bool is_named(const char *list, const char *name)
{
    const char *word;
    return is_in(list, name, &word);
}

/* WORD is what the option of a choice is given.  */
static bool is_chosen(const struct options *options, const struct options_entry *option,
                      const char *word)
{
    unsigned choice = options_asked(options, option->view)->choice;
    size_t length;
    const char *chosen = options_word(option, choice - option->first, &length);
    return strcspn(word, " ") == length && strncmp(chosen, word, length) == 0;
}

/* An option has an effect on something shown, if it is given the word that is put into
   WORD, NULL where any will do.  */
static bool can_act(const struct options_entry *option, const struct options_entry *shown,
                    const char *goes_by, const char **word)
{
    const struct options_entry *own = shown_by(option);
    bool data = option->view && option->view->data[0].table;
    return is_in(goes_by, option->name, word) ||
           (own && (own == shown || is_named(own->beside, shown->name))) ||
           (shown->of_table && data) ||
           (strcmp(option->name, "sort") == 0 && shown->view && shown->view->columns &&
            table_sorts(shown->view->columns, 0));
}

/* The same where nothing stands beside what is shown, whatever the word.  */
static bool can_act_alone(const struct options_entry *option,
                          const struct options_entry *shown)
{
    const char *word;
    return can_act(option, shown, shown->goes_by, &word);
}

/* The same of what is asked for.  */
static bool acts(const struct asked *asked, const struct options_entry *option,
                 const struct options_entry *shown)
{
    bool beside = asked->alone && shown->shows == OPTIONS_WRITTEN;
    const char *word;
    return can_act(option, shown, beside ? shown->goes_by_beside : shown->goes_by,
                   &word) &&
           (!word || is_chosen(asked->options, shown, word));
}

/* Prints NAME as the next of a list in which LEFT are left after it.  */
static void print_next(FILE *out, const char *name, size_t *count, size_t left,
                       const char *last)
{
    const char *between = *count == 0 ? "" : left ? ", " : last;
    fprintf(out, "%s%s", between, name);
    ++*count;
}

/* The options that are NAMED, by number, `-a, -b or -c' with OR between the last; each
   with the word that OPTION needs there, unless that is NULL.  To be freed.  */
static char *name_options(const bool *named, const struct options_entry *option,
                          const char *last)
{
    char *text = NULL;
    size_t size, count = 0, left = 0;
    FILE *out = buf_open(&text, &size);
    for (size_t i = 0; i < options_count; i++)
        left += named[i];
    for (size_t i = 0; i < options_count; i++) {
        if (!named[i])
            continue;
        const char *word = NULL;
        if (option)
            is_in(shown_by(&options_table[i])->goes_by, option->name, &word);
        char *name = word ? buf_format("-%s %.*s", options_table[i].name,
                                       (int)strcspn(word, " "), word)
                          : buf_format("-%s", options_table[i].name);
        print_next(out, name, &count, --left, last);
        free(name);
    }
    buf_close(out);
    return text;
}

/* What would have to be asked for, so that an option has an effect.  To be freed.  */
static char *needs(const struct options_entry *option)
{
    bool *named = buf_alloc(options_count * sizeof *named);
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *shown = shown_by(&options_table[i]);
        named[i] = shown && can_act_alone(option, shown);
    }
    char *names = name_options(named, option, " or ");
    char *text = buf_format("option -%s needs %s", option->name, names);
    free(names);
    free(named);
    return text;
}

/* What is asked for and an option has no effect on: by option that asks for it, and
   whether it is the table.  What stands in one command beside what the option has an
   effect on is no fault unless the option selects.  False: there is none.  */
static bool find_missed(const struct asked *asked, const struct options_entry *option,
                        bool *missed, bool *table, bool *acted)
{
    bool any = *table = asked->table.name && !acts(asked, option, &asked->table);
    *acted = asked->table.name && !*table;
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *shown =
            asked->given[i] ? shown_by(&options_table[i]) : NULL;
        missed[i] = false;
        if (!shown || !is_shown(asked, shown))
            continue;
        bool has = acts(asked, option, shown);
        *acted |= has;
        missed[i] = !has && (!asked->alone || shown->shows == OPTIONS_ALONE);
        any |= missed[i];
    }
    return any && (option->selects || !*acted);
}

/* An option without an effect on some of what is asked for; NULL: it has one.  To be
   freed.  */
static char *check_effect(const struct asked *asked, const struct options_entry *option)
{
    bool *missed = buf_alloc(options_count * sizeof *missed);
    bool table, acted;
    char *text = NULL;
    if (find_missed(asked, option, missed, &table, &acted)) {
        const struct options_entry tables[] = {table_entry(&report_functions),
                                               table_entry(&report_groups)};
        bool of_tables =
            can_act_alone(option, &tables[0]) || can_act_alone(option, &tables[1]);
        if (!acted && !of_tables && !shown_by(option)) {
            text = needs(option);
        } else {
            bool by = table && asked->table.view == &report_groups;
            char *names = table && is_folder(asked)
                              ? buf_copy("a folder alone: name a program")
                          : by ? buf_copy("-by")
                               : name_options(missed, NULL, " and ");
            text = buf_format("option -%s has no effect with %s", option->name, names);
            free(names);
        }
    }
    free(missed);
    return text;
}

static bool both_write(const struct options *options, const struct options_entry *one,
                       const struct options_entry *other)
{
    if (one->form != OPTIONS_OUTPUT || other->form != OPTIONS_OUTPUT)
        return false;
    const char *file = file_of(options, one);
    return !save_is_output(file) && strcmp(file, file_of(options, other)) == 0;
}

static char *check_pair(const struct options *options, const struct options_entry *one,
                        const struct options_entry *other)
{
    const struct options_entry *first = shown_by(one), *second = shown_by(other);
    bool alone = first && second &&
                 (first->shows == OPTIONS_ALONE || second->shows == OPTIONS_ALONE) &&
                 !is_named(first->beside, second->name) &&
                 !is_named(second->beside, first->name);
    if (alone || is_named(one->against, other->name) ||
        is_named(other->against, one->name))
        return buf_format("options -%s and -%s cannot be given together", one->name,
                          other->name);
    if (both_write(options, one, other))
        return buf_format("options -%s and -%s name the same file: %s", one->name,
                          other->name, file_of(options, one));
    return NULL;
}

/* A word that was meant to be an input is not written over.  */
static char *check_output(const struct options *options,
                          const struct options_entry *option)
{
    if (option->form != OPTIONS_OUTPUT)
        return NULL;
    const char *path = file_of(options, option);
    bool is_data = inputs_is_data(path);
    if (!is_data && !inputs_is_executable(path))
        return NULL;
    return buf_format("option -%s takes the file to be written, and %s is %s; remove it "
                      "first if that is meant",
                      option->name, path, is_data ? "a data file" : "an executable");
}

char *options_check(const struct options *options, const bool *given)
{
    const struct asked asked = find_asked(options, given);
    char *wrong = NULL;
    for (size_t i = 0; i < options_count; i++)
        for (size_t j = i + 1; !wrong && given[i] && j < options_count; j++)
            if (given[j])
                wrong = check_pair(options, &options_table[i], &options_table[j]);
    for (size_t i = 0; !wrong && i < options_count; i++)
        if (given[i])
            wrong = check_effect(&asked, &options_table[i]);
    for (size_t i = 0; !wrong && i < options_count; i++)
        if (given[i])
            wrong = check_output(options, &options_table[i]);
    return wrong;
}

bool options_lists_programs(const struct options *options, const bool *given)
{
    const struct asked asked = find_asked(options, given);
    return is_folder(&asked);
}

/* What an option has an effect on, or if this is most, the others.  */
static char *list_shown(const struct options_entry *option, const char **what)
{
    const struct options_entry untitled[] = {table_entry(&report_functions),
                                             table_entry(&report_groups), options_folder};
    char *on = NULL, *but = NULL;
    size_t size, acted = 0, missed = 0;
    FILE *yes = buf_open(&on, &size), *no = buf_open(&but, &size);
    for (size_t i = 0; i < sizeof untitled / sizeof *untitled; i++) {
        bool act = can_act_alone(option, &untitled[i]);
        fprintf(act ? yes : no, "%s ", untitled[i].name);
    }
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *shown = shown_by(&options_table[i]);
        if (!shown)
            continue;
        bool act = can_act_alone(option, shown);
        fprintf(act ? yes : no, "%s ", options_table[i].name);
        acted += act;
        missed += !act;
    }
    buf_close(yes);
    buf_close(no);
    bool most = missed && missed < acted;
    *what = most ? "has no effect on" : "has an effect on";
    char *words = buf_copy(missed == 0 ? "all" : most ? but : on);
    free(on);
    free(but);
    if (!acted) {
        free(words);
        return NULL;
    }
    return words;
}

static char *list_options(const struct options_entry *shown)
{
    char *words = NULL;
    size_t size;
    FILE *list = buf_open(&words, &size);
    for (size_t i = 0; i < options_count; i++)
        if (!shown_by(&options_table[i]) && can_act_alone(&options_table[i], shown))
            fprintf(list, "%s ", options_table[i].name);
    buf_close(list);
    return words;
}

char *options_effects(const struct options_entry *option, const char **what)
{
    const struct options_entry *shown = shown_by(option);
    *what = "goes by";
    return shown ? list_options(shown) : list_shown(option, what);
}
