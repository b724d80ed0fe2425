/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/options.h"
#include "mlprof/base/buf.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum form {
    FORM_ALLOCS,
    FORM_NAMES,
    FORM_SWITCH,
    FORM_COLUMN,
    FORM_PERCENT,
    FORM_LIST,
    FORM_TEXT,
    FORM_PATTERN,
    FORM_FLAG,
    FORM_HELP,
    FORM_VERSION
};

struct option {
    const char *name;
    const char *argument; /* as shown; NULL: it has none */
    const char *help;
    enum form form;
    size_t offset; /* of its field in struct options */
};

/* By name.  For a switch the default stands first, as in MLton.  Those of the formats
   come from export/.  */
static const struct option own[] = {
    {"allocs", "{site|type}", "list what was allocated, by site or by type", FORM_ALLOCS,
     offsetof(struct options, allocs)},
    {"arcs", "<re>", "list whom each call in matching functions called", FORM_PATTERN,
     offsetof(struct options, arcs)},
    {"artificial", "{false|true}", "show functions declared artificial: intrinsics",
     FORM_SWITCH, offsetof(struct options, artificial)},
    {"balance", "{true|false}", "tell what was sampled and what was not", FORM_SWITCH,
     offsetof(struct options, balance)},
    {"branch", "{false|true}", "show how often branches were taken", FORM_SWITCH,
     offsetof(struct options, branch)},
    {"call-graph", "<file>", "write the call-stack graph, as dot or a picture (.svg)",
     FORM_TEXT, offsetof(struct options, call_graph)},
    {"callees", "<re>", "list whom matching functions called", FORM_PATTERN,
     offsetof(struct options, callees)},
    {"callers", "<re>", "list who called matching functions", FORM_PATTERN,
     offsetof(struct options, callers)},
    {"flame", "<file>", "write the flame graph, a picture for a browser", FORM_TEXT,
     offsetof(struct options, flame)},
    {"graph-title", "<string>", "title of the call-stack graph or flame graph", FORM_TEXT,
     offsetof(struct options, graph_title)},
    {"gray", "{false|true}", "outline graph nodes in gray by their stack percentage",
     FORM_SWITCH, offsetof(struct options, gray)},
    {"help", NULL, "print this list", FORM_HELP, 0},
    {"list", "<re>", "list the source of matching functions, line by line", FORM_PATTERN,
     offsetof(struct options, list)},
    {"long-name", "{true|false}", "show long names of functions", FORM_SWITCH,
     offsetof(struct options, names.long_name)},
    {"mlmon", "<file>", "process the mlmon.out files listed in <file>", FORM_LIST, 0},
    {"names", "{plain|full}", "show names of functions without or with parameters",
     FORM_NAMES, offsetof(struct options, names.full_name)},
    {"prof", NULL, "print the table of prof(1): time, calls, time for each call",
     FORM_FLAG, offsetof(struct options, prof)},
    {"raw", "{false|true}", "show seconds beside percentages", FORM_SWITCH,
     offsetof(struct options, raw)},
    {"show-extern", "{false|true}", "show functions outside of profiled code",
     FORM_SWITCH, offsetof(struct options, show_extern)},
    {"show-line", "{false|true}", "show files and line numbers", FORM_SWITCH,
     offsetof(struct options, names.show_line)},
    {"skid", "{true|false}", "charge samples to the instruction that had just ended",
     FORM_SWITCH, offsetof(struct options, skid)},
    {"sort", "{cur|stack}", "order the table by this column", FORM_COLUMN,
     offsetof(struct options, by_stack)},
    {"thresh", "<x>", "show functions of at least x percent, 0 to 100", FORM_PERCENT,
     offsetof(struct options, thresh)},
    {"tolerant", "{false|true}", "report broken mlmon.out files and go on", FORM_SWITCH,
     offsetof(struct options, tolerant)},
    {"unprofile", "<re>", "charge matching functions to their callers", FORM_PATTERN,
     offsetof(struct options, unprofile)},
    {"version", NULL, "print the version", FORM_VERSION, 0},
    {"where", NULL, "tell what is at addresses of an executable", FORM_FLAG,
     offsetof(struct options, where)},
};

#define OWN (sizeof own / sizeof *own)

/* All, by name.  */
static struct option table[OWN + EXPORT_MOST];
static size_t count;

static int by_name(const void *one, const void *other)
{
    const struct option *a = one, *b = other;
    return strcmp(a->name, b->name);
}

static void fill_table(void)
{
    memcpy(table, own, sizeof own);
    count = OWN;
    for (size_t i = 0; i < export_format_count; i++)
        table[count++] = (struct option){.name = export_formats[i].name,
                                         .argument = "<file>",
                                         .help = export_formats[i].help,
                                         .form = FORM_TEXT,
                                         .offset = offsetof(struct options, exports) +
                                                   i * sizeof(const char *)};
    qsort(table, count, sizeof *table, by_name);
}

static void print_usage(FILE *out)
{
    fputs("usage: mlprof [option ...] a.out [mlmon.out ...]\n"
          "       mlprof -where FILE [ADDRESS ...]\n",
          out);
    for (size_t i = 0; i < count; i++) {
        char *head = buf_format("-%s%s%s", table[i].name, table[i].argument ? " " : "",
                                table[i].argument ? table[i].argument : "");
        fprintf(out, "  %-27s %s\n", head, table[i].help);
        free(head);
    }
}

__attribute__((format(printf, 1, 2))) static _Noreturn void bad_usage(const char *format,
                                                                      ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("mlprof: ", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\nmlprof -help prints the options\n", stderr);
    exit(EXIT_FAILURE);
}

/* The option that WORD, which starts with a dash, is; NULL if there is none.  */
static const struct option *find(const char *word)
{
    const char *name = word + (strncmp(word, "--", 2) == 0 ? 2 : 1);
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

/* An option behind the executable, unless there is such a file.  */
static void check_operand(const char *word)
{
    if (word[0] == '-' && find(word) && access(word, F_OK) != 0)
        bad_usage("option %s comes too late: options stand before the executable", word);
}

static void *field_of(struct options *options, const struct option *option)
{
    return (char *)options + option->offset;
}

static void set_switch(struct options *options, const struct option *option,
                       const char *word)
{
    bool *field = field_of(options, option);
    if (strcmp(word, "true") == 0)
        *field = true;
    else if (strcmp(word, "false") == 0)
        *field = false;
    else
        bad_usage("option -%s takes true or false, not: %s", option->name, word);
}

static void set_column(struct options *options, const struct option *option,
                       const char *word)
{
    bool is_stack = strcmp(word, "stack") == 0;
    if (!is_stack && strcmp(word, "cur") != 0)
        bad_usage("option -%s takes cur or stack, not: %s", option->name, word);
    *(bool *)field_of(options, option) = is_stack;
}

static void set_allocs(struct options *options, const struct option *option,
                       const char *word)
{
    bool by_site = strcmp(word, "site") == 0;
    if (!by_site && strcmp(word, "type") != 0)
        bad_usage("option -%s takes site or type, not: %s", option->name, word);
    *(enum allocview_by *)field_of(options, option) =
        by_site ? ALLOCVIEW_SITE : ALLOCVIEW_TYPE;
}

static void set_percent(struct options *options, const struct option *option,
                        const char *word)
{
    char *end;
    double value = strtod(word, &end);
    bool number = isdigit((unsigned char)word[0]) || word[0] == '.';
    if (!number || *end || !isfinite(value) || value < 0 || value > 100)
        bad_usage("option -%s takes a number from 0 to 100, not: %s", option->name, word);
    *(double *)field_of(options, option) = value;
}

static void set_names(struct options *options, const struct option *option,
                      const char *word)
{
    bool *field = field_of(options, option);
    if (strcmp(word, "plain") != 0 && strcmp(word, "full") != 0)
        bad_usage("option -%s takes plain or full, not: %s", option->name, word);
    *field = strcmp(word, "full") == 0;
}

static void set_pattern(struct options *options, const struct option *option,
                        const char *word)
{
    char *why = pattern_set(field_of(options, option), word);
    if (why)
        bad_usage("option -%s takes a regular expression, not: %s (%s)", option->name,
                  word, why);
}

static void add_list(struct options *options, const char *word)
{
    options->lists = buf_grow(options->lists, &options->list_capacity,
                              options->list_count + 1, sizeof *options->lists);
    options->lists[options->list_count++] = word;
}

/* Flushes stdout, which -help and -version have written to.  */
static _Noreturn void finish(void)
{
    exit(fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void apply(struct options *options, const struct option *option, const char *word)
{
    switch (option->form) {
    case FORM_SWITCH:
        set_switch(options, option, word);
        break;
    case FORM_ALLOCS:
        set_allocs(options, option, word);
        break;
    case FORM_NAMES:
        set_names(options, option, word);
        break;
    case FORM_COLUMN:
        set_column(options, option, word);
        break;
    case FORM_PERCENT:
        set_percent(options, option, word);
        break;
    case FORM_LIST:
        add_list(options, word);
        break;
    case FORM_TEXT:
        *(const char **)field_of(options, option) = word;
        break;
    case FORM_PATTERN:
        set_pattern(options, option, word);
        break;
    case FORM_FLAG:
        *(bool *)field_of(options, option) = true;
        break;
    case FORM_HELP:
        print_usage(stdout);
        finish();
    case FORM_VERSION:
        puts("mlprof (ccprof) " CCPROF_VERSION);
        finish();
    }
}

void options_parse(struct options *options, int argc, char **argv)
{
    *options = (struct options){.names.long_name = true, .balance = true, .skid = true};
    bool ended = false;
    int at = 1;
    fill_table();
    while (at < argc && argv[at][0] == '-') {
        const char *word = argv[at++];
        ended = strcmp(word, "--") == 0;
        if (ended)
            break;
        const struct option *option = find(word);
        if (!option)
            bad_usage("unknown option: %s", word);
        if (option->argument && at == argc)
            bad_usage("option -%s needs an argument: %s", option->name, option->argument);
        apply(options, option, option->argument ? argv[at++] : NULL);
    }
    options->operands = argv + at;
    options->operand_count = (size_t)(argc - at);
    if (options->operand_count == 0)
        bad_usage("no executable is named");
    for (size_t i = 1; !ended && i < options->operand_count; i++)
        check_operand(options->operands[i]);
}

void options_free(struct options *options)
{
    free(options->lists);
    pattern_free(&options->callers);
    pattern_free(&options->callees);
    pattern_free(&options->list);
    pattern_free(&options->unprofile);
    pattern_free(&options->arcs);
}
