/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/names/readable.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Deeper than the names of any program; a stack is not endless.  */
#define DEPTH_MOST 200

/* The most arguments of one list that are compared with the defaults behind them.  */
#define ARGUMENTS_MOST 64

/* What is read, and what is written in its place.  */
struct writer {
    const char *at;
    char *text;
    size_t length, capacity;
    int depth;
    bool bad; /* it is no name of C++ */
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

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const struct writer *writer, size_t from, const char *with)
{
    size_t length = strlen(with);
    return writer->length >= from + length &&
           memcmp(writer->text + writer->length - length, with, length) == 0;
}

/* What is written from FROM on is TEXT, of LENGTH bytes.  */
static bool equals(const struct writer *writer, size_t from, size_t to, const char *text,
                   size_t length)
{
    return to - from == length && memcmp(writer->text + from, text, length) == 0;
}

/* What is written ends in std:: or a namespace within it; the next word begins at END. */
static bool is_in_std(const struct writer *writer, size_t end)
{
    size_t scope = end;
    while (scope > 0 &&
           (is_word(writer->text[scope - 1]) || writer->text[scope - 1] == ':'))
        scope--;
    return end - scope >= 5 && starts(writer->text + scope, "std::") &&
           writer->text[end - 1] == ':';
}

/* How long the inline namespace at AT is, with its colons: those of libstdc++ and libc++.
   0: none.  */
static size_t inline_namespace(const char *at)
{
    static const char *const names[] = {"__cxx11::",
                                        "_V2::",
                                        "__1::",
                                        "__2::",
                                        "__8::",
                                        "__ndk1::",
                                        "fundamentals_v1::",
                                        "fundamentals_v2::"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (starts(at, names[i]))
            return strlen(names[i]);
    return 0;
}

struct list {
    size_t from[ARGUMENTS_MOST]; /* where each begins in what is written */
    size_t count;
};

static void put_until(struct writer *writer, const char *closing, struct list *list);

/* The argument FROM to END of what is written is TEMPLATE of the type OF to OF_END.  */
static bool is_of(const struct writer *writer, size_t from, size_t end,
                  const char *template, size_t of, size_t of_end)
{
    size_t length = strlen(template), type = of_end - of;
    return end - from == length + type + 2 &&
           memcmp(writer->text + from, template, length) == 0 &&
           writer->text[from + length] == '<' &&
           memcmp(writer->text + from + length + 1, writer->text + of, type) == 0;
}

/* std::allocator<std::pair<K const, V>>, the default of maps.  */
static bool is_of_pair(const struct writer *writer, const struct list *list, size_t from,
                       size_t end)
{
    if (list->count < 3)
        return false;
    const char *text = writer->text;
    size_t key = list->from[0], key_end = list->from[1] - 2;
    size_t value = list->from[1], value_end = list->from[2] - 2;
    char *pair =
        buf_format("std::allocator<std::pair<%.*s const, %.*s>>", (int)(key_end - key),
                   text + key, (int)(value_end - value), text + value);
    bool is_pair = equals(writer, from, end, pair, strlen(pair));
    free(pair);
    return is_pair;
}

/* The last argument is one that is left out by all who write such a type.  */
static bool is_default(const struct writer *writer, const struct list *list)
{
    static const char *const templates[] = {"std::allocator",
                                            "std::char_traits",
                                            "std::less",
                                            "std::equal_to",
                                            "std::hash",
                                            "std::default_delete",
                                            "std::regex_traits",
                                            "std::istreambuf_iterator",
                                            "std::ostreambuf_iterator"};
    size_t last = list->count - 1, from = list->from[last], end = writer->length;
    if (last == 0 || !starts(writer->text + from, "std::"))
        return false;
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
        for (size_t k = 0; k < last; k++)
            if (is_of(writer, from, end, templates[i], list->from[k],
                      list->from[k + 1] - 2))
                return true;
    return is_of_pair(writer, list, from, end) ||
           equals(writer, from, end, "std::ratio<1, 1>", 16) ||
           equals(writer, from, end, "std::ratio<1l, 1l>", 18);
}

/* std::basic_string<char> and the like, which begins at NAME, becomes std::string.  */
static void put_typedef(struct writer *writer, size_t name)
{
    static const struct {
        const char *type, *prefix;
    } characters[] = {{"<char>", ""},
                      {"<wchar_t>", "w"},
                      {"<char8_t>", "u8"},
                      {"<char16_t>", "u16"},
                      {"<char32_t>", "u32"}};
    static const char basic[] = "basic_";
    if (!starts(writer->text + name, basic) || !is_in_std(writer, name))
        return;
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++) {
        const char *type = characters[i].type;
        if (!ends(writer, name, type))
            continue;
        size_t from = name + strlen(basic), end = writer->length - strlen(type);
        if (memchr(writer->text + from, '<', end - from))
            return;
        char *word = buf_copy_prefix(writer->text + from, end - from);
        writer->length = name;
        put(writer, characters[i].prefix, strlen(characters[i].prefix));
        put(writer, word, strlen(word));
        free(word);
        /* Its constructors and its destructor.  */
        const char *rest = writer->at + (starts(writer->at, "::~") ? 3 : 2);
        if (starts(writer->at, "::") && starts(rest, basic)) {
            size_t length = strspn(rest + 6, "abcdefghijklmnopqrstuvwxyz_");
            if (length == end - from && !is_word(rest[6 + length])) {
                copy(writer, (size_t)(rest - writer->at));
                char *again = buf_copy_prefix(writer->text + name,
                                              strlen(characters[i].prefix) + length);
                put(writer, again, strlen(again));
                free(again);
                writer->at = rest + 6 + length;
            }
        }
        return;
    }
}

/* The template arguments at the reader, of the name that begins at NAME.  */
static void put_arguments(struct writer *writer, size_t name)
{
    struct list list = {0};
    copy(writer, 1);
    put_until(writer, ">", &list);
    /* An empty list has one argument without text.  */
    while (!writer->bad && list.count <= ARGUMENTS_MOST && list.count > 1 &&
           is_default(writer, &list))
        writer->length = list.from[--list.count] - 2;
    if (writer->bad || *writer->at != '>') {
        writer->bad = true;
        return;
    }
    copy(writer, 1);
    put_typedef(writer, name);
}

/* One thing that is no comma and closes nothing.  *NAME is where the name begins that
   template arguments would belong to.  */
static void put_one(struct writer *writer, size_t *name)
{
    static const char opening[] = "([{", closing[] = ")]}";
    char c = *writer->at;
    const char *bracket = strchr(opening, c);
    if (starts(writer->at, "[abi:")) {
        writer->at += strcspn(writer->at, "]");
        writer->at += *writer->at == ']';
    } else if (is_word(c)) {
        *name = writer->length;
        size_t skipped =
            is_in_std(writer, writer->length) ? inline_namespace(writer->at) : 0;
        writer->at += skipped;
        if (!skipped)
            copy(writer, cxxname_word(writer->at));
    } else if (starts(writer->at, "->")) {
        copy(writer, 2);
    } else if (c == '\'' && writer->at[1] && strchr(writer->at + 2, '\'')) {
        copy(writer, (size_t)(strchr(writer->at + 2, '\'') + 1 - writer->at));
    } else if (c == '<') {
        char before = writer->length ? writer->text[writer->length - 1] : 0;
        /* `.<case 5>' of a branch, and names in brackets of ccprof's own.  */
        if (before == 0 || before == '.')
            copy(writer, strlen(writer->at));
        else
            put_arguments(writer, *name);
    } else if (bracket) {
        const char close[] = {closing[bracket - opening], 0};
        copy(writer, 1);
        put_until(writer, close, NULL);
        if (writer->bad || *writer->at != close[0])
            writer->bad = true;
        else
            copy(writer, 1);
    } else if (strchr(")]}>", c)) {
        writer->bad = true;
    } else {
        copy(writer, 1);
    }
}

/* All up to CLOSING, which is not read; "": the end.  LIST, which may be NULL, gets the
   beginnings of what commas divide.  */
static void put_until(struct writer *writer, const char *closing, struct list *list)
{
    size_t name = writer->length;
    if (++writer->depth > DEPTH_MOST)
        writer->bad = true;
    if (list)
        list->from[list->count++] = writer->length;
    while (!writer->bad && *writer->at && !(closing[0] && *writer->at == closing[0])) {
        if (list && *writer->at == ',') {
            writer->at += 1 + strspn(writer->at + 1, " ");
            put(writer, ", ", 2);
            if (list->count < ARGUMENTS_MOST)
                list->from[list->count] = writer->length;
            else
                writer->bad = true;
            list->count++;
            name = writer->length;
        } else if (list && *writer->at == ' ' &&
                   writer->at[strspn(writer->at, " ")] == '>') {
            /* `> >' */
            writer->at += strspn(writer->at, " ");
        } else {
            put_one(writer, &name);
        }
    }
    writer->depth--;
}

/* Other languages have no such names.  */
static bool may_be_shorter(const char *name)
{
    return (strchr(name, '<') && name[0] != '<') || strstr(name, "std::") ||
           strstr(name, "[abi:");
}

char *readable(const char *name, size_t most)
{
    if (!may_be_shorter(name))
        return buf_copy(name);
    struct writer writer = {.at = name};
    put(&writer, "", 0);
    put_until(&writer, "", NULL);
    if (writer.bad || *writer.at) {
        free(writer.text);
        return buf_copy(name);
    }
    if (!most)
        return writer.text;
    char *text = cxxname_leave_out(writer.text, most);
    free(writer.text);
    return text;
}
