/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first half parses an expression into a list of nodes. The second half builds a
   graph of the copies and evaluates the expression as sets of its nodes. */

#include "mlprof/report/keep.h"
#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/base/text.h"
#include "mlprof/names/names.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    struct keep *keep;
    const char *text, *cursor;
    unsigned depth;
    char *why; /* error message; NULL: no error yet */
};

#define FORMS "and, from, not, or, pred, succ, thresh, thresh-gc, thresh-stack or to"

/* Sets the error message for the text at PLACE. Returns KEEP_NONE. */
__attribute__((format(printf, 3, 4))) static uint32_t
set_error(struct parser *parser, const char *place, const char *format, ...)
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
    BUF_NEXT(keep->expressions, keep->count, keep->capacity) =
        (struct keep_expression){.form = form, .first = KEEP_NONE, .next = KEEP_NONE};
    return (uint32_t)keep->count - 1;
}

/* Skips blanks, and comments from a semicolon to the end of the line. */
static void skip_blanks(struct parser *parser)
{
    while (isspace((unsigned char)*parser->cursor) || *parser->cursor == ';')
        parser->cursor += *parser->cursor == ';' ? strcspn(parser->cursor, "\n") : 1;
}

/* Returns the length of the atom at CURSOR, or 0 if there is none. */
static size_t atom_length(const char *cursor)
{
    size_t length = 0;
    while (cursor[length] && !isspace((unsigned char)cursor[length]) &&
           !strchr("()\";", cursor[length]))
        length++;
    return length;
}

/* Returns the start of the text at CURSOR, without control characters, for error
   messages. The caller frees it. */
static char *excerpt(const char *cursor)
{
    size_t length = atom_length(cursor);
    if (length == 0 && !*cursor)
        return buf_copy("the end");
    BUF_OWN char *atom = buf_copy_prefix(cursor, length == 0   ? 1
                                                 : length < 30 ? length
                                                               : 30);
    return text_clean(atom);
}

/* Parses a string. A backslash quotes the next character. */
static uint32_t parse_string(struct parser *parser)
{
    const char *start = parser->cursor++;
    char *text = buf_alloc(strlen(start) + 1), *to = text;
    while (*parser->cursor && *parser->cursor != '"') {
        if (*parser->cursor == '\\' && parser->cursor[1])
            parser->cursor++;
        *to++ = *parser->cursor++;
    }
    if (!*parser->cursor) {
        free(text);
        return set_error(parser, start, "the string is not closed");
    }
    parser->cursor++;
    uint32_t number = put(parser, KEEP_MATCH);
    BUF_OWN char *why = pattern_set(&parser->keep->expressions[number].pattern, text);
    if (!why)
        return number;
    free(text);
    return set_error(parser, start, "no regular expression: %s", why);
}

static uint32_t parse_threshold(struct parser *parser, enum keep_form form,
                                const char *name)
{
    size_t length = atom_length(parser->cursor);
    char *atom = buf_copy_prefix(parser->cursor, length), *end = atom;
    bool number = length && strspn(atom, "0123456789.eE+-") == length &&
                  (isdigit((unsigned char)*atom) || *atom == '.');
    double least = number ? strtod(atom, &end) : 0;
    bool good = number && !*end && least >= 0 && least <= 100;
    free(atom);
    if (!good) {
        BUF_OWN char *what = excerpt(parser->cursor);
        return set_error(parser, parser->cursor,
                         "%s takes a number from 0 to 100, not: %s", name, what);
    }
    parser->cursor += length;
    uint32_t expression = put(parser, form);
    parser->keep->expressions[expression].least = least;
    return expression;
}

static uint32_t parse_expression(struct parser *parser);

/* Parses arguments up to the closing parenthesis: one or, with MANY, any number. */
static uint32_t parse_arguments(struct parser *parser, enum keep_form form,
                                const char *name, bool many)
{
    uint32_t first = KEEP_NONE, last = KEEP_NONE;
    for (skip_blanks(parser); *parser->cursor && *parser->cursor != ')';
         skip_blanks(parser)) {
        if (!many && first != KEEP_NONE)
            return set_error(parser, parser->cursor, "%s takes one expression", name);
        uint32_t number = parse_expression(parser);
        if (number == KEEP_NONE)
            return KEEP_NONE;
        *(last == KEEP_NONE ? &first : &parser->keep->expressions[last].next) = number;
        last = number;
    }
    if (!many && first == KEEP_NONE && *parser->cursor)
        return set_error(parser, parser->cursor, "%s takes an expression", name);
    uint32_t number = put(parser, form);
    parser->keep->expressions[number].first = first;
    return number;
}

/* The forms of expressions, by the word after the parenthesis. */
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
    size_t length = atom_length(parser->cursor);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strlen(forms[i].name) == length &&
            strncmp(forms[i].name, parser->cursor, length) == 0)
            return &forms[i];
    BUF_OWN char *what = excerpt(parser->cursor);
    set_error(parser, parser->cursor, "expected " FORMS ", not: %s", what);
    return NULL;
}

static uint32_t parse_list(struct parser *parser)
{
    const char *start = parser->cursor++;
    skip_blanks(parser);
    const struct form *form = *parser->cursor ? find_form(parser) : NULL;
    uint32_t number = KEEP_NONE;
    if (form) {
        parser->cursor += strlen(form->name);
        skip_blanks(parser);
    }
    if (form && form->threshold && *parser->cursor)
        number = parse_threshold(parser, form->form, form->name);
    else if (form && *parser->cursor)
        number = parse_arguments(parser, form->form, form->name, form->many);
    skip_blanks(parser);
    if (!parser->why && !*parser->cursor)
        return set_error(parser, start, "the parenthesis is not closed");
    if (!parser->why && *parser->cursor != ')')
        return set_error(parser, parser->cursor, "%s takes one number", form->name);
    parser->cursor += !parser->why;
    return number;
}

static uint32_t parse_expression(struct parser *parser)
{
    static const char all[] = "all";
    uint32_t number = KEEP_NONE;
    if (parser->depth == KEEP_DEEPEST)
        return set_error(parser, parser->cursor,
                         "more than %d expressions within each other", KEEP_DEEPEST);
    parser->depth++;
    if (*parser->cursor == '(') {
        number = parse_list(parser);
    } else if (*parser->cursor == '"') {
        number = parse_string(parser);
    } else if (atom_length(parser->cursor) == strlen(all) &&
               strncmp(parser->cursor, all, strlen(all)) == 0) {
        parser->cursor += strlen(all);
        number = put(parser, KEEP_ALL);
    } else {
        BUF_OWN char *what = excerpt(parser->cursor);
        set_error(parser, parser->cursor,
                  "expected all, a string or a parenthesis, not: %s", what);
    }
    parser->depth--;
    return number;
}

char *keep_parse(struct keep *keep, const char *text)
{
    struct parser parser = {.keep = keep, .text = text, .cursor = text};
    keep_free(keep);
    skip_blanks(&parser);
    parse_expression(&parser);
    skip_blanks(&parser);
    if (!parser.why && *parser.cursor) {
        BUF_OWN char *what = excerpt(parser.cursor);
        set_error(&parser, parser.cursor,
                  "expected nothing after the expression, not: %s", what);
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

/* The call graph. A node is a copy, or a row without known copies. */
struct graph {
    const struct rows *rows;
    const struct names_style *style;
    uint32_t *row; /* by node: its row, or STACKS_NONE */
    size_t count, capacity;
    struct index edges; /* key: caller and callee */
    /* By node: the numbers of edges. Created when they are needed. */
    struct groups callees, callers;
};

static void add_node(struct graph *graph, uint32_t row)
{
    BUF_NEXT(graph->row, graph->count, graph->capacity) = row;
}

static void add_edge(struct graph *graph, uint32_t caller, uint32_t callee)
{
    bool fresh;
    index_put(&graph->edges, caller, callee, 0, &fresh);
}

/* Adds the copies on the stacks as nodes. The number of a node is the number of the
   copy in the stacks. */
static void add_stacks(struct graph *graph)
{
    const struct rows *rows = graph->rows;
    const struct stacks *stacks = &rows->stacks;
    for (size_t i = 0; i < stacks->copies.count; i++)
        add_node(graph, STACKS_NONE);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        if (node->weight == 0)
            continue;
        graph->row[node->copy] = rows_of_node(rows, i);
        if (node->parent != STACKS_NONE)
            add_edge(graph, stacks->nodes.list[node->parent].copy, node->copy);
    }
}

/* Adds a node for each row that is on no stack. Returns, by row, the number of this
   node, or STACKS_NONE if the row is on a stack. The caller frees the result. */
static uint32_t *add_others(struct graph *graph)
{
    size_t rows = graph->rows->count, copies = graph->count;
    uint32_t *nodes = buf_alloc((rows + 1) * sizeof *nodes);
    for (size_t i = 0; i < copies; i++)
        if (graph->row[i] != STACKS_NONE)
            nodes[graph->row[i]] = STACKS_NONE;
    for (uint32_t i = 0; i < rows; i++) {
        if (nodes[i] == STACKS_NONE)
            continue;
        nodes[i] = (uint32_t)graph->count;
        add_node(graph, i);
    }
    return nodes;
}

static void add_arcs(struct graph *graph, const struct arcs *arcs, const uint32_t *nodes)
{
    struct arcs_neighbours neighbours;
    arcs_neighbours_begin(&neighbours, arcs);
    for (uint32_t i = 0; i < graph->rows->count; i++) {
        arcs_neighbours_find(&neighbours, arcs, i, ARCS_CALLEES);
        for (size_t k = 0; k < neighbours.count; k++) {
            uint32_t row = neighbours.list[k].row;
            if (row != ARCS_OTHERS && row != STACKS_NONE)
                add_edge(graph, nodes[i], nodes[row]);
        }
    }
    arcs_neighbours_free(&neighbours);
}

/* Adds the copies of a catalog. */
static void add_catalog(struct graph *graph)
{
    const struct rows *rows = graph->rows;
    for (uint32_t i = 0; i < rows->copies.count; i++) {
        add_node(graph, rows->copies.list[i].row);
        if (rows->copies.list[i].outer != STACKS_NONE)
            add_edge(graph, rows->copies.list[i].outer, i);
    }
}

static void build(struct graph *graph, const struct arcs *arcs)
{
    add_stacks(graph);
    add_catalog(graph);
    BUF_OWN uint32_t *nodes = add_others(graph);
    if (graph->rows->has_arcs)
        add_arcs(graph, arcs, nodes);
}

/* Groups the edges by their callers or by their callees, as END says. */
static const struct groups *edges_by(struct graph *graph, struct groups *groups, int end)
{
    if (groups->first)
        return groups;
    BUF_OWN uint32_t *keys = buf_alloc((graph->edges.count + 1) * sizeof *keys);
    for (size_t i = 0; i < graph->edges.count; i++)
        keys[i] = (uint32_t)graph->edges.keys[i].words[end];
    groups_make(groups, graph->count, keys, graph->edges.count);
    return groups;
}

/* Adds to SET the nodes that can be reached from it, along the calls if TO is 1,
   against them if TO is 0. */
static void add_reached(struct graph *graph, bool *set, int to)
{
    const struct groups *edges =
        to ? edges_by(graph, &graph->callees, 0) : edges_by(graph, &graph->callers, 1);
    BUF_OWN uint32_t *todo = buf_alloc((graph->count + 1) * sizeof *todo);
    size_t count = 0;
    for (uint32_t i = 0; i < graph->count; i++)
        if (set[i])
            todo[count++] = i;
    while (count) {
        uint32_t node = todo[--count];
        for (size_t i = edges->first[node]; i < edges->first[node + 1]; i++) {
            uint32_t next = (uint32_t)graph->edges.keys[edges->members[i]].words[to];
            if (!set[next])
                todo[count++] = next;
            set[next] = true;
        }
    }
}

/* Adds to SET the nodes at the other end of edges: callees if TO is 1, callers if TO
   is 0. */
static void add_next(const struct graph *graph, bool *set, int to)
{
    BUF_OWN bool *before = buf_alloc(graph->count + 1);
    memcpy(before, set, graph->count);
    for (size_t i = 0; i < graph->edges.count; i++)
        if (before[graph->edges.keys[i].words[!to]])
            set[graph->edges.keys[i].words[to]] = true;
}

/* Returns whether a simple expression holds for a row. */
static bool holds(const struct graph *graph, const struct keep_expression *expression,
                  const struct rows_row *row)
{
    const struct rows *rows = graph->rows;
    uint64_t total = rows->stack ? rows_total(row) : 0;
    switch (expression->form) {
    case KEEP_MATCH:
        return names_match(&expression->pattern, &row->source, row->shown, graph->style);
    case KEEP_THRESH:
        return rows_percent(rows_self(row), rows->total) >= expression->least;
    case KEEP_THRESH_STACK:
        return rows_percent(total, rows->total) >= expression->least;
    default: /* There is no garbage collector, so its percentage is 0. */
        return expression->least <= 0;
    }
}

static bool *evaluate_rows(const struct graph *graph,
                           const struct keep_expression *expression)
{
    bool *by_row = buf_alloc(graph->rows->count + 1), *set = buf_alloc(graph->count + 1);
    for (size_t i = 0; i < graph->rows->count; i++)
        by_row[i] = holds(graph, expression, &graph->rows->rows[i]);
    for (size_t i = 0; i < graph->count; i++)
        set[i] = graph->row[i] != STACKS_NONE && by_row[graph->row[i]];
    free(by_row);
    return set;
}

static bool *evaluate(struct graph *graph, const struct keep *keep, uint32_t number);

/* Returns the nodes for which all arguments are true or, with OR, at least one
   argument. FIRST is the first argument. */
static bool *evaluate_many(struct graph *graph, const struct keep *keep, uint32_t first,
                           bool or)
{
    bool *set = buf_alloc(graph->count + 1);
    memset(set, ! or, graph->count);
    for (uint32_t expression = first; expression != KEEP_NONE;
         expression = keep->expressions[expression].next) {
        BUF_OWN bool *one = evaluate(graph, keep, expression);
        for (size_t i = 0; i < graph->count; i++)
            set[i] = or ? set[i] || one[i] : set[i] && one[i];
    }
    return set;
}

/* Returns, by node, whether an expression is true for the node. The depth of
   recursion is at most KEEP_DEEPEST. The caller frees the result. */
static bool *evaluate(struct graph *graph, const struct keep *keep, uint32_t number)
{
    const struct keep_expression *expression = &keep->expressions[number];
    enum keep_form form = expression->form;
    if (form == KEEP_ALL || form == KEEP_AND || form == KEEP_OR)
        return evaluate_many(graph, keep, expression->first, form == KEEP_OR);
    if (expression->first == KEEP_NONE)
        return evaluate_rows(graph, expression);
    bool *set = evaluate(graph, keep, expression->first);
    if (form == KEEP_FROM || form == KEEP_TO)
        add_reached(graph, set, form == KEEP_FROM);
    else if (form == KEEP_SUCC || form == KEEP_PRED)
        add_next(graph, set, form == KEEP_SUCC);
    for (size_t i = 0; form == KEEP_NOT && i < graph->count; i++)
        set[i] = !set[i];
    return set;
}

bool *keep_rows(const struct keep *keep, const struct rows *rows, const struct arcs *arcs,
                const struct names_style *style)
{
    struct graph graph = {.rows = rows, .style = style};
    bool *kept = buf_alloc(rows->count + 1);
    build(&graph, arcs);
    BUF_OWN bool *set = evaluate(&graph, keep, (uint32_t)keep->count - 1);
    for (size_t i = 0; i < graph.count; i++)
        if (set[i] && graph.row[i] != STACKS_NONE)
            kept[graph.row[i]] = true;
    free(graph.row);
    index_free(&graph.edges);
    groups_free(&graph.callees);
    groups_free(&graph.callers);
    return kept;
}
