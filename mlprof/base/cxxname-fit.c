/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits names to the width of a column by hiding tokens of the parsed name. */

#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/text.h"

#include <stdlib.h>
#include <string.h>

/* Replaces the removed parts of a name. */
#define DOTS "..."

static const char opening[] = "<([{", closing[] = ">)]}";

/* Returns the number of columns of the tokens from FIRST up to END. */
static size_t count_columns(const struct cxxname *name, size_t first, size_t end)
{
    size_t width = 0;
    for (const struct cxxname_token *token = name->tokens + first;
         token < name->tokens + end; token++)
        for (size_t i = 0; i < token->length; i++)
            width += (token->text[i] & 0xc0) != 0x80;
    return width;
}

/* Replaces the tokens from FIRST up to END by `...'. */
static void replace_tokens(struct cxxname *name, size_t first, size_t end)
{
    cxxname_hide(name, first, end);
    cxxname_set(name, first, DOTS);
}

/* The steps that shorten a name. Each step replaces template arguments by `...' if
   they are wider than MOST columns and are nested in at least LISTS argument lists. */
static const struct step {
    size_t lists, most;
} steps[] = {{2, 16}, {1, 32}, {1, 16}, {1, 3}}, all = {1, 0};

/* Replaces the arguments that STEP removes. */
static void replace_arguments(struct cxxname *name, const struct step *step)
{
    /* Inner lists are closed first. */
    for (size_t i = 0; i < name->count; i++) {
        const struct cxxname_token *close = &name->tokens[i];
        bool was_replaced = false;
        if (*close->text != '>' || close->partner == i)
            continue;
        for (size_t first = close->partner + 1, end; first <= i; first = end + 1) {
            end = cxxname_argument_end(name, first);
            size_t width = count_columns(name, first, end);
            bool dots = width == strlen(DOTS) && cxxname_is(name, first, DOTS),
                 too_long = dots || (close->lists >= step->lists && width > step->most);
            /* Write one `...' for several adjacent arguments. */
            if (too_long && was_replaced)
                cxxname_hide(name, first - 1, end);
            else if (too_long)
                replace_tokens(name, first, end);
            was_replaced = too_long;
        }
    }
}

/* Returns TEXT, parsed, without some of its template arguments. Removes the most deeply
   nested arguments first, until the name fits MOST columns. The result may still be
   wider. */
static struct cxxname leave_out(const char *text, size_t most)
{
    struct cxxname name = cxxname_parse(text);
    for (size_t i = 0;
         i < sizeof steps / sizeof *steps && count_columns(&name, 0, name.count) > most;
         i++) {
        cxxname_free(&name);
        name = cxxname_parse(text);
        if (name.valid)
            replace_arguments(&name, &steps[i]);
    }
    return name;
}

/* Returns whether TOKEN opens a list of parameters. The brackets of `(anonymous
   namespace)' and of a position, ` (x.cc:1)', follow other characters. */
static bool are_parameters(const struct cxxname *name, size_t token)
{
    const char *text = name->tokens[token].text;
    return *text == '(' && token &&
           (cxxname_is_word(text[-1]) || strchr(">)]", text[-1]));
}

/* Returns the index of the first token of the function's own name, after the return type
   and the scopes. */
static size_t find_own_name(const struct cxxname *name)
{
    /* A blank ends the return type only if a list of parameters follows. */
    size_t begin = 0, typed = 0;
    for (size_t i = 0, next; i < name->count; i = next) {
        next = cxxname_next(name, i);
        if (cxxname_is(name, i, "::") && *name->tokens[next].text)
            begin = typed = next;
        else if (*name->tokens[i].text == ' ')
            typed = next;
        else if (cxxname_is(name, i, "operator"))
            /* A conversion operator: its target type follows. */
            return begin;
        else if (*name->tokens[i].text == '(' && !cxxname_is(name, next, "::"))
            return are_parameters(name, i) ? typed : begin;
    }
    return begin;
}

/* Replaces lists of parameters by `(...)'. */
static void replace_parameters(struct cxxname *name)
{
    for (size_t i = 0, next; i < name->count; i = next) {
        next = cxxname_next(name, i);
        if (are_parameters(name, i) &&
            count_columns(name, i, next) > strlen("(" DOTS ")"))
            replace_tokens(name, i + 1, next - 1);
    }
}

/* Returns NAME in at most MOST columns, with `...' instead of its first scopes if it is
   wider; freed by free. The remaining name begins at `::' if this makes it at most MOST /
   3 columns shorter. If LISTS, the first list of template arguments is kept. Returns
   NULL if the name is too wide even without scopes. */
static char *remove_scopes(const struct cxxname *name, size_t most, bool lists)
{
    BUF_OWN char *text = cxxname_print(name, 0, name->count);
    size_t begin = find_own_name(name), room = most - strlen(DOTS);
    const char *start = text, *found = NULL;
    if (text_width(text) <= most)
        return buf_copy(text);
    for (size_t i = 0, next = 0; i < begin; start += name->tokens[i++].length) {
        if (i < next)
            continue;
        next = cxxname_next(name, i);
        if (lists && *start == '<')
            break;
        for (size_t k = 0; next == i + 1 && k < name->tokens[i].length; k++) {
            size_t width = text_width(start + k);
            if ((start[k] & 0xc0) == 0x80 || strchr(opening, start[k]) || width > room)
                continue;
            if (!found)
                found = start + k;
            if (text_begins(start + k, "::") && width >= most - most / 3)
                return buf_format(DOTS "%s", start + k);
        }
    }
    return found ? buf_format(DOTS "%s", found) : NULL;
}

/* Returns the function's own name in at most MOST columns; freed by free. Removes lists
   of parameters and template arguments if it is wider. */
static char *fit_own_name(struct cxxname *name, size_t most)
{
    size_t begin = find_own_name(name);
    bool wide = count_columns(name, begin, name->count) > most;
    for (size_t i = begin, next; wide && i + 1 < name->count; i = next) {
        next = cxxname_next(name, i);
        if (are_parameters(name, i) || (i > begin && *name->tokens[i].text == '<'))
            cxxname_hide(name, i, next);
    }
    BUF_OWN char *text = cxxname_print(name, begin, name->count);
    /* Keep also the f of a.f. */
    const char *last = text_last_component(text);
    bool room = last > text && text_width(last) + strlen(DOTS) <= most;
    return room ? text_end(text, most) : text_shorten(last, most);
}

char *cxxname_fit(const char *name, size_t most)
{
    if (text_width(name) <= most)
        return buf_copy(name);
    /* Keep template arguments longer than scopes, since arguments distinguish the
       instances of a template. */
    CXXNAME_OWN struct cxxname scoped = cxxname_parse(name);
    if (!scoped.valid)
        return text_end(name, most);
    replace_arguments(&scoped, &steps[1]);
    char *fitted = remove_scopes(&scoped, most, true);
    if (fitted)
        return fitted;
    CXXNAME_OWN struct cxxname fewer = leave_out(name, most);
    if (count_columns(&fewer, 0, fewer.count) <= most)
        return cxxname_print(&fewer, 0, fewer.count);
    replace_parameters(&fewer);
    if ((fitted = remove_scopes(&fewer, most, false)))
        return fitted;
    replace_arguments(&fewer, &all);
    fitted = remove_scopes(&fewer, most, false);
    return fitted ? fitted : fit_own_name(&fewer, most);
}

/* Returns NAME with `...' instead of scopes after the first scope, if it is wider than
   MOST columns; freed by free. Removes only as many scopes as necessary to fit. */
static char *remove_middle_scopes(const struct cxxname *name, size_t most)
{
    size_t begin = find_own_name(name), head = 0, rest = 0,
           room = most - strlen(DOTS "::");
    if (count_columns(name, 0, name->count) <= most)
        begin = 0;
    for (size_t i = 0; i < begin; i = cxxname_next(name, i)) {
        if (!cxxname_is(name, i, "::"))
            continue;
        if (!head)
            head = i + 1;
        else if (!rest ||
                 count_columns(name, 0, head) + count_columns(name, rest, name->count) >
                     room)
            rest = i + 1;
    }
    BUF_OWN char *first = cxxname_print(name, 0, rest ? head : 0);
    BUF_OWN char *last = cxxname_print(name, rest, name->count);
    return buf_format("%s%s%s", first, rest ? DOTS "::" : "", last);
}

char *cxxname_narrow(const char *name, size_t most, size_t widest)
{
    CXXNAME_OWN struct cxxname parsed = leave_out(name, most);
    for (int pass = 0;; pass++) {
        char *cut = remove_middle_scopes(&parsed, parsed.valid ? widest : SIZE_MAX);
        if (pass == 2 || !parsed.valid || text_width(cut) <= widest)
            return cut;
        free(cut);
        if (pass == 0)
            replace_arguments(&parsed, &all);
        else
            replace_parameters(&parsed);
    }
}

/* Prints NAME from BEGIN up to END in at most MOST columns. Brackets that are opened in
   this range are closed; brackets that are only closed in this range are skipped.
   Returns the position after the last byte read. */
static size_t print_window(FILE *out, const char *name, size_t begin, size_t end,
                           size_t most)
{
    char unclosed[8];
    size_t depth = 0, width = 0, i = begin;
    for (; i < end && width + depth < most; i++) {
        const char *opens = strchr(opening, name[i]), *closes = strchr(closing, name[i]);
        if (opens && depth == sizeof unclosed)
            break;
        if (opens)
            unclosed[depth++] = closing[opens - opening];
        if (closes && depth == 0)
            continue;
        if (closes)
            depth--;
        width += ((unsigned char)name[i] & 0xc0) != 0x80;
        putc(name[i], out);
    }
    if (depth && i < end)
        fputs(DOTS, out);
    while (depth > 0)
        putc(unclosed[--depth], out);
    return i;
}

/* Prints the brackets from OPEN to CLOSE, with a window of EACH columns around each of
   the COUNT POSITIONS inside them. */
static void print_brackets(FILE *out, const char *name, size_t open, size_t close,
                           const size_t *positions, size_t count, size_t each)
{
    size_t done = open + 1;
    putc(name[open], out);
    for (size_t k = 0; k < count && positions[k] < close; k++) {
        bool last = k + 1 == count || positions[k + 1] > close;
        size_t begin = positions[k], end = last ? close : positions[k + 1];
        if (begin < done)
            continue;
        while (begin > done && cxxname_is_word(name[begin - 1]))
            begin--;
        fputs(begin > done ? DOTS : "", out);
        done = print_window(out, name, begin, end, each);
    }
    fprintf(out, "%s%c", done < close ? DOTS : "", name[close]);
}

char *cxxname_keep_places(const char *name, const size_t *positions, size_t count,
                          size_t most)
{
    /* Each window may be between two `...', and end with another one. */
    enum { LEAST = 6, DOTS_AROUND = 9 };
    CXXNAME_OWN struct cxxname parsed = cxxname_parse(name);
    const struct cxxname_token *tokens = parsed.tokens;
    size_t outside = 0, inside = 0;
    for (size_t i = 0, next; i < parsed.count; i = next) {
        next = cxxname_next(&parsed, i);
        const char *close = tokens[next - 1].text;
        outside += next > i + 1 ? strlen("<" DOTS ">") : tokens[i].length;
        for (size_t k = 0; k < count; k++)
            inside +=
                name + positions[k] >= tokens[i].text && name + positions[k] < close;
    }
    size_t each = inside && most > outside ? (most - outside) / inside : 0;
    if (each < LEAST + DOTS_AROUND)
        return NULL;
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    for (size_t i = 0, next; i < parsed.count; i = next) {
        next = cxxname_next(&parsed, i);
        size_t open = (size_t)(tokens[i].text - name),
               close = (size_t)(tokens[next - 1].text - name);
        if (next > i + 1)
            print_brackets(out, name, open, close, positions, count, each - DOTS_AROUND);
        else
            fwrite(name + open, 1, tokens[i].length, out);
    }
    buf_close(out);
    return text;
}
