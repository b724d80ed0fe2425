/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/evaluate/keep.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    struct keep *keep;
    const char *text, *at;
    unsigned depth;
    char *why; /* the error message; NULL: no error yet */
};

#define FORMS "and, from, not, or, pred, succ, thresh, thresh-gc, thresh-stack or to"

/* Sets the error message about the text at PLACE.  Returns KEEP_NONE.  */
__attribute__((format(printf, 3, 4))) static uint32_t
wrong(struct parser *parser, const char *place, const char *format, ...)
{
    va_list arguments;
    BUF_OWN char *what = NULL;
    size_t size;
    FILE *out = buf_open(&what, &size);
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    buf_close(out);
    parser->why =
        buf_format("character %zu: %s", (size_t)(place - parser->text) + 1, what);
    return KEEP_NONE;
}

static uint32_t put(struct parser *parser, enum keep_form form)
{
    struct keep *keep = parser->keep;
    keep->expressions = buf_grow(keep->expressions, &keep->capacity, keep->count + 1,
                                 sizeof *keep->expressions);
    keep->expressions[keep->count] =
        (struct keep_expression){.form = form, .first = KEEP_NONE, .next = KEEP_NONE};
    return (uint32_t)keep->count++;
}

/* Goes over blanks, and comments from a semicolon to the end of the line.  */
static void skip_blanks(struct parser *parser)
{
    while (isspace((unsigned char)*parser->at) || *parser->at == ';')
        parser->at += *parser->at == ';' ? strcspn(parser->at, "\n") : 1;
}

/* The length of the atom at AT; 0: there is none.  */
static size_t atom_length(const char *at)
{
    size_t length = 0;
    while (at[length] && !isspace((unsigned char)at[length]) &&
           !strchr("()\";", at[length]))
        length++;
    return length;
}

/* The beginning of the text at AT, without control characters, for error messages; to be
   freed.  */
static char *told(const char *at)
{
    size_t length = atom_length(at);
    if (length == 0 && !*at)
        return buf_copy("the end");
    BUF_OWN char *atom = buf_copy_prefix(at, length == 0 ? 1 : length < 30 ? length : 30);
    return text_clean(atom);
}

/* A backslash takes the next character as it is.  */
static uint32_t parse_string(struct parser *parser)
{
    const char *start = parser->at++;
    char *text = buf_alloc(strlen(start) + 1), *to = text;
    while (*parser->at && *parser->at != '"') {
        if (*parser->at == '\\' && parser->at[1])
            parser->at++;
        *to++ = *parser->at++;
    }
    if (!*parser->at) {
        free(text);
        return wrong(parser, start, "the string is not closed");
    }
    parser->at++;
    uint32_t number = put(parser, KEEP_MATCH);
    char *why = pattern_set(&parser->keep->expressions[number].pattern, text);
    if (!why)
        return number;
    free(text);
    wrong(parser, start, "no regular expression: %s", why);
    free(why);
    return KEEP_NONE;
}

static uint32_t parse_threshold(struct parser *parser, enum keep_form form,
                                const char *name)
{
    size_t length = atom_length(parser->at);
    char *atom = buf_copy_prefix(parser->at, length), *end = atom;
    bool number = length && strspn(atom, "0123456789.eE+-") == length &&
                  (isdigit((unsigned char)*atom) || *atom == '.');
    double least = number ? strtod(atom, &end) : 0;
    bool good = number && !*end && least >= 0 && least <= 100;
    free(atom);
    if (!good) {
        BUF_OWN char *what = told(parser->at);
        wrong(parser, parser->at, "%s takes a number from 0 to 100, not: %s", name, what);
        return KEEP_NONE;
    }
    parser->at += length;
    uint32_t expression = put(parser, form);
    parser->keep->expressions[expression].least = least;
    return expression;
}

static uint32_t parse_expression(struct parser *parser);

/* Parses arguments up to the closing parenthesis: one or, with MANY, any number.  */
static uint32_t parse_arguments(struct parser *parser, enum keep_form form,
                                const char *name, bool many)
{
    uint32_t first = KEEP_NONE, last = KEEP_NONE;
    for (skip_blanks(parser); *parser->at && *parser->at != ')'; skip_blanks(parser)) {
        if (!many && first != KEEP_NONE)
            return wrong(parser, parser->at, "%s takes one expression", name);
        uint32_t number = parse_expression(parser);
        if (number == KEEP_NONE)
            return KEEP_NONE;
        *(last == KEEP_NONE ? &first : &parser->keep->expressions[last].next) = number;
        last = number;
    }
    if (!many && first == KEEP_NONE && *parser->at)
        return wrong(parser, parser->at, "%s takes an expression", name);
    uint32_t number = put(parser, form);
    parser->keep->expressions[number].first = first;
    return number;
}

/* The forms of expressions, by the word behind the parenthesis.  */
static const struct form {
    const char *name;
    enum keep_form form;
    bool threshold, many;
} forms[] = {
    {"and", KEEP_AND, false, true},
    {"from", KEEP_FROM, false, false},
    {"not", KEEP_NOT, false, false},
    {"or", KEEP_OR, false, true},
    {"pred", KEEP_PRED, false, false},
    {"succ", KEEP_SUCC, false, false},
    {"thresh", KEEP_THRESH, true, false},
    {"thresh-gc", KEEP_THRESH_GC, true, false},
    {"thresh-stack", KEEP_THRESH_STACK, true, false},
    {"to", KEEP_TO, false, false},
};

static const struct form *find_form(struct parser *parser)
{
    size_t length = atom_length(parser->at);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strlen(forms[i].name) == length &&
            strncmp(forms[i].name, parser->at, length) == 0)
            return &forms[i];
    BUF_OWN char *what = told(parser->at);
    wrong(parser, parser->at, "expected " FORMS ", not: %s", what);
    return NULL;
}

static uint32_t parse_list(struct parser *parser)
{
    const char *start = parser->at++;
    skip_blanks(parser);
    const struct form *form = *parser->at ? find_form(parser) : NULL;
    uint32_t number = KEEP_NONE;
    if (form) {
        parser->at += strlen(form->name);
        skip_blanks(parser);
    }
    if (form && form->threshold && *parser->at)
        number = parse_threshold(parser, form->form, form->name);
    else if (form && *parser->at)
        number = parse_arguments(parser, form->form, form->name, form->many);
    skip_blanks(parser);
    if (!parser->why && !*parser->at)
        return wrong(parser, start, "the parenthesis is not closed");
    if (!parser->why && *parser->at != ')')
        return wrong(parser, parser->at, "%s takes one number", form->name);
    parser->at += !parser->why;
    return number;
}

static uint32_t parse_expression(struct parser *parser)
{
    static const char all[] = "all";
    uint32_t number = KEEP_NONE;
    if (parser->depth == KEEP_DEEPEST)
        return wrong(parser, parser->at, "more than %d expressions within each other",
                     KEEP_DEEPEST);
    parser->depth++;
    if (*parser->at == '(') {
        number = parse_list(parser);
    } else if (*parser->at == '"') {
        number = parse_string(parser);
    } else if (atom_length(parser->at) == strlen(all) &&
               strncmp(parser->at, all, strlen(all)) == 0) {
        parser->at += strlen(all);
        number = put(parser, KEEP_ALL);
    } else {
        BUF_OWN char *what = told(parser->at);
        wrong(parser, parser->at, "expected all, a string or a parenthesis, not: %s",
              what);
    }
    parser->depth--;
    return number;
}

char *keep_parse(struct keep *keep, const char *text)
{
    struct parser parser = {.keep = keep, .text = text, .at = text};
    keep_free(keep);
    skip_blanks(&parser);
    parse_expression(&parser);
    skip_blanks(&parser);
    if (!parser.why && *parser.at) {
        BUF_OWN char *what = told(parser.at);
        wrong(&parser, parser.at, "expected nothing behind the expression, not: %s",
              what);
    }
    if (parser.why)
        keep_free(keep);
    return parser.why;
}

void keep_free(struct keep *keep)
{
    for (size_t i = 0; i < keep->count; i++) {
        BUF_OWN char *text = (char *)keep->expressions[i].pattern.text;
        pattern_free(&keep->expressions[i].pattern);
    }
    free(keep->expressions);
    memset(keep, 0, sizeof *keep);
}
