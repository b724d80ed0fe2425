/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/base/save.h"
#include "mlprof/options/inputs.h"
#include "mlprof/options/options-inside.h"

#include <stdlib.h>
#include <string.h>

/* What is asked for.  */
struct asked {
    unsigned views;    /* that have something to show */
    const bool *given; /* by option */
};

/* The file of an option that writes one.  */
static const char *file_of(const struct options *options,
                           const struct options_entry *option)
{
    return *(const char *const *)((const char *)options + option->offset);
}

/* The views that an option asks for with the words that it was given.  */
static unsigned views_of(const struct options *options,
                         const struct options_entry *option)
{
    if (option->is != (OPTIONS_ALLOCS | OPTIONS_PATHS))
        return option->is;
    return options->allocs == ALLOCVIEW_PATH ? OPTIONS_PATHS : OPTIONS_ALLOCS;
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
    struct asked asked = {.given = given};
    bool output = false;
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *option = &options_table[i];
        if (!given[i])
            continue;
        asked.views |= views_of(options, option);
        output |= option->form == OPTIONS_OUTPUT && !(option->is & OPTIONS_ALONE) &&
                  save_is_output(file_of(options, option));
    }
    if (!asked.views && are_folders(options))
        asked.views = OPTIONS_PROGRAMS;
    else if (output)
        asked.views &= ~(unsigned)OPTIONS_PRINTED;
    else if (!(asked.views & (OPTIONS_PRINTED | OPTIONS_ALONE)))
        asked.views |= options->by ? OPTIONS_GROUPS : OPTIONS_TABLE;
    /* Files beside these tell of them; a page of them has titles and source texts.  */
    if (asked.views & OPTIONS_ALONE)
        asked.views &=
            OPTIONS_ALONE | (EXPORT_TEXTS | EXPORT_TITLE) * (unsigned)OPTIONS_FORMATS;
    return asked;
}

/* Prints NAME as the next of a list in which LEFT are left after it.  */
static void print_next(FILE *out, const char *name, size_t *count, size_t left,
                       const char *last)
{
    const char *between = *count == 0 ? "" : left ? ", " : last;
    fprintf(out, "%s%s", between, name);
    ++*count;
}

/* The options that ask for one of VIEWS, `-a, -b or -c' with OR between the last; only
   those GIVEN if that is not NULL.  To be freed.  */
static char *name_options(unsigned views, const bool *given, const char *last)
{
    char *text = NULL;
    size_t size, count = 0, left = 0;
    FILE *out = buf_open(&text, &size);
    for (size_t i = 0; i < options_count; i++)
        left += (options_table[i].is & views) && (!given || given[i]);
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *option = &options_table[i];
        if (!(option->is & views) || (given && !given[i]))
            continue;
        bool paths = !given && (option->is & views) == OPTIONS_PATHS;
        char *name = buf_format("-%s%s", option->name, paths ? " path" : "");
        print_next(out, name, &count, --left, last);
        free(name);
    }
    buf_close(out);
    return text;
}

/* An option without an effect on VIEWS, some of what is asked for.  */
static char *no_effect(const struct options_entry *option, const struct asked *asked,
                       unsigned views)
{
    bool never_table = !(option->acts & (OPTIONS_TABLE | OPTIONS_GROUPS));
    char *text, *names;
    if (!(option->acts & asked->views) && never_table && !option->is) {
        names = name_options(option->acts, NULL, " or ");
        text = buf_format("option -%s needs %s", option->name, names);
    } else {
        names = views & OPTIONS_PROGRAMS ? buf_copy("a folder alone: name a program")
                : views & OPTIONS_GROUPS ? buf_copy("-by")
                                         : name_options(views, asked->given, " and ");
        text = buf_format("option -%s has no effect with %s", option->name, names);
    }
    free(names);
    return text;
}

/* The views that are asked for and that an option has no effect on; those that stand in
   one command beside others that it has one on are no fault unless it selects.  */
static unsigned views_missed(const struct options *options,
                             const struct options_entry *option,
                             const struct asked *asked)
{
    unsigned missed = 0;
    if (option->acts & asked->views && !option->selects)
        return 0;
    for (size_t i = 0; i < options_count; i++) {
        unsigned views = asked->given[i] ? views_of(options, &options_table[i]) : 0;
        views &= asked->views;
        if (asked->views & OPTIONS_ALONE)
            views &= OPTIONS_ALONE;
        if (views && !(views & option->acts))
            missed |= views;
    }
    unsigned table = asked->views & (OPTIONS_TABLE | OPTIONS_GROUPS | OPTIONS_PROGRAMS);
    return table & option->acts ? missed : missed | table;
}

static char *check_effect(const struct options *options,
                          const struct options_entry *option, const struct asked *asked)
{
    unsigned missed = option->acts ? views_missed(options, option, asked) : 0;
    return missed ? no_effect(option, asked, missed) : NULL;
}

/* NAME is one of the words of LIST.  */
static bool is_in(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static bool both_write(const struct options *options, const struct options_entry *one,
                       const struct options_entry *other)
{
    if (one->form != OPTIONS_OUTPUT || other->form != OPTIONS_OUTPUT)
        return false;
    const char *file = file_of(options, one);
    return !save_is_output(file) && strcmp(file, file_of(options, other)) == 0;
}

/* A file, or what is printed of regions, that tells of what the other option asks for. */
static bool tells_of(const struct options_entry *one, const struct options_entry *other)
{
    return (one->is & EXPORT_COMPARED * OPTIONS_FORMATS &&
            other->is & (OPTIONS_COMPARE | OPTIONS_GROWTH)) ||
           (one->is & (OPTIONS_REGIONS | OPTIONS_HISTOGRAM) &&
            other->is & OPTIONS_COMPARE) ||
           (one->is & EXPORT_GATED * OPTIONS_FORMATS && other->is & OPTIONS_GATE);
}

static char *check_pair(const struct options *options, const struct options_entry *one,
                        const struct options_entry *other)
{
    bool alone = one->is && other->is && (one->is | other->is) & OPTIONS_ALONE &&
                 !tells_of(one, other) && !tells_of(other, one);
    if (alone || (one->against && is_in(one->against, other->name)) ||
        (other->against && is_in(other->against, one->name)))
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
            wrong = check_effect(options, &options_table[i], &asked);
    for (size_t i = 0; !wrong && i < options_count; i++)
        if (given[i])
            wrong = check_output(options, &options_table[i]);
    return wrong;
}

bool options_lists_programs(const struct options *options, const bool *given)
{
    return find_asked(options, given).views & OPTIONS_PROGRAMS;
}

/* An option stands for its view; the table, which none asks for, for itself.  */
static bool acts_on(const struct options_entry *option, const struct options_entry *view)
{
    return view->is & option->acts;
}

/* The views that an option has an effect on, or if these are most, the others.  */
static char *list_views(const struct options_entry *option, const char **what)
{
    char *on = NULL, *but = NULL;
    size_t size, acted = 0, missed = 0;
    FILE *yes = buf_open(&on, &size), *no = buf_open(&but, &size);
    fputs("table ", option->acts & OPTIONS_TABLE ? yes : no);
    fputs("by ", option->acts & OPTIONS_GROUPS ? yes : no);
    fputs("folder ", option->acts & OPTIONS_PROGRAMS ? yes : no);
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *view = &options_table[i];
        bool acts = acts_on(option, view);
        if (!view->is)
            continue;
        fprintf(acts ? yes : no, "%s ", view->name);
        acted += acts;
        missed += !acts;
    }
    buf_close(yes);
    buf_close(no);
    bool most = missed && missed < acted;
    *what = most ? "has no effect on" : "has an effect on";
    char *words = buf_copy(missed == 0 ? "all" : most ? but : on);
    free(on);
    free(but);
    return words;
}

static char *list_options(const struct options_entry *view)
{
    char *words = NULL;
    size_t size;
    FILE *list = buf_open(&words, &size);
    for (size_t i = 0; i < options_count; i++)
        if (!options_table[i].is && acts_on(&options_table[i], view))
            fprintf(list, "%s ", options_table[i].name);
    buf_close(list);
    return words;
}

char *options_effects(const struct options_entry *option, const char **what)
{
    *what = "goes by";
    return option->is     ? list_options(option)
           : option->acts ? list_views(option, what)
                          : NULL;
}
