/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rewrites demangled names of C++ in a shorter form, bracket by bracket, and reads the
   mangled names of thunks. */

#include "plugin/tables/cxxname.h"
#include "plugin/tables/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ANONYMOUS "(anonymous namespace)"
#define LAMBDA    "{lambda("
#define DEFAULT   "{default arg#"
#define OPERATOR  "operator"

static bool starts_with(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* If an operator's name that contains brackets, or characters that look like brackets,
   starts at TEXT, returns its length, otherwise 0. BEFORE is the character before
   TEXT. */
static size_t operator_length(const char *text, char before)
{
    static const char *const symbols[] = {
        "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "[]", "<", ">"};
    const size_t word = strlen(OPERATOR);

    if (!starts_with(text, OPERATOR) || in_word(before))
        return 0;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (starts_with(text + word, symbols[i]))
            return word + strlen(symbols[i]);
    return 0;
}

static char closing_bracket(char open)
{
    return open == '(' ? ')' : open == '<' ? '>' : open == '[' ? ']' : '}';
}

/* Returns true if a bracket is opened at TEXT. After a closing parenthesis `<' is the
   operator, because the demangler puts operands in parentheses. */
static bool is_opening(const char *text, char before)
{
    return *text && strchr("({[<", *text) && !(*text == '<' && before == ')');
}

/* Returns the position after the bracket that closes the bracket at TEXT, or the end
   of the string. */
static const char *behind_bracket(const char *text)
{
    const char close = closing_bracket(*text);
    const char *p = text + 1;

    while (*p && *p != close) {
        size_t length = operator_length(p, p[-1]);
        if (length)
            p += length;
        else if (starts_with(p, "->"))
            p += 2;
        else if (is_opening(p, p[-1]))
            p = behind_bracket(p);
        else if (close == '>' && strchr(")}]", *p))
            return p;
        else
            p++;
    }
    return *p ? p + 1 : p;
}

/* Skips the qualifiers after the parameters of a member function. */
static const char *behind_qualifiers(const char *text)
{
    static const char *const words[] = {" const", " volatile", " &&", " &", "&&", "&"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (starts_with(text, words[i]) && !in_word(text[strlen(words[i])]))
            return behind_qualifiers(text + strlen(words[i]));
    return text;
}

/* A name that is rewritten in place, from left to right. */
struct speller {
    const char *from;
    char *to, *start;
};

static char last_spelled(const struct speller *s)
{
    return s->to > s->start ? s->to[-1] : ' ';
}

static void copy_text(struct speller *s, size_t length)
{
    memmove(s->to, s->from, length);
    s->to += length;
    s->from += length;
}

static void spell_until(struct speller *s, char close);

/* Copies a pair of brackets and rewrites its content. */
static void spell_bracket(struct speller *s)
{
    const char close = closing_bracket(*s->from);

    copy_text(s, 1);
    spell_until(s, close);
    if (*s->from)
        copy_text(s, 1);
}

/* A lambda has the name {lambda(int)#1}::operator(), or {lambda(int)#1}::_FUN if it is
   converted to a pointer. Its class has the name {lambda(int)#1}. */
static void spell_lambda(struct speller *s)
{
    const char *rest = behind_bracket(s->from);
    bool called = starts_with(rest, "::operator()"),
         pointed = starts_with(rest, "::_FUN");

    if (called || pointed)
        rest += strlen(called ? "::operator()" : "::_FUN");
    if (s->to - s->start >= 2 && last_spelled(s) == ':') {
        s->to -= 2;
        *s->to++ = '.';
    }
    memcpy(s->to, "lambda", strlen("lambda"));
    s->to += strlen("lambda");
    s->from = rest;
    if (!called && !pointed)
        return;
    if (*s->from == '<')
        spell_bracket(s);
    if (*behind_qualifiers(s->from) == '\0')
        s->from = behind_qualifiers(s->from);
}

static void spell_parenthesis(struct speller *s, bool outermost)
{
    const char *rest = behind_qualifiers(behind_bracket(s->from));

    if (starts_with(s->from, ANONYMOUS))
        copy_text(s, strlen(ANONYMOUS));
    else if (starts_with(rest, "::") || (outermost && !*rest))
        s->from = rest;
    else
        spell_bracket(s);
}

static void spell_operator(struct speller *s, size_t length)
{
    copy_text(s, length);
    if (last_spelled(s) == ')' && !*behind_qualifiers(s->from))
        s->from += strlen(s->from);
}

/* Returns true if the next argument is an empty pack of template arguments. */
static bool is_empty_pack(const struct speller *s)
{
    return starts_with(s->from, ", ,") || starts_with(s->from, ", >") ||
           (last_spelled(s) == '<' && starts_with(s->from, ", "));
}

static bool is_conversion(const struct speller *s)
{
    return starts_with(s->from, OPERATOR " ") && !in_word(last_spelled(s));
}

/* Rewrites the name up to the bracket CLOSE, or up to the end if CLOSE is 0. */
static void spell_until(struct speller *s, char close)
{
    while (*s->from && *s->from != close) {
        // Shortcut: most characters are inside words, where nothing can begin.
        if (in_word(*s->from) && in_word(last_spelled(s))) {
            *s->to++ = *s->from++;
            continue;
        }
        size_t length = operator_length(s->from, last_spelled(s));
        if (length)
            spell_operator(s, length);
        else if (starts_with(s->from, "->"))
            copy_text(s, 2);
        else if (starts_with(s->from, LAMBDA))
            spell_lambda(s);
        else if (starts_with(s->from, DEFAULT))
            s->from = behind_bracket(s->from) +
                      (starts_with(behind_bracket(s->from), "::") ? 2 : 0);
        else if (!close && is_conversion(s))
            copy_text(s, strlen(s->from));
        else if (*s->from == '(')
            spell_parenthesis(s, !close);
        else if (close == '>' && is_empty_pack(s))
            s->from += 2;
        else if (close == '>' && strchr(")}]", *s->from))
            return;
        else if (is_opening(s->from, last_spelled(s)))
            spell_bracket(s);
        else
            copy_text(s, 1);
    }
}

void cxxname_shorten(char *name)
{
    struct speller s = {name, name, name};

    spell_until(&s, '\0');
    *s.to = '\0';
}

/* Skips a number followed by `_', and returns its end. Returns NULL if there is none
   at CURSOR. */
static const char *skip_number(const char *cursor)
{
    if (*cursor == 'n')
        cursor++;
    size_t digits = strspn(cursor, "0123456789");
    return digits && cursor[digits] == '_' ? cursor + digits + 1 : NULL;
}

/* Skips h NUMBER or v NUMBER NUMBER, and returns the end. Returns NULL if there is
   none at CURSOR. */
static const char *skip_call_offset(const char *cursor)
{
    char kind = *cursor;
    if (kind != 'h' && kind != 'v')
        return NULL;
    cursor = skip_number(cursor + 1);
    return cursor && kind == 'v' ? skip_number(cursor) : cursor;
}

const char *cxxname_thunk_target(const char *symbol)
{
    static char *target;
    static size_t room;

    if (strncmp(symbol, "_ZT", 3) != 0)
        return NULL;
    const char *cursor = symbol + 3;
    cursor = *cursor == 'c' ? skip_call_offset(cursor + 1) : cursor;
    cursor = cursor ? skip_call_offset(cursor) : NULL;
    if (!cursor)
        return NULL;
    target = memory_reserve(target, &room, strlen(cursor) + 3, 1);
    sprintf(target, "_Z%s", cursor);
    return target;
}
