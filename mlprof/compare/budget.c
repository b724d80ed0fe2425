/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/budget.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
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

/* Units, and the powers by which they multiply.  */
struct number_unit {
    const char *name;
    uint64_t times;
    bool bytes; /* only for bytes */
};

static const struct number_unit units[] = {{"", 1, false},
                                           {"k", 1000, false},
                                           {"M", 1000000, false},
                                           {"G", 1000000000, false},
                                           {"T", 1000000000000, false},
                                           {"kB", 1000, true},
                                           {"MB", 1000000, true},
                                           {"GB", 1000000000, true},
                                           {"TB", 1000000000000, true},
                                           {"KiB", UINT64_C(1) << 10, true},
                                           {"MiB", UINT64_C(1) << 20, true},
                                           {"GiB", UINT64_C(1) << 30, true},
                                           {"TiB", UINT64_C(1) << 40, true}};

/* Maximum number of digits after the point.  */
#define FRACTION_MOST 6

/* Returns why the digits at *AT, with commas between groups of three, are wrong; NULL if
   they are right.  Sets *VALUE and moves *AT behind them.  */
static const char *read_digits(const char **at, uint64_t *value)
{
    const char *start = *at, *p = start;
    bool commas = false;
    size_t group = 0;
    *value = 0;
    for (; (*p >= '0' && *p <= '9') || *p == ','; p++) {
        if (*p == ',') {
            if (group > 3 || group == 0 || (commas && group != 3))
                return "a comma separates groups of three digits";
            commas = true;
            group = 0;
            continue;
        }
        group++;
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(*p - '0'), value))
            return "the number is too large";
    }
    *at = p;
    return p == start             ? "it is not a number"
           : commas && group != 3 ? "a comma separates groups of three digits"
                                  : NULL;
}

/* Like read_digits, for a number with a fraction: *FRACTION is in units of
   10 ^ -FRACTION_MOST.  */
static const char *read_number(const char **at, uint64_t *value, uint64_t *fraction)
{
    const char *why = read_digits(at, value);
    *fraction = 0;
    if (why || **at != '.')
        return why;
    size_t digits = strspn(*at + 1, "0123456789");
    if (digits == 0 || digits > FRACTION_MOST)
        return "there are one to six digits after a point";
    for (size_t i = 0; i < FRACTION_MOST; i++)
        *fraction = *fraction * 10 + (i < digits ? (uint64_t)((*at)[i + 1] - '0') : 0);
    *at += 1 + digits;
    return NULL;
}

/* Returns whether MEASURE is in bytes.  */
static bool is_of_bytes(struct runset_measure measure)
{
    return measure.of->memory && measure.part != RUNSET_BLOCKS;
}

/* Reads a plain number and its unit.  */
static const char *read_most(const char *at, struct budget_line *line)
{
    uint64_t value, fraction;
    const char *why = read_number(&at, &value, &fraction);
    const struct number_unit *unit = NULL;
    if (why)
        return why;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, at) == 0)
            unit = &units[i];
    if (strcmp(at, "%") == 0)
        return "a limit in percent begins with + or +-";
    if (!unit)
        return "the unit is not k, M, G, T, nor one of bytes: kB, KiB, MB, MiB ...";
    if (unit->bytes && !is_of_bytes(line->measure))
        return "this unit is for bytes";
    if (fraction && unit->times == 1)
        return "a fraction needs a unit";
    if (__builtin_mul_overflow(value, unit->times, &value) ||
        __builtin_add_overflow(value, fraction * unit->times / BUDGET_PERCENT, &value))
        return "the number is too large";
    line->amount = value;
    return NULL;
}

static const char *read_percent(const char *at, struct budget_line *line)
{
    uint64_t value, fraction;
    line->form = BUDGET_ABOVE;
    if (*at == '-') {
        line->form = BUDGET_WITHIN;
        at++;
    }
    const char *why = read_number(&at, &value, &fraction);
    if (why)
        return why;
    if (strcmp(at, "%") != 0)
        return "a limit that begins with + ends with %";
    if (value >= BUDGET_PERCENT_MOST)
        return "the number is too large";
    line->amount = value * BUDGET_PERCENT + fraction;
    return NULL;
}

/* Sets form and amount of LINE, whose measure is known, from its limit.  Returns why
   the limit is wrong, or NULL.  */
static const char *read_limit(struct budget_line *line)
{
    const char *limit = line->limit;
    if (strcmp(limit, "=") == 0) {
        line->form = BUDGET_WITHIN;
        return NULL;
    }
    return *limit == '+' ? read_percent(limit + 1, line) : read_most(limit, line);
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
        const char *at = word, *why = read_digits(&at, &line->value);
        if (why || *at)
            return wrong(parser, "the measured value: %s",
                         why ? why : "it is not a whole number");
    }
    if (line->measured || strcmp(word, "-") == 0)
        word = next_word(parser);
    if (!read_measure(parser, line, word))
        return false;
    const char *why = read_limit(line);
    if (why) {
        BUF_OWN char *about = buf_format("the limit %s: %s", line->limit, why);
        return wrong(parser, "%s", about);
    }
    return read_subject(parser, line);
}

static bool is_same(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

/* Refuses a second limit for the same function.  */
static bool check_duplicate(const struct parser *parser, const struct budget *budget,
                            const struct budget_line *line)
{
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *other = &budget->lines[i];
        if (other == line || other->kind != BUDGET_LIMIT ||
            other->subject != line->subject || !is_same(other->name, line->name) ||
            !is_same(other->file, line->file) ||
            !runset_is_same(other->measure, line->measure))
            continue;
        BUF_OWN char *first = buf_format("line %lu has a limit of %s for %s, too",
                                         other->number, line->word, line->shown);
        return wrong(parser, "%s", first);
    }
    return true;
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
    return read_line(parser, line) && check_duplicate(parser, budget, line);
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
    read_limit(line);
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

/* Returns the text of a limit's subject, which the caller frees.  */
static char *subject_text(const struct budget_line *line)
{
    return line->file ? buf_format("%s  %s", line->shown, line->file)
                      : buf_copy(line->shown);
}

/* The columns of limits, measured values and measures have at least these widths, so
   that lines rarely move when a number gets longer.  A comment begins at most
   SUBJECT_MOST columns after the start of the function.  */
enum { LIMIT_LEAST = 7, VALUE_LEAST = 17, WORD_LEAST = 12, SUBJECT_MOST = 40 };

static size_t greater(size_t one, size_t other)
{
    return one > other ? one : other;
}

/* Returns the width of the subjects with comments in the block of lines that contains
   the line AT.  A blank line ends a block.  */
static size_t subject_width(const struct budget *budget, size_t at)
{
    size_t width = 0, start = at;
    const struct budget_line *lines = budget->lines;
    while (start > 0 && (lines[start - 1].kind == BUDGET_LIMIT ||
                         lines[start - 1].text[strspn(lines[start - 1].text, " \t")]))
        start--;
    for (size_t i = start; i < budget->count; i++) {
        if (lines[i].kind == BUDGET_LIMIT && lines[i].comment) {
            BUF_OWN char *text = subject_text(&lines[i]);
            size_t own = text_width(text);
            width = own <= SUBJECT_MOST ? greater(width, own) : width;
        } else if (lines[i].kind == BUDGET_TEXT &&
                   !lines[i].text[strspn(lines[i].text, " \t")]) {
            break;
        }
    }
    return width;
}

void budget_print(FILE *out, const struct budget *budget)
{
    size_t limit = LIMIT_LEAST, value = VALUE_LEAST, word = WORD_LEAST;
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        if (line->kind != BUDGET_LIMIT)
            continue;
        limit = greater(limit, text_width(line->limit));
        word = greater(word, strlen(line->word));
        if (line->measured) {
            BUF_OWN char *count = text_count(line->value);
            value = greater(value, strlen(count));
        }
    }
    fprintf(out, BUDGET_START "%d\n", BUDGET_VERSION);
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        if (line->kind != BUDGET_LIMIT) {
            fprintf(out, "%s\n", line->text);
            continue;
        }
        BUF_OWN char *count = line->measured ? text_count(line->value) : buf_copy("-");
        BUF_OWN char *subject = subject_text(line);
        fprintf(out, "%*s  %*s  %-*s  %s", (int)limit, line->limit, (int)value, count,
                (int)word, line->word, subject);
        if (line->comment) {
            size_t own = text_width(subject), width = subject_width(budget, i);
            fprintf(out, "%*s  %s", (int)(own < width ? width - own : 0), "",
                    line->comment);
        }
        putc('\n', out);
    }
}
