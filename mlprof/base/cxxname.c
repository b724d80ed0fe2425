/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses C++ names into tokens, and prints, hides and compares tokens. */

#include "mlprof/base/cxxname.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The maximum depth of nested brackets, which bounds the time to shorten a name. Names of
   real programs are less deep. */
#define DEEPEST 200

static const char opening[] = "<([{", closing[] = ">)]}";

bool cxxname_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (cxxname_is_word(text[length]))
        length++;
    return length;
}

/* Returns the length of the operator's symbol at TEXT, which follows `operator', with
   the blanks around it that belong to it. Returns 0 if there is no symbol: the target
   type of a conversion operator is parsed like any other type. */
static size_t symbol_length(const char *text)
{
    static const char symbols[] =
        "<=> <<= >>= ->* () [] -> << >> <= >= == != && || ++ -- += -= *= /= %= ^= &= |= "
        "\"\" < > + - * / % ^ & | ~ ! = ,";
    size_t blanks = strspn(text, " "), length = 3, word = word_length(text + blanks);
    while (length && !text_is_listed(symbols, text + blanks, length))
        length--;
    if (blanks && text_is_listed("new delete", text + blanks, word))
        length = word + (text_begins(text + blanks + word, "[]") ? 2 : 0);
    if (!length)
        return 0;
    length += blanks;
    /* GCC writes `operator< <char>'. */
    return length + text_begins(text + length, " <");
}

static size_t token_length(const char *text)
{
    size_t word = word_length(text), comma = *text == ',';
    if (text_is_listed("operator", text, word))
        return word + symbol_length(text + word);
    if (text_begins(text, "::") || text_begins(text, "->"))
        return 2;
    if (text_begins(text, "..."))
        return 3;
    const char *quote = *text == '\'' && text[1] ? strchr(text + 2, '\'') : NULL;
    if (quote)
        return (size_t)(quote + 1 - text);
    return word ?: comma + strspn(text + comma, " ") ?: 1;
}

struct cxxname cxxname_parse(const char *text)
{
    struct cxxname name = {.valid = true};
    size_t capacity = 0, depth = 0, lists = 0, open = 0;
    const char *rest = text;
    while (*rest && (depth || *rest != '<' || (rest > text && rest[-1] != '.'))) {
        size_t i = name.count;
        struct cxxname_token token = {rest, token_length(rest), i, lists};
        lists += *rest == '<';
        if (strchr(opening, *rest)) {
            /* Until the bracket is closed, PARTNER is the bracket around it. */
            token.partner = open;
            open = i;
            name.valid &= ++depth <= DEEPEST;
        } else if (strchr(closing, *rest) && depth) {
            struct cxxname_token *bracket = &name.tokens[open];
            name.valid &= closing[strchr(opening, *bracket->text) - opening] == *rest;
            token.partner = open;
            lists = bracket->lists;
            open = bracket->partner;
            bracket->partner = i;
            depth--;
        } else if (strchr(closing, *rest)) {
            name.valid = false;
        }
        BUF_NEXT(name.tokens, name.count, capacity) = token;
        rest += token.length;
    }
    name.valid &= !depth;
    BUF_NEXT(name.tokens, name.count, capacity) =
        (struct cxxname_token){rest, strlen(rest), 0, 0};
    return name;
}

void cxxname_free(struct cxxname *name)
{
    free(name->tokens);
    pool_free(&name->texts);
}

char *cxxname_print(const struct cxxname *name, size_t first, size_t end)
{
    size_t length = 0;
    for (size_t i = first; i < end; i++)
        length += name->tokens[i].length;
    char *text = buf_alloc(length + 1), *to = text;
    for (size_t i = first; i < end; to += name->tokens[i++].length)
        memcpy(to, name->tokens[i].text, name->tokens[i].length);
    return text;
}

void cxxname_hide(struct cxxname *name, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        name->tokens[i].text = "";
        name->tokens[i].length = 0;
    }
}

void cxxname_set(struct cxxname *name, size_t token, const char *text)
{
    name->tokens[token].length = strlen(text);
    name->tokens[token].text = pool_copy(&name->texts, text, strlen(text) + 1);
}

bool cxxname_is(const struct cxxname *name, size_t token, const char *text)
{
    return name->tokens[token].length == strlen(text) &&
           memcmp(name->tokens[token].text, text, strlen(text)) == 0;
}

size_t cxxname_next(const struct cxxname *name, size_t token)
{
    size_t partner = name->tokens[token].partner;
    return 1 + (partner > token ? partner : token);
}

size_t cxxname_argument_end(const struct cxxname *name, size_t token)
{
    while (*name->tokens[token].text != ',' && name->tokens[token].partner >= token)
        token = cxxname_next(name, token);
    return token;
}
