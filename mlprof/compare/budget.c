/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses a budget (budget.h). */

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
    const struct measure *base = measure.base;
    return measure.part == RUNSET_STACK   ? buf_format("total-%s", base->word)
           : measure.part == RUNSET_LINES ? buf_copy("executions")
           : measure.part == RUNSET_OWN   ? buf_copy(base->word)
           : base->blocks                 ? buf_copy(base->blocks)
                                          : buf_format("%s-blocks", base->word);
}

/* Returns whether a budget can have MEASURE. */
static bool is_known(struct runset_measure measure)
{
    const struct measure *base = measure.base;
    return !base->sampled && !base->heap.derived &&
           (measure.part == RUNSET_BLOCKS  ? base->memory
            : measure.part == RUNSET_LINES ? (base->kinds & CCPROF_KIND_COUNT) != 0
                                           : true);
}

/* Returns whether WORD is what budget_word returns for MEASURE. A file has many words. */
static bool is_word(struct runset_measure measure, const char *word)
{
    const char *base = measure.base->word, *blocks = measure.base->blocks;
    size_t length = strlen(base);
    return measure.part == RUNSET_STACK
               ? text_begins(word, "total-") && strcmp(word + strlen("total-"), base) == 0
           : measure.part == RUNSET_LINES ? strcmp(word, "executions") == 0
           : measure.part == RUNSET_OWN   ? strcmp(word, base) == 0
           : blocks                       ? strcmp(word, blocks) == 0
                    : text_begins(word, base) && strcmp(word + length, "-blocks") == 0;
}

static bool find_measure(const char *word, struct runset_measure *found)
{
    for (found->base = measure_all; found->base->word; found->base++)
        for (found->part = RUNSET_OWN; found->part <= RUNSET_LINES; found->part++)
            if (is_known(*found) && is_word(*found, word))
                return true;
    return false;
}

/* Returns the measures of a budget, without those that only add up called functions.
   The caller frees the text. */
static char *list_measures(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    const char *between = "";
    for (const struct measure *m = measure_all; m->word; m++)
        for (enum runset_part part = RUNSET_OWN; part <= RUNSET_LINES; part++) {
            const struct runset_measure measure = {m, part};
            if (!is_known(measure) || part == RUNSET_STACK ||
                (part == RUNSET_BLOCKS && !m->blocks))
                continue;
            BUF_OWN char *word = budget_word(measure);
            fprintf(out, "%s%s", between, word);
            between = ", ";
        }
    buf_close(out);
    return text;
}

/* The state of the parser. CURSOR is the rest of the line, which ends with a NUL. */
struct parser {
    const char *path;
    unsigned long number;
    char *cursor;
    struct fault *fault;
    /* Finds a second limit for the same function: TEXTS are places. */
    struct intern texts;
    struct index limits;
    BUF_VECTOR(unsigned long) numbers; /* line of each limit */
};

static bool wrong(const struct parser *parser, const char *format, const char *what)
{
    BUF_OWN char *why = buf_format(format, what);
    return fault_set(parser->fault, FAULT_GARBLED, parser->path, "line %lu: %s",
                     parser->number, why);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Returns the next word, which is terminated by a NUL. */
static char *next_word(struct parser *parser)
{
    char *word = parser->cursor + strspn(parser->cursor, " \t");
    char *end = word + strcspn(word, " \t");
    parser->cursor = end + (*end != '\0');
    *end = '\0';
    return word;
}

/* Splits TEXT, the rest of a line, into the subject and the comment. */
static void split_comment(char *text, struct budget_line *line)
{
    for (char *cursor = text; *cursor; cursor++)
        if (*cursor == '#' && (cursor == text || is_blank(cursor[-1]))) {
            line->comment = buf_copy(cursor);
            *cursor = '\0';
            break;
        }
    for (size_t length = strlen(text); length && is_blank(text[length - 1]);)
        text[--length] = '\0';
}

static bool read_subject(struct parser *parser, struct budget_line *line)
{
    char *text = parser->cursor + strspn(parser->cursor, " \t");
    split_comment(text, line);
    if (!*text)
        return wrong(parser, "%s", "the function is missing");
    BUF_OWN char *why = budget_read_subject(line, text);
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
        const char *cursor = word, *why = budget_read_count(&cursor, &line->value);
        if (why || *cursor)
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

/* Refuses a second limit for the same function. */
static bool check_duplicate(struct parser *parser, const struct budget_line *line)
{
    bool fresh;
    BUF_OWN char *place = budget_place_text(&line->place);
    uint32_t limit = index_put(&parser->limits, intern_put(&parser->texts, place),
                               (uint64_t)(line->measure.base - measure_all),
                               line->measure.part, &fresh);
    if (fresh) {
        BUF_PUSH(parser->numbers) = parser->number;
        return true;
    }
    BUF_OWN char *first = buf_format("line %lu has a limit of %s for %s, too",
                                     parser->numbers.list[limit], line->word, place);
    return wrong(parser, "%s", first);
}

/* Reads a line `lines N ...' or `case N ... OUTCOME' below a limit. */
static bool read_points(struct parser *parser, struct budget *budget, bool outcome)
{
    struct budget_line *line = budget->count ? &budget->lines[budget->count - 1] : NULL;
    if (!line || line->kind != BUDGET_LIMIT || line->measure.part != RUNSET_LINES ||
        line->subject != BUDGET_NAME || !line->measured)
        return wrong(parser, "%s", "it is not below a measured limit of executions");
    if (!line->points)
        line->points = buf_alloc(sizeof *line->points);
    next_word(parser);
    char *text = parser->cursor + strspn(parser->cursor, " \t");
    char *name = outcome ? strstr(text, "  ") : NULL;
    if (outcome && !name)
        return wrong(parser, "%s", "two blanks and the name of an outcome are missing");
    if (name) {
        *name = '\0';
        name += 2 + strspn(name + 2, " \t");
    }
    struct linecounts_list *list =
        linecounts_add_list(line->points, 0, name ? buf_copy(name) : NULL);
    parser->cursor = text;
    do {
        struct linecounts_point point = {0};
        const char *cursor = next_word(parser),
                   *why = budget_read_count(&cursor, &point.count);
        if (why || *cursor)
            return wrong(parser, "a number: %s", why ? why : "it is not a whole number");
        linecounts_add_point(list, &point);
    } while (parser->cursor[strspn(parser->cursor, " \t")]);
    if (linecounts_sum(list) == UINT64_MAX)
        return wrong(parser, "%s", "the counts are more than can be");
    return line->points->count == 1 || linecounts_order(list - 1, list) < 0 ||
           wrong(parser, "%s", "the outcomes are not in their order");
}

/* Returns why a line cannot contain TEXT; NULL: it can. */
static const char *wrong_character(const char *text)
{
    for (size_t length; *text; text += length) {
        if ((length = utf8_length(text)) == 0)
            return "this is not UTF-8";
        if (budget_is_control(*text) && *text != '\t')
            return "it contains a control character";
    }
    return NULL;
}

static bool parse_line(struct parser *parser, struct budget *budget, const char *text)
{
    size_t blanks = strspn(text, " \t");
    bool outcome = text_begins(text + blanks, "case ");
    if (outcome || text_begins(text + blanks, "lines "))
        return read_points(parser, budget, outcome);
    struct budget_line *line = &BUF_NEXT(budget->lines, budget->count, budget->capacity);
    *line = (struct budget_line){.number = parser->number};
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
    if (!text_begins(text, BUDGET_START))
        return wrong(parser, "%s",
                     "not a budget of ccprof: mlprof -gate-update writes one");
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
    struct parser parser = {.path = path, .number = 1, .fault = fault};
    bool good = size || check_start(&parser, "");
    parser.number = 0;
    size_t count = 1;
    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n';
    budget->lines = buf_grow(NULL, &budget->capacity, count, sizeof *budget->lines);
    for (const char *cursor = text, *end = text + size; good && cursor < end;) {
        const char *newline = memchr(cursor, '\n', (size_t)(end - cursor));
        size_t length = (size_t)((newline ? newline : end) - cursor), kept = length;
        if (length && cursor[length - 1] == '\r')
            kept--;
        BUF_OWN char *line = buf_copy_prefix(cursor, kept);
        parser.number++;
        parser.cursor = line;
        const char *why =
            strlen(line) < kept ? "it contains a NUL" : wrong_character(line);
        good = why                  ? wrong(&parser, "%s", why)
               : parser.number == 1 ? check_start(&parser, line)
                                    : parse_line(&parser, budget, line);
        cursor += length + 1;
    }
    intern_free(&parser.texts);
    index_free(&parser.limits);
    free(parser.numbers.list);
    return good;
}

void budget_add_text(struct budget *budget, char *text)
{
    BUF_NEXT(budget->lines, budget->count, budget->capacity) =
        (struct budget_line){.kind = BUDGET_TEXT, .text = text};
}

struct budget_line *budget_add_limit(struct budget *budget, const char *limit,
                                     struct runset_measure measure,
                                     struct budget_place place)
{
    struct budget_line *line = &BUF_NEXT(budget->lines, budget->count, budget->capacity);
    *line = (struct budget_line){.kind = BUDGET_LIMIT,
                                 .limit = buf_copy(limit),
                                 .word = budget_word(measure),
                                 .measure = measure};
    free(budget_set_subject(line, place));
    budget_read_limit(line);
    return line;
}

void budget_add_each(struct budget *budget, const char *limit,
                     struct runset_measure measure)
{
    if (budget->count && budget->lines[budget->count - 1].kind == BUDGET_LIMIT)
        budget_add_text(budget, buf_copy(""));
    budget_add_limit(budget, limit, measure,
                     (struct budget_place){.name = buf_copy("each /./")});
}

void budget_free_line(struct budget_line *line)
{
    free(line->text);
    free(line->limit);
    free(line->word);
    if (line->pattern)
        pattern_free(line->pattern);
    free(line->pattern);
    free(line->expression);
    free(line->place.name);
    free(line->place.file);
    free(line->place.object);
    free(line->comment);
    if (line->points)
        linecounts_free(line->points);
    free(line->points);
}

void budget_free(struct budget *budget)
{
    for (size_t i = 0; i < budget->count; i++)
        budget_free_line(&budget->lines[i]);
    free(budget->lines);
    free(budget->compiler);
    memset(budget, 0, sizeof *budget);
}
