/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/cxxname.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Deeper than the names of any program; a stack is not endless.  */
#define DEPTH_MOST 200

/* What stands for what is left out.  */
#define DOTS "..."

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* An operator's name behind `operator': symbols that are no brackets, or the word before
   its blank.  */
static size_t operator_length(const char *at)
{
    static const char *const symbols[] = {
        "<=>", "<<=", ">>=", "->*", "()",    "[]",  "->",       "<<",    ">>",
        "<=",  ">=",  "==",  "!=",  "&&",    "||",  "++",       "--",    "+=",
        "-=",  "*=",  "/=",  "%=",  "^=",    "&=",  "|=",       "\"\"",  "<",
        ">",   "+",   "-",   "*",   "/",     "%",   "^",        "&",     "|",
        "~",   "!",   "=",   ",",   "new[]", "new", "delete[]", "delete"};
    size_t blanks = strspn(at, " ");
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (starts(at + blanks, symbols[i])) {
            size_t length = strlen(symbols[i]);
            bool word = is_word(symbols[i][0]);
            if (!word || (blanks && !is_word(at[blanks + length])))
                return blanks + length;
        }
    return 0;
}

size_t cxxname_word(const char *at)
{
    size_t length = 0;
    while (is_word(at[length]))
        length++;
    if (length != strlen("operator") || !starts(at, "operator"))
        return length;
    size_t symbol = operator_length(at + length);
    length += symbol;
    /* GCC's `operator< <char>' keeps its blank; a conversion's type comes as any other.
     */
    if (symbol && at[length] == ' ' && at[length + 1] == '<')
        length++;
    return length;
}

/* What is one piece whatever is in it: a word, an arrow, a character in quotes, or a
   byte.  */
static size_t piece(const char *at)
{
    size_t word = cxxname_word(at);
    if (word)
        return word;
    if (starts(at, "->"))
        return 2;
    if (*at == '\'' && at[1] && strchr(at + 2, '\''))
        return (size_t)(strchr(at + 2, '\'') + 1 - at);
    return 1;
}

/* What is read, and what is written in its place.  */
struct writer {
    const char *at;
    char *text;
    size_t length, capacity;
    int depth;  /* in lists of arguments */
    int nested; /* in brackets */
    bool bad;   /* it is no name of C++ */
};

static void put(struct writer *writer, const char *text, size_t length)
{
    writer->text =
        buf_grow(writer->text, &writer->capacity, writer->length + length + 1, 1);
    memcpy(writer->text + writer->length, text, length);
    writer->length += length;
    writer->text[writer->length] = 0;
}

static void copy(struct writer *writer, size_t length)
{
    put(writer, writer->at, length);
    writer->at += length;
}

/* Which arguments become `...': those at least so deep, and of more columns than these.
 */
static const struct step {
    int depth;
    size_t most;
} steps[] = {{2, 16}, {1, 32}, {1, 16}, {1, 3}}, all = {1, 0};

static void leave_out(struct writer *writer, const struct step *step, bool in_list);

/* The list at the reader.  */
static void leave_out_of_list(struct writer *writer, const struct step *step)
{
    bool was_left_out = false;
    copy(writer, 1);
    writer->depth++;
    while (*writer->at && !writer->bad) {
        size_t from = writer->length;
        leave_out(writer, step, true);
        bool too_long = (writer->depth >= step->depth &&
                         text_width(writer->text + from) > step->most) ||
                        strcmp(writer->text + from, DOTS) == 0;
        if (too_long) {
            /* Several that follow each other are one.  */
            writer->length = was_left_out ? from - 2 : from;
            writer->text[writer->length] = 0;
            if (!was_left_out)
                put(writer, DOTS, strlen(DOTS));
        }
        was_left_out = too_long;
        if (*writer->at != ',')
            break;
        copy(writer, 1);
        copy(writer, strspn(writer->at, " "));
    }
    writer->depth--;
    if (*writer->at == '>')
        copy(writer, 1);
}

/* The text at the reader up to a comma or a bracket that closes, with its arguments left
   out.  */
static void leave_out(struct writer *writer, const struct step *step, bool in_list)
{
    if (++writer->nested > DEPTH_MOST)
        writer->bad = true;
    while (*writer->at && !writer->bad) {
        const char *at = writer->at;
        if (in_list && (*at == ',' || *at == '>'))
            break;
        if (*at == '<' && writer->length && writer->text[writer->length - 1] != '.') {
            leave_out_of_list(writer, step);
        } else if (strchr("([{", *at)) {
            char close = *at == '(' ? ')' : *at == '[' ? ']' : '}';
            copy(writer, 1);
            while (*writer->at && *writer->at != close && !writer->bad) {
                leave_out(writer, step, false);
                if (*writer->at && *writer->at != close)
                    copy(writer, 1);
            }
            if (*writer->at)
                copy(writer, 1);
        } else if (strchr(")]}", *at)) {
            break;
        } else {
            copy(writer, piece(at));
        }
    }
    writer->nested--;
}

/* NAME with what STEP leaves out.  To be freed.  */
static char *after_step(const char *name, const struct step *step)
{
    struct writer writer = {.at = name};
    put(&writer, "", 0);
    leave_out(&writer, step, false);
    if (!writer.bad)
        return writer.text;
    free(writer.text);
    return buf_copy(name);
}

char *cxxname_leave_out(const char *name, size_t most)
{
    char *shown = buf_copy(name);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && text_width(shown) > most;
         i++) {
        free(shown);
        shown = after_step(name, &steps[i]);
    }
    return shown;
}

/* Behind the brackets that open at AT; NULL if they do not close.  */
static const char *behind_brackets(const char *at)
{
    char close[DEPTH_MOST];
    size_t depth = 0;
    do {
        if (!*at || depth == DEPTH_MOST)
            return NULL;
        const char *opens = strchr("(<[{", *at);
        if (opens)
            close[depth++] = ")>]}"[opens - "(<[{"];
        else if (*at == close[depth - 1])
            depth--;
        else if (strchr(")>]}", *at))
            return NULL;
        at += opens ? 1 : piece(at);
    } while (depth);
    return at;
}

/* Brackets that open at AT in NAME hold parameters: those of (anonymous namespace) and of
   a position, ` (x.cc:1)', stand elsewhere.  */
static bool are_parameters(const char *name, const char *at)
{
    return *at == '(' && at > name && (is_word(at[-1]) || strchr(">)]", at[-1]));
}

/* Where the piece at AT in NAME, outside of all brackets, ends: brackets are one.  NULL
   where there is none: at the end, or what follows is no part of a name.  */
static const char *next_piece(const char *name, const char *at)
{
    if (!*at || strchr(")>]}", *at))
        return NULL;
    if (*at == '<' && (at == name || at[-1] == '.'))
        return NULL;
    return strchr("(<[{", *at) ? behind_brackets(at) : at + piece(at);
}

/* Its brackets close, and nothing else is closed.  */
static bool is_whole(const char *name)
{
    const char *at = name, *next;
    while ((next = next_piece(name, at)) != NULL)
        at = next;
    return !*at || (*at == '<' && (at == name || at[-1] == '.'));
}

/* Where the function's own name begins in NAME, behind scopes and a type that is
   returned.  */
static const char *own_name(const char *name)
{
    /* A blank ends a type only in front of parameters.  */
    const char *own = name, *typed = name, *next;
    for (const char *at = name; (next = next_piece(name, at)) != NULL; at = next) {
        if (starts(at, "::") && at[2]) {
            next = own = typed = at + 2;
        } else if (*at == ' ') {
            typed = next;
        } else if (starts(at, "operator") && next == at + strlen("operator")) {
            /* A conversion's type.  */
            break;
        } else if (are_parameters(name, at) && !starts(next, "::")) {
            return typed;
        } else if (*at == '(' && !starts(next, "::")) {
            break;
        }
    }
    return own;
}

/* NAME with DOTS for what is in lists of parameters, or WITHOUT lists of any kind.  To be
   freed.  */
static char *without(const char *name, bool lists)
{
    struct writer writer = {.at = name};
    const char *next;
    put(&writer, "", 0);
    while ((next = next_piece(name, writer.at)) != NULL) {
        size_t length = (size_t)(next - writer.at);
        bool list = are_parameters(name, writer.at) || (lists && *writer.at == '<');
        if (list && lists) {
            writer.at = next;
        } else if (list && length > strlen("(" DOTS ")")) {
            put(&writer, "(" DOTS ")", strlen("(" DOTS ")"));
            writer.at = next;
        } else {
            copy(&writer, length);
        }
    }
    copy(&writer, strlen(writer.at));
    return writer.text;
}

/* NAME, wider than MOST columns, behind `...' with fewer scopes in front: it begins at
   `::' if that costs no more than a third.  NULL if there is no room for more than its
   own name or, if its LISTS are to stay, for more than these.  To be freed.  */
static char *without_scopes(const char *name, size_t most, bool lists)
{
    const char *own = own_name(name), *found = NULL, *next;
    size_t room = most - strlen(DOTS);
    for (const char *at = name; at < own && (next = next_piece(name, at)) != NULL;
         at = next) {
        const char *end = is_word(*at) ? next : at + 1;
        if (lists && *at == '<')
            break;
        for (const char *from = at; from < end; from++) {
            size_t width = text_width(from);
            if ((*from & 0xc0) == 0x80 || strchr("(<[{", *from) || width > room)
                continue;
            if (!found)
                found = from;
            if (starts(from, "::") && width >= most - most / 3)
                return buf_format(DOTS "%s", from);
        }
    }
    return found ? buf_format(DOTS "%s", found) : NULL;
}

char *cxxname_fit(const char *name, size_t most)
{
    if (text_width(name) <= most)
        return buf_copy(name);
    if (!is_whole(name))
        return text_end(name, most, "::");
    /* What tells instances of a template apart stays longer than scopes.  */
    char *text = after_step(name, &steps[1]), *fewer = NULL;
    for (int pass = 0; pass < 4 && !fewer; pass++) {
        char *shorter = pass == 0   ? buf_copy(text)
                        : pass == 1 ? cxxname_leave_out(name, most)
                        : pass == 2 ? without(text, false)
                                    : after_step(text, &all);
        free(text);
        text = shorter;
        fewer = text_width(text) <= most ? buf_copy(text)
                : pass == 1              ? NULL
                                         : without_scopes(text, most, pass == 0);
    }
    if (!fewer) {
        char *own = buf_copy(own_name(text));
        char *bare = text_width(own) <= most ? buf_copy(own) : without(own, true);
        fewer = text_end(bare, most, "::");
        free(bare);
        free(own);
    }
    free(text);
    return fewer;
}
