/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses a budget line by line, and refuses a second limit for the same function. Keeps
   every line, so that budget-print.c can write the file again.  */

#include "mlprof/compare/budget.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/base/index.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

char *budget_word(struct runset_measure measure)
{
    const struct measure *of = measure.of;
    return measure.part == RUNSET_STACK ? buf_format("total-%s", of->word)
           : measure.part == RUNSET_OWN ? buf_copy(of->word)
           : of->blocks                 ? buf_copy(of->blocks)
                                        : buf_format("%s-blocks", of->word);
}

/* Sets *MEASURE to the next measure that a budget can have; the first one if its OF is
   NULL.  Returns false after the last one.  */
static bool next_measure(struct runset_measure *measure)
{
    bool first = !measure->of;
    const struct measure *m = first ? measure_all : measure->of;
    if (!first && measure->part == RUNSET_OWN && m->memory) {
        measure->part = RUNSET_BLOCKS;
        return true;
    }
    if (!first && measure->part != RUNSET_STACK) {
        measure->part = RUNSET_STACK;
        return true;
    }
    for (m += !first; m->word && (m->sampled || m->derived); m++)
        ;
    *measure = (struct runset_measure){m, RUNSET_OWN};
    return m->word;
}

static bool find_measure(const char *word, struct runset_measure *found)
{
    *found = (struct runset_measure){0};
    while (next_measure(found)) {
        BUF_OWN char *own = budget_word(*found);
        if (strcmp(own, word) == 0)
            return true;
    }
    return false;
}

/* Returns the measures of a budget, without those that only add up called functions.
   The caller frees the text.  */
static char *list_measures(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    const char *between = "";
    for (struct runset_measure m = {0}; next_measure(&m);) {
        if (m.part == RUNSET_STACK || (m.part == RUNSET_BLOCKS && !m.of->blocks))
            continue;
        BUF_OWN char *word = budget_word(m);
        fprintf(out, "%s%s", between, word);
        between = ", ";
    }
    buf_close(out);
    return text;
}

/* The state of the parser.  AT is the rest of the line, which ends with a NUL.  */
struct parser {
    const char *path;
    unsigned long number;
    char *at;
    struct fault *fault;
    /* Finds a second limit for the same function: TEXTS are subjects and files.  */
    struct intern texts;
    struct index limits;
    unsigned long *numbers; /* line of each limit */
    size_t number_count, number_capacity;
};

static bool wrong(const struct parser *parser, const char *format, const char *what)
{
    BUF_OWN char *why = buf_format(format, what);
    fault_set(parser->fault, FAULT_GARBLED, parser->path, "line %lu: %s", parser->number,
              why);
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Returns the next word, which is terminated by a NUL.  */
static char *next_word(struct parser *parser)
{
    char *word = parser->at + strspn(parser->at, " \t");
    char *end = word + strcspn(word, " \t");
    parser->at = end + (*end != '\0');
    *end = '\0';
    return word;
}

/* Splits TEXT, the rest of a line, into the subject and the comment.  */
static void split_comment(char *text, struct budget_line *line)
{
    for (char *at = text; *at; at++)
        if (*at == '#' && (at == text || is_blank(at[-1]))) {
            line->comment = buf_copy(at);
            *at = '\0';
            break;
        }
    for (size_t length = strlen(text); length && is_blank(text[length - 1]);)
        text[--length] = '\0';
}

/* Sets the subject of LINE, as in a file.  NAME, which becomes the line's, is the
   function.  Returns an error message, which the caller frees, or NULL.  */
static char *set_subject(struct budget_line *line, char *name, char *file)
{
    line->shown = buf_copy(name);
    line->name = name;
    line->file = file;
    line->subject = strcmp(name, "total") == 0 ? BUDGET_TOTAL : BUDGET_NAME;
    bool each = text_begins(name, "each /");
    if (!each && *name != '/')
        return NULL;
    size_t start = each ? strlen("each /") : 1, length = strlen(name);
    if (length < start + 1 || name[length - 1] != '/')
        return buf_copy("a regular expression ends with /");
    line->subject = each ? BUDGET_EACH : BUDGET_PATTERN;
    line->name = buf_copy_prefix(name + start, length - start - 1);
    free(name);
    return pattern_set(&line->pattern, line->name);
}

static bool read_subject(struct parser *parser, struct budget_line *line)
{
    char *text = parser->at + strspn(parser->at, " \t");
    split_comment(text, line);
    if (!*text)
        return wrong(parser, "%s", "the function is missing");
    bool pattern = *text == '/' || text_begins(text, "each /");
    char *file = pattern ? NULL : strstr(text, "  ");
    if (file) {
        *file = '\0';
        file += 2;
        file += strspn(file, " \t");
    }
    BUF_OWN char *why = set_subject(line, buf_copy(text), file ? buf_copy(file) : NULL);
    return !why || wrong(parser, "%s", why);
}

static bool read_measure(struct parser *parser, struct budget_line *line,
                         const char *word)
{
    if (!*word || *word == '#')
        return wrong(parser, "%s", "the measure and the function are missing");
    line->word = buf_copy(word);
    if (find_measure(word, &line->measure))
        return true;
    const struct measure *any = measure_of_word(word, false);
    if (any && any->sampled)
        return wrong(parser, "%s is sampled, so a limit would fail by chance", word);
    BUF_OWN char *measures = list_measures();
    BUF_OWN char *known = buf_format("unknown measure %s: %s", word, measures);
    return wrong(parser, "%s", known);
}

static bool read_line(struct parser *parser, struct budget_line *line)
{
    line->kind = BUDGET_LIMIT;
    line->limit = buf_copy(next_word(parser));
    char *word = next_word(parser);
    line->measured = *word >= '0' && *word <= '9';
    if (line->measured) {
        const char *at = word, *why = budget_read_count(&at, &line->value);
        if (why || *at)
            return wrong(parser, "the measured value: %s",
                         why ? why : "it is not a whole number");
    }
    if (line->measured || strcmp(word, "-") == 0)
        word = next_word(parser);
    if (!read_measure(parser, line, word))
        return false;
    const char *why = budget_read_limit(line);
    if (why) {
        BUF_OWN char *about = buf_format("the limit %s: %s", line->limit, why);
        return wrong(parser, "%s", about);
    }
    return read_subject(parser, line);
}

/* Refuses a second limit for the same function.  */
static bool check_duplicate(struct parser *parser, const struct budget_line *line)
{
    bool fresh;
    uint32_t shown = intern_put(&parser->texts, line->shown),
             file = line->file ? intern_put(&parser->texts, line->file) : UINT32_MAX,
             limit = index_put(&parser->limits, shown, file,
                               (size_t)(line->measure.of - measure_all) << 2 |
                                   line->measure.part,
                               &fresh);
    if (fresh) {
        BUF_NEXT(parser->numbers, parser->number_count, parser->number_capacity) =
            parser->number;
        return true;
    }
    BUF_OWN char *first = buf_format("line %lu has a limit of %s for %s, too",
                                     parser->numbers[limit], line->word, line->shown);
    return wrong(parser, "%s", first);
}

static bool is_utf8(const char *text)
{
    for (size_t length; *text; text += length)
        if ((length = utf8_length(text)) == 0)
            return false;
    return true;
}

static bool parse_line(struct parser *parser, struct budget *budget, const char *text)
{
    struct budget_line *line = &BUF_NEXT(budget->lines, budget->count, budget->capacity);
    *line = (struct budget_line){.number = parser->number};
    size_t blanks = strspn(text, " \t");
    if (!is_utf8(text))
        return wrong(parser, "%s", "this is not UTF-8");
    if (!text[blanks] || text[blanks] == '#') {
        line->text = buf_copy(text);
        return true;
    }
    if (!budget->compiler && text_begins(text, "compiler ")) {
        line->kind = BUDGET_COMPILER;
        line->text = buf_copy(text);
        budget->compiler = buf_copy(text + strlen("compiler "));
        return true;
    }
    return read_line(parser, line) && check_duplicate(parser, line);
}

static bool check_start(const struct parser *parser, const char *text)
{
    char *end;
    unsigned long version = strtoul(text + strlen(BUDGET_START), &end, 10);
    if (*end || version == 0)
        return wrong(parser, "%s", "it should be `" BUDGET_START "1'");
    return version <= BUDGET_VERSION ||
           fault_set(parser->fault, FAULT_VERSION, parser->path,
                     "a budget of version %lu, which this mlprof cannot read", version);
}

bool budget_parse(struct budget *budget, const char *path, const char *text, size_t size,
                  struct fault *fault)
{
    struct parser parser = {.path = path, .fault = fault};
    bool good = true;
    for (const char *at = text, *end = text + size; good && at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline ? newline : end) - at), kept = length;
        if (length && at[length - 1] == '\r')
            kept--;
        BUF_OWN char *line = buf_copy_prefix(at, kept);
        parser.number++;
        parser.at = line;
        good = strlen(line) < kept  ? wrong(&parser, "%s", "it contains a NUL")
               : parser.number == 1 ? check_start(&parser, line)
                                    : parse_line(&parser, budget, line);
        at += length + 1;
    }
    intern_free(&parser.texts);
    index_free(&parser.limits);
    free(parser.numbers);
    return good;
}

struct budget_line *budget_add_limit(struct budget *budget, size_t at, const char *limit,
                                     struct runset_measure measure, char *name,
                                     char *file)
{
    budget->lines = buf_grow(budget->lines, &budget->capacity, budget->count + 1,
                             sizeof *budget->lines);
    struct budget_line *line = &budget->lines[at];
    memmove(line + 1, line, (budget->count++ - at) * sizeof *line);
    *line = (struct budget_line){.kind = BUDGET_LIMIT,
                                 .limit = buf_copy(limit),
                                 .word = budget_word(measure),
                                 .measure = measure,
                                 .selected = true};
    free(set_subject(line, name, file));
    budget_read_limit(line);
    return line;
}

static void free_line(struct budget_line *line)
{
    free(line->text);
    free(line->limit);
    free(line->word);
    pattern_free(&line->pattern);
    free(line->shown);
    free(line->name);
    free(line->file);
    free(line->comment);
}

void budget_free(struct budget *budget)
{
    for (size_t i = 0; i < budget->count; i++)
        free_line(&budget->lines[i]);
    free(budget->lines);
    free(budget->compiler);
    memset(budget, 0, sizeof *budget);
}
