/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints -help: the list of options, the help of one option, and the columns and sort
   keys of its tables. */

#include "mlprof/base/buf.h"
#include "mlprof/options/options-inside.h"

#include <stdlib.h>
#include <string.h>

/* Columns of the help: the start of texts and the end of lines. In lists of a table's
   columns: the start of their names in data formats, and the start of their meanings. */
enum {
    HELP_COLUMN = 30,
    HELP_WIDTH = 78,
    HELP_INDENT = 6,
    HELP_ID = 16,
    HELP_MEANS = 34
};

static char *head_of(const struct options_entry *option)
{
    return buf_format("-%s%s%s%s", option->form == OPTIONS_TOGGLE ? "[no-]" : "",
                      option->name, option->argument ? " " : "",
                      option->argument ? option->argument : "");
}

static const char *const headings[TOPIC_ALL] = {
    [TOPIC_USED] = "Most used",
    [TOPIC_TABLE] = "The table",
    [TOPIC_DATA] = "Where its figures come from",
    [TOPIC_SOURCE] = "Source and addresses",
    [TOPIC_CALLS] = "Calls",
    [TOPIC_MEMORY] = "Memory",
    [TOPIC_REGIONS] = "Regions",
    [TOPIC_PROCESSES] = "Many processes and threads",
    [TOPIC_COMPARING] = "Comparing",
    [TOPIC_OTHERS] = "Formats of other programs",
    [TOPIC_LOOKS] = "How it looks",
    [TOPIC_ITSELF] = "mlprof itself",
};

static int by_use(const void *one, const void *other)
{
    const struct options_entry *const *a = one, *const *b = other;
    if ((*a)->topic != (*b)->topic)
        return (*a)->topic < (*b)->topic ? -1 : 1;
    return (*a)->use < (*b)->use ? -1 : (*a)->use > (*b)->use;
}

/* Prints an option with its argument after INDENT blanks. Breaks lines of more than MOST
   characters after a `|'. */
static void put_head(FILE *out, const char *head, int indent, size_t most)
{
    while (strlen(head) > most) {
        size_t length = most;
        while (length && head[length - 1] != '|')
            length--;
        if (!length)
            break;
        fprintf(out, "%*s%.*s\n", indent, "", (int)length, head);
        head += length;
        indent = HELP_INDENT;
        most = HELP_WIDTH - HELP_INDENT;
    }
    fprintf(out, "%*s%s\n", indent, "", head);
}

void options_print_help(FILE *out)
{
    fputs("usage: mlprof [option ...] [a.out] [mlmon.out|folder ...]\n"
          "       mlprof [option ...] [a.out] OLD ... -compare [b.out] NEW ...\n"
          "       mlprof -where FILE [ADDRESS ...]\n",
          out);
    BUF_OWN const struct options_entry **sorted =
        buf_alloc(options_count * sizeof *sorted);
    for (size_t i = 0; i < options_count; i++)
        sorted[i] = &options_table[i];
    BUF_SORT(sorted, options_count, by_use);
    for (size_t i = 0; i < options_count; i++) {
        if (i == 0 || sorted[i]->topic != sorted[i - 1]->topic)
            fprintf(out, "\n%s\n", headings[sorted[i]->topic]);
        BUF_OWN char *head = head_of(sorted[i]);
        if (strlen(head) + 4 > HELP_COLUMN) {
            put_head(out, head, 2, HELP_WIDTH - 1);
            fprintf(out, "%*s%s\n", HELP_COLUMN, "", sorted[i]->help);
        } else {
            fprintf(out, "  %-*s%s\n", HELP_COLUMN - 2, head, sorted[i]->help);
        }
    }
    fputs("\nmlprof -OPTION -help prints more about an option\n", out);
}

/* Prints TEXT in lines that start at COLUMN. The output is at AT, which is not before
   COLUMN. */
static void put_text(FILE *out, const char *text, int at, int column)
{
    for (size_t length; *text; text += length + (text[length] == ' ')) {
        length = strcspn(text, " ");
        if (at > column && at + 1 + (int)length > HELP_WIDTH)
            at = fprintf(out, "\n%*s", column, "") - 1;
        at += fprintf(out, "%s%.*s", at > column ? " " : "", (int)length, text);
    }
    putc('\n', out);
}

/* Prints `WHAT: WORDS' in lines that fit into a terminal. */
static void put_words(FILE *out, const char *what, const char *words)
{
    put_text(out, words, fprintf(out, "    %s:", what), 8);
}

/* Prints WHAT, followed by the columns of TABLE. If DATA, includes their names in
   data formats. */
static void put_columns(FILE *out, const char *what, const struct table_view *table,
                        bool data)
{
    fprintf(out, "    %s\n", what);
    for (const struct table_column *column = table->columns; table_is_column(column);
         column++) {
        const char *id = data ? column->id : NULL;
        if (!column->means || (!column->head && !id))
            continue;
        fprintf(out, "      %-*s%-*s", HELP_ID - 6, column->head ? column->head : "",
                HELP_MEANS - HELP_ID, id ? id : "");
        put_text(out, column->means, HELP_MEANS, HELP_MEANS);
    }
}

/* Prints the arguments of -sort that apply to TABLE, except the first, which is the
   default. */
static void put_sorts(FILE *out, const struct table_view *table)
{
    const struct options_entry *sort = options_find("sort", 4);
    const char *word;
    BUF_OWN char *words = NULL;
    size_t size, length;
    FILE *list = buf_open(&words, &size);
    for (unsigned number = 1; (word = options_word(sort, number, &length)); number++)
        if (table_sorts(table, number))
            fprintf(list, "%.*s ", (int)length, word);
    buf_close(list);
    if (*words)
        put_words(out, "ordered with -sort by", words);
}

/* Prints the columns of the option's tables. If the view has no data formats, prints
   only columns of the terminal. */
static void put_tables(FILE *out, const struct options_entry *option)
{
    const struct views_entry *view = option->view;
    bool data = !view || view->data[0].fill;
    put_sorts(out, option->tables[0]);
    put_columns(out,
                data ? "columns: on the terminal, with -csv and -json, what they are"
                     : "columns: on the terminal, what they are",
                option->tables[0], data);
    for (size_t i = 1; i < VIEWS_DATA_MOST && option->tables[i]; i++) {
        BUF_OWN char *what = buf_format("columns of %s", option->tables[i]->name);
        put_columns(out, what, option->tables[i], true);
    }
}

void options_print_one(FILE *out, const struct options_entry *option)
{
    BUF_OWN char *head = head_of(option);
    put_head(out, head, 0, HELP_WIDTH + 1);
    fprintf(out, "    %s\n", option->help);
    for (const char *line = option->details; line && *line;) {
        size_t length = strcspn(line, "\n");
        fprintf(out, "    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    /* A view whose word is not given is not shown. */
    if (option->argument && *option->argument == '{' && !option->view)
        fprintf(out, "    default: %.*s\n", (int)strcspn(option->argument + 1, "|}"),
                option->argument + 1);
    if (option->form == OPTIONS_TOGGLE)
        fprintf(out, "    default: -%s%s\n", option->enabled ? "" : "no-", option->name);
    for (const struct options_other *other = options_others; other->name; other++)
        if (strcmp(other->option, option->name) == 0)
            fprintf(out, "    -%s is -%s%s%s\n", other->name, option->name,
                    other->word ? " " : "", other->word ? other->word : "");
    if (option->against)
        put_words(out, "not with", option->against);
    const char *what;
    BUF_OWN char *words = options_effects(option, &what);
    if (words)
        put_words(out, what, words);
    if (option->tables[0])
        put_tables(out, option);
}
