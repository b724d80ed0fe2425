/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the command line. Finds an option by its name or by its name in other
   profilers. If the option does not exist, finds the options with the most similar
   names. */

#include "mlprof/options/options.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/fault.h"
#include "mlprof/options/options-inside.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether NAME starts with `no-' and is not only this. */
static bool is_negated(const char *name, size_t length)
{
    return length > 3 && strncmp(name, "no-", 3) == 0;
}

/* Returns the option that has NAME as its name or as another name, or NULL if there is
   none. Sets *WORD to the argument that the name implies, or to NULL. -NAME and
   -no-NAME imply true and false. */
static const struct options_entry *options_find_called(const char *name, size_t length,
                                                       const char **word)
{
    *word = NULL;
    for (const struct options_other *other = options_others; other->name; other++)
        if (strncmp(other->name, name, length) == 0 && !other->name[length]) {
            *word = other->word;
            return options_find(other->option, strlen(other->option));
        }
    bool negated = is_negated(name, length);
    const struct options_entry *option =
        negated ? options_find(name + 3, length - 3) : options_find(name, length);
    if (option && option->form == OPTIONS_TOGGLE)
        *word = negated ? "false" : "true";
    return *word || !negated ? option : NULL;
}

/* Returns the number of changes from the LENGTH bytes at A to B. A change replaces,
   inserts or removes a letter, or swaps two neighbours: the optimal string alignment
   distance (Damerau). */
static size_t distance(const char *a, size_t length, const char *b)
{
    enum { MOST = 32 };
    size_t rows[3][MOST + 1], width = strlen(b);
    if (length > MOST || width > MOST)
        return MOST;
    for (size_t j = 0; j <= width; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3],
               *higher = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            size_t least = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < least)
                least = above[j] + 1;
            if (row[j - 1] + 1 < least)
                least = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                higher[j - 2] + 1 < least)
                least = higher[j - 2] + 1;
            row[j] = least;
        }
    }
    return rows[length % 3][width];
}

/* Returns the maximum number of changes for a misspelt name of LENGTH bytes. */
static size_t changes_allowed(size_t length)
{
    return length < 3 ? 0 : length < 6 ? 1 : length < 9 ? 2 : 3;
}

/* Returns the names most similar to NAME, which has LENGTH bytes, as `-a, -b or -c'.
   The caller frees the text. Returns NULL if no name is similar. */
static char *options_nearest(const char *name, size_t length)
{
    enum { MOST = 4 };
    const char *nearest[MOST];
    bool negated = is_negated(name, length);
    name += negated ? 3 : 0;
    length -= negated ? 3 : 0;
    size_t count = 0, least = changes_allowed(length), others = 0;
    while (!negated && options_others[others].name)
        others++;
    for (size_t i = 0; i < options_count + others; i++) {
        const char *other = i < options_count ? options_table[i].name
                                              : options_others[i - options_count].name;
        if (negated && options_table[i].form != OPTIONS_TOGGLE)
            continue;
        bool begins = length >= 3 && strncmp(other, name, length) == 0;
        size_t changes = begins ? 0 : distance(name, length, other);
        if (changes > least)
            continue;
        if (changes < least)
            count = 0;
        least = changes;
        if (count < MOST)
            nearest[count++] = other;
    }
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s-%s%s",
                i == 0           ? ""
                : i + 1 == count ? " or "
                                 : ", ",
                negated ? "no-" : "", nearest[i]);
    return buf_close_text(out, &text);
}

/* The state while the command line is read. */
struct parser {
    struct options *options;
    char **words;
    size_t count, next; /* number of words; index of the next word */
    bool *given;        /* indexed by entry of the table */
};

__attribute__((format(printf, 1, 2))) static _Noreturn void bad_usage(const char *format,
                                                                      ...)
{
    va_list arguments;
    va_start(arguments, format);
    fault_message_list(format, arguments);
    va_end(arguments);
    fputs("mlprof -help prints the options\n", stderr);
    exit(EXIT_FAILURE);
}

/* Returns the option name in WORD, which starts with a dash, and sets *LENGTH to its
   length. */
static const char *name_in(const char *word, size_t *length)
{
    const char *name = word + (strncmp(word, "--", 2) == 0 ? 2 : 1);
    *length = strcspn(name, "=");
    return name;
}

static void *field_of(struct options *options, const struct options_entry *option)
{
    return (char *)options + option->offset;
}

static void set_switch(void *field, const struct options_entry *option, const char *word)
{
    bool is_true = strcmp(word, "true") == 0;
    if (!is_true && strcmp(word, "false") != 0)
        bad_usage("option -%s takes true or false, not: %s", option->name, word);
    *(bool *)field = is_true;
}

/* Returns the words of {a|b|c} as `a, b or c'. The caller frees the text. */
static char *enumerate(const char *argument)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    for (const char *word = argument + 1; *word;) {
        size_t length = strcspn(word, "|}");
        const char *next = word + length + 1;
        fprintf(out, "%.*s", (int)length, word);
        if (word[length] == '}')
            break;
        fputs(next[strcspn(next, "|}")] == '}' ? " or " : ", ", out);
        word = next;
    }
    buf_close(out);
    return text;
}

#define NO_WORD UINT_MAX

/* Returns the number of WORD, from 0, among the words that OPTION accepts, or NO_WORD. */
static unsigned number_of_word(const struct options_entry *option, const char *word)
{
    unsigned number = 0;
    size_t length = strlen(word), width;
    const char *choice;
    while ((choice = options_word(option, number, &width)) &&
           (width != length || strncmp(choice, word, length) != 0))
        number++;
    return choice ? number : NO_WORD;
}

/* Sets FIELD, a bool or an enum, to NUMBER, counted from the first word of OPTION. */
static void set_number(void *field, const struct options_entry *option, unsigned number)
{
    number += option->first;
    if (option->size == sizeof(bool))
        *(bool *)field = number != 0;
    else
        memcpy(field, &number, sizeof number);
}

static void set_choice(void *field, const struct options_entry *option, const char *word)
{
    unsigned number = number_of_word(option, word);
    char *why = option->parse ? option->parse(field, word) : NULL;
    bool wrong = option->parse ? why != NULL : number == NO_WORD;
    if (why && *why)
        bad_usage("option -%s does not take %s%s", option->name, word, why);
    free(why);
    if (wrong)
        bad_usage("option -%s takes %s, not: %s", option->name,
                  enumerate(option->argument), word);
    if (!option->parse)
        set_number(field, option, number);
}

static double number_of(const struct options_entry *option, const char *word)
{
    char *end;
    double value = strtod(word, &end);
    bool number = isdigit((unsigned char)word[0]) || word[0] == '.';
    if (!number || *end || !isfinite(value) || value < option->least ||
        value > option->most || (option->whole && floor(value) < value))
        bad_usage("option -%s takes a %snumber from %.15g to %.15g, not: %s",
                  option->name, option->whole ? "whole " : "", option->least,
                  option->most, word);
    return value;
}

/* Adds a division of the operands. WORD is NULL for an option without argument. */
static void divide(const struct parser *parser, const struct options_entry *option,
                   const char *word)
{
    struct options_divisions *divisions = field_of(parser->options, option);
    BUF_NEXT(divisions->division, divisions->count, divisions->capacity) =
        (struct options_division){.operand = parser->options->operand_count,
                                  .compare = !word,
                                  .size = word ? number_of(option, word) : 0};
}

static void add_word(const struct parser *parser, struct options_words *words,
                     const char *word)
{
    BUF_AT(words->part, words->count, words->part_capacity) =
        parser->options->divisions.count;
    BUF_NEXT(words->word, words->count, words->capacity) = word;
}

static void set_parsed(void *field, const struct options_entry *option, const char *word)
{
    char *why = option->parse(field, word);
    if (why)
        bad_usage("option -%s takes %s, not: %s (%s)", option->name, option->takes, word,
                  why);
}

/* Exits after -help or -version, which have written to stdout. */
static _Noreturn void finish(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        exit(EXIT_SUCCESS);
    fprintf(stderr, "mlprof: standard output: %s\n", strerror(errno));
    exit(EXIT_FAILURE);
}

/* Prints the help of the option NAME, without dashes, and exits. If NAME is NULL,
   prints the help of all options. */
static _Noreturn void help(const char *name)
{
    const char *word;
    const struct options_entry *option =
        name ? options_find_called(name, strlen(name), &word) : NULL;
    if (option)
        options_print_one(stdout, option);
    else if (name)
        bad_usage("-help: there is no option -%s", name);
    else
        options_print_help(stdout);
    finish();
}

/* Prints the help of ARGUMENT and exits. If ARGUMENT is NULL and the next word is an
   option, prints the help of this option. Otherwise prints the help of all options. */
static _Noreturn void help_next(const struct parser *parser, const char *argument)
{
    size_t length;
    const char *next = parser->next < parser->count ? parser->words[parser->next] : "";
    if (!argument && *next == '-') {
        next = name_in(next, &length);
        const char *word;
        const struct options_entry *option = options_find_called(next, length, &word);
        if (option && !next[length])
            argument = option->name;
    }
    help(argument);
}

static void apply(struct parser *parser, const struct options_entry *option,
                  const char *word)
{
    void *field = field_of(parser->options, option);
    switch (option->form) {
    case OPTIONS_FLAG:
        *(bool *)field = true;
        break;
    case OPTIONS_SWITCH:
        set_switch(field, option, word);
        break;
    case OPTIONS_TOGGLE:
        set_number(field, option, strcmp(word, "true") == 0);
        break;
    case OPTIONS_CHOICE:
        set_choice(field, option, word);
        break;
    case OPTIONS_NUMBER:
        *(double *)field = number_of(option, word);
        break;
    case OPTIONS_TEXT:
    case OPTIONS_OUTPUT:
        *(const char **)field = word;
        break;
    case OPTIONS_WORDS:
        add_word(parser, field, word);
        break;
    case OPTIONS_DIVISION:
        divide(parser, option, word);
        break;
    case OPTIONS_PARSED:
        set_parsed(field, option, word);
        break;
    case OPTIONS_HELP:
        help_next(parser, word);
    case OPTIONS_VERSION:
        puts("mlprof (ccprof) " CCPROF_VERSION);
        finish();
    }
}

/* Exits with a message that there is no option NAME, which has LENGTH bytes in WORD. */
static _Noreturn void unknown(const char *word, const char *name, size_t length)
{
    for (const struct options_removed *old = options_removed; old->name; old++)
        if (strncmp(old->name, name, length) == 0 && !old->name[length])
            bad_usage("option -%s was removed: %s", old->name, old->instead);
    char *nearest = options_nearest(name, length);
    bad_usage("unknown option: %.*s%s%s%s", (int)(name + length - word), word,
              nearest ? "; did you mean " : "", nearest ? nearest : "",
              nearest ? "?" : "");
}

/* Returns the next word, the argument of OPTION. If there is none, exits with a
   message. */
static const char *next_word(struct parser *parser, const struct options_entry *option)
{
    const char *word =
        parser->next < parser->count ? parser->words[parser->next++] : NULL;
    if (!word)
        bad_usage("option -%s needs an argument: %s", option->name, option->argument);
    return word;
}

static bool help_follows(const struct parser *parser)
{
    const char *next = parser->next < parser->count ? parser->words[parser->next] : "",
               *implied;
    size_t length;
    if (*next != '-')
        return false;
    next = name_in(next, &length);
    return !next[length] && options_find_called(next, length, &implied) ==
                                options_find("help", strlen("help"));
}

/* Refuses the old spelling of a toggle, -NAME true or -NAME false. ARGUMENT is the text
   behind =, or NULL. */
static void check_spelling(const struct parser *parser,
                           const struct options_entry *option, const char *argument)
{
    const char *next = parser->next < parser->count ? parser->words[parser->next] : "";
    const char *word = argument ? argument : next;
    bool on = strcmp(word, "true") == 0;
    if (on || strcmp(word, "false") == 0)
        bad_usage("option -%s takes no argument: write -%s%s instead of -%s%s%s",
                  option->name, on ? "" : "no-", option->name, option->name,
                  argument ? "=" : " ", word);
}

/* Parses WORD, which starts with a dash. The option's argument follows after = or is
   the next word. */
static void parse_option(struct parser *parser, const char *word)
{
    size_t length;
    const char *name = name_in(word, &length), *implied;
    const struct options_entry *option = options_find_called(name, length, &implied);
    if (!option)
        unknown(word, name, length);
    const char *argument = name[length] == '=' ? name + length + 1 : NULL;
    if (option->form == OPTIONS_TOGGLE && !is_negated(name, length))
        check_spelling(parser, option, argument);
    if (argument && (implied || !option->argument) && option->form != OPTIONS_HELP)
        bad_usage("option -%.*s takes no argument, not: %s", (int)length, name, argument);
    if (!argument && option->form != OPTIONS_HELP && help_follows(parser))
        help(option->name);
    if (implied)
        argument = implied;
    else if (!argument && option->argument)
        argument = next_word(parser, option);
    const struct options_entry *rest =
        option->rest ? options_find(option->rest, strlen(option->rest)) : NULL;
    if (rest && number_of_word(rest, argument) != NO_WORD)
        option = rest;
    apply(parser, option, argument);
    parser->given[option - options_table] = true;
}

/* The patterns of options were already compiled once, so compiling them cannot fail
   here. */
static void add_name(struct options *options, const struct pattern *pattern)
{
    if (pattern->text)
        free(patterns_add(&options->named, pattern->text));
}

static void add_names(struct options *options, const struct patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        add_name(options, &patterns->list[i]);
}

static void add_named(struct options *options)
{
    add_names(options, &options->filter.focus);
    add_names(options, &options->split);
    for (size_t i = 0; i < options->keep.count; i++)
        add_name(options, &options->keep.expressions[i].pattern);
    for (size_t i = 0; i < VIEWS_MOST; i++)
        add_name(options, &options->views[i].pattern);
}

void options_parse(struct options *options, int argc, char **argv)
{
    *options =
        (struct options){.names = {.long_name = true, .form = NAMES_USUAL}, .top = -1};
    options_fill_table();
    for (size_t i = 0; i < options_count; i++)
        if (options_table[i].form == OPTIONS_TOGGLE &&
            options_table[i].size == sizeof(bool))
            set_number(field_of(options, &options_table[i]), &options_table[i],
                       options_table[i].enabled);
    struct parser parser = {.options = options,
                            .words = argv + 1,
                            .count = argc ? (size_t)argc - 1 : 0,
                            .given = buf_alloc(options_count * sizeof(bool))};
    options->operands = parser.words;
    bool ended = false;
    while (parser.next < parser.count) {
        char *word = parser.words[parser.next++];
        if (ended || word[0] != '-') {
            options->operands[options->operand_count++] = word;
        } else if (strcmp(word, "--") == 0) {
            ended = true;
        } else {
            parse_option(&parser, word);
        }
    }
    char *wrong = options_check(options, parser.given);
    if (wrong)
        bad_usage("%s", wrong);
    free(parser.given);
    if (options->divisions.count &&
        views_is_requested(options_request(options, &listing_entry))) {
        if (options->rows_key)
            bad_usage("options -by and -list cannot be given together");
        options->rows_key = ROWS_LINES;
    }
    if (options->names.form == NAMES_USUAL)
        options->names.form =
            options->layout == OPTIONS_MLTON ? NAMES_PLAIN : NAMES_READABLE;
    if (options->show_extern == OPTIONS_EXTERN_USUAL && options->layout == OPTIONS_MLTON)
        options->show_extern = OPTIONS_NO_EXTERN;
    add_named(options);
    if (options->where && options->operand_count == 0)
        bad_usage("no executable is named");
}

size_t options_top(const struct options *options)
{
    if (options->top < 0)
        return options->layout == OPTIONS_MLTON ? 0 : TABLE_FITS;
    return (size_t)options->top;
}

void options_free(struct options *options)
{
    struct patterns *patterns[] = {&options->filter.focus,  &options->filter.hide,
                                   &options->filter.ignore, &options->split,
                                   &options->libraries,     &options->named};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        patterns_free(patterns[i]);
    for (size_t i = 0; i < VIEWS_MOST; i++)
        pattern_free(&options->views[i].pattern);
    pattern_free(&options->unprofile);
    formula_free(&options->formula);
    keep_free(&options->keep);
    source_paths_free(&options->sources);
    weights_free(&options->weights);
    free(options->divisions.division);
    free(options->lists.word);
    free(options->lists.part);
    fault_clear(&options->no_data);
}
