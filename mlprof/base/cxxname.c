/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/cxxname.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct rewriter rewriter_begin(const char *name)
{
    struct rewriter rewriter = {.at = name};
    rewriter_put(&rewriter, "", 0);
    return rewriter;
}

void rewriter_put(struct rewriter *rewriter, const char *text, size_t length)
{
    rewriter->text =
        buf_grow(rewriter->text, &rewriter->capacity, rewriter->length + length + 1, 1);
    memcpy(rewriter->text + rewriter->length, text, length);
    rewriter_cut(rewriter, rewriter->length + length);
}

void rewriter_copy(struct rewriter *rewriter, size_t length)
{
    rewriter_put(rewriter, rewriter->at, length);
    rewriter->at += length;
}

void rewriter_cut(struct rewriter *rewriter, size_t length)
{
    rewriter->length = length;
    rewriter->text[length] = '\0';
}

void rewriter_deeper(struct rewriter *rewriter)
{
    if (++rewriter->depth > REWRITER_DEEPEST)
        rewriter->bad = true;
}

/* Replaces the removed parts of a name.  */
#define DOTS "..."

bool cxxname_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Returns the length of the operator's name at AT, including leading blanks, or 0 if
   there is no operator. AT follows the word `operator'. An operator that is a word,
   such as `new', needs a leading blank.  */
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
        if (text_begins(at + blanks, symbols[i])) {
            size_t length = strlen(symbols[i]);
            bool word = cxxname_is_word(symbols[i][0]);
            if (!word || (blanks && !cxxname_is_word(at[blanks + length])))
                return blanks + length;
        }
    return 0;
}

size_t cxxname_word(const char *at)
{
    size_t length = 0;
    while (cxxname_is_word(at[length]))
        length++;
    if (length != strlen("operator") || !text_begins(at, "operator"))
        return length;
    size_t symbol = operator_length(at + length);
    length += symbol;
    /* GCC writes `operator< <char>': this blank belongs to the word. The target type
       of a conversion operator is read like any other type.  */
    if (symbol && at[length] == ' ' && at[length + 1] == '<')
        length++;
    return length;
}

/* Returns the length of the next token of a name: a word, an arrow, a character in
   quotes, or a single byte.  */
static size_t token_length(const char *at)
{
    size_t word = cxxname_word(at);
    if (word)
        return word;
    if (text_begins(at, "->"))
        return 2;
    if (*at == '\'' && at[1] && strchr(at + 2, '\''))
        return (size_t)(strchr(at + 2, '\'') + 1 - at);
    return 1;
}

/* The steps that shorten a name. Each step replaces template arguments by `...' if
   they are wider than MOST columns and are nested in at least DEPTH argument lists.  */
static const struct step {
    int depth;
    size_t most;
} steps[] = {{2, 16}, {1, 32}, {1, 16}, {1, 3}}, all = {1, 0};

static void replace_arguments(struct rewriter *rewriter, const struct step *step,
                              int lists, bool in_list);

/* Copies the argument list at the reader, with `...' for the arguments that STEP
   removes. The list is nested in LISTS - 1 other lists.  */
static void replace_in_list(struct rewriter *rewriter, const struct step *step, int lists)
{
    bool was_replaced = false;
    rewriter_copy(rewriter, 1);
    while (*rewriter->at && !rewriter->bad) {
        size_t from = rewriter->length;
        replace_arguments(rewriter, step, lists, true);
        bool too_long =
            (lists >= step->depth && text_width(rewriter->text + from) > step->most) ||
            strcmp(rewriter->text + from, DOTS) == 0;
        if (too_long) {
            /* Write one `...' for several adjacent arguments.  */
            rewriter_cut(rewriter, was_replaced ? from - 2 : from);
            if (!was_replaced)
                rewriter_put(rewriter, DOTS, strlen(DOTS));
        }
        was_replaced = too_long;
        if (*rewriter->at != ',')
            break;
        rewriter_copy(rewriter, 1);
        rewriter_copy(rewriter, strspn(rewriter->at, " "));
    }
    if (*rewriter->at == '>')
        rewriter_copy(rewriter, 1);
}

/* Copies the text at the reader up to a closing bracket or, in a list, a comma.
   Arguments that STEP removes become `...'.  */
static void replace_arguments(struct rewriter *rewriter, const struct step *step,
                              int lists, bool in_list)
{
    rewriter_deeper(rewriter);
    while (*rewriter->at && !rewriter->bad) {
        const char *at = rewriter->at;
        if (in_list && (*at == ',' || *at == '>'))
            break;
        if (*at == '<' && rewriter->length &&
            rewriter->text[rewriter->length - 1] != '.') {
            replace_in_list(rewriter, step, lists + 1);
        } else if (strchr("([{", *at)) {
            char close = *at == '(' ? ')' : *at == '[' ? ']' : '}';
            rewriter_copy(rewriter, 1);
            while (*rewriter->at && *rewriter->at != close && !rewriter->bad) {
                replace_arguments(rewriter, step, lists, false);
                if (*rewriter->at && *rewriter->at != close)
                    rewriter_copy(rewriter, 1);
            }
            if (*rewriter->at)
                rewriter_copy(rewriter, 1);
        } else if (strchr(")]}", *at)) {
            break;
        } else {
            rewriter_copy(rewriter, token_length(at));
        }
    }
    rewriter->depth--;
}

/* Returns NAME with `...' for the arguments that STEP removes; freed by free.  */
static char *shorten_by(const char *name, const struct step *step)
{
    struct rewriter rewriter = rewriter_begin(name);
    replace_arguments(&rewriter, step, 0, false);
    if (!rewriter.bad)
        return rewriter.text;
    free(rewriter.text);
    return buf_copy(name);
}

char *cxxname_leave_out(const char *name, size_t most)
{
    char *shown = buf_copy(name);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && text_width(shown) > most;
         i++) {
        free(shown);
        shown = shorten_by(name, &steps[i]);
    }
    return shown;
}

/* Returns the position after the brackets that open at AT; NULL if they are not
   closed.  */
static const char *skip_brackets(const char *at)
{
    char close[REWRITER_DEEPEST];
    size_t depth = 0;
    do {
        if (!*at || depth == REWRITER_DEEPEST)
            return NULL;
        const char *opens = strchr("(<[{", *at);
        if (opens)
            close[depth++] = ")>]}"[opens - "(<[{"];
        else if (*at == close[depth - 1])
            depth--;
        else if (strchr(")>]}", *at))
            return NULL;
        at += opens ? 1 : token_length(at);
    } while (depth);
    return at;
}

/* Returns whether the bracket at AT in NAME opens a list of parameters. The brackets
   of `(anonymous namespace)' and of a position, ` (x.cc:1)', follow other characters.  */
static bool are_parameters(const char *name, const char *at)
{
    return *at == '(' && at > name && (cxxname_is_word(at[-1]) || strchr(">)]", at[-1]));
}

/* Returns the position after the token at AT in NAME. AT is outside all brackets;
   brackets and their content count as one token. Returns NULL at the end of the name.
   The name ends at the end of the text, at a closing bracket, or at a name in `<>'
   that ccprof has invented.  */
static const char *next_token(const char *name, const char *at)
{
    if (!*at || strchr(")>]}", *at))
        return NULL;
    if (*at == '<' && (at == name || at[-1] == '.'))
        return NULL;
    return strchr("(<[{", *at) ? skip_brackets(at) : at + token_length(at);
}

/* Returns whether all brackets of NAME match.  */
static bool brackets_match(const char *name)
{
    const char *at = name, *next;
    while ((next = next_token(name, at)) != NULL)
        at = next;
    return !*at || (*at == '<' && (at == name || at[-1] == '.'));
}

/* Returns the beginning of the function's own name in NAME, after the return type and
   the scopes.  */
static const char *find_own_name(const char *name)
{
    /* A blank ends the return type only if a list of parameters follows.  */
    const char *own = name, *typed = name, *next;
    for (const char *at = name; (next = next_token(name, at)) != NULL; at = next) {
        if (text_begins(at, "::") && at[2]) {
            next = own = typed = at + 2;
        } else if (*at == ' ') {
            typed = next;
        } else if (text_begins(at, "operator") && next == at + strlen("operator")) {
            /* A conversion operator: its target type follows.  */
            break;
        } else if (are_parameters(name, at) && !text_begins(next, "::")) {
            return typed;
        } else if (*at == '(' && !text_begins(next, "::")) {
            break;
        }
    }
    return own;
}

/* Returns NAME without details; freed by free. If LISTS, all lists of parameters and
   of template arguments are removed; otherwise lists of parameters become `(...)'.  */
static char *remove_lists(const char *name, bool lists)
{
    struct rewriter rewriter = rewriter_begin(name);
    const char *next;
    while ((next = next_token(name, rewriter.at)) != NULL) {
        size_t length = (size_t)(next - rewriter.at);
        bool list = are_parameters(name, rewriter.at) || (lists && *rewriter.at == '<');
        if (list && lists) {
            rewriter.at = next;
        } else if (list && length > strlen("(" DOTS ")")) {
            rewriter_put(&rewriter, "(" DOTS ")", strlen("(" DOTS ")"));
            rewriter.at = next;
        } else {
            rewriter_copy(&rewriter, length);
        }
    }
    rewriter_copy(&rewriter, strlen(rewriter.at));
    return rewriter.text;
}

/* Returns NAME, which is wider than MOST columns, with `...' instead of its first
   scopes; freed by free. The remaining name begins at `::' if this makes it at most
   MOST / 3 columns shorter. If LISTS, the first list of template arguments is kept.
   Returns NULL if the name is too wide even without scopes.  */
static char *remove_scopes(const char *name, size_t most, bool lists)
{
    const char *own = find_own_name(name), *found = NULL, *next;
    size_t room = most - strlen(DOTS);
    for (const char *at = name; at < own && (next = next_token(name, at)) != NULL;
         at = next) {
        const char *end = cxxname_is_word(*at) ? next : at + 1;
        if (lists && *at == '<')
            break;
        for (const char *from = at; from < end; from++) {
            size_t width = text_width(from);
            if ((*from & 0xc0) == 0x80 || strchr("(<[{", *from) || width > room)
                continue;
            if (!found)
                found = from;
            if (text_begins(from, "::") && width >= most - most / 3)
                return buf_format(DOTS "%s", from);
        }
    }
    return found ? buf_format(DOTS "%s", found) : NULL;
}

char *cxxname_fit(const char *name, size_t most)
{
    if (text_width(name) <= most)
        return buf_copy(name);
    if (!brackets_match(name))
        return text_end(name, most);
    /* Keep template arguments longer than scopes, since arguments distinguish the
       instances of a template.  */
    char *text = shorten_by(name, &steps[1]), *fewer = NULL;
    for (int pass = 0; pass < 4 && !fewer; pass++) {
        char *shorter = pass == 0   ? buf_copy(text)
                        : pass == 1 ? cxxname_leave_out(name, most)
                        : pass == 2 ? remove_lists(text, false)
                                    : shorten_by(text, &all);
        free(text);
        text = shorter;
        fewer = text_width(text) <= most ? buf_copy(text)
                : pass == 1              ? NULL
                                         : remove_scopes(text, most, pass == 0);
    }
    if (!fewer) {
        BUF_OWN char *own = buf_copy(find_own_name(text));
        BUF_OWN char *short_name =
            text_width(own) <= most ? buf_copy(own) : remove_lists(own, true);
        /* Keep also the f of a.f.  */
        const char *last = text_last_component(short_name);
        bool room = last > short_name && text_width(last) + strlen(DOTS) <= most;
        fewer = room ? text_end(short_name, most) : text_shorten(last, most);
    }
    free(text);
    return fewer;
}

/* Returns NAME with `...' instead of scopes after the first scope; freed by free.
   Removes only as many scopes as necessary to fit into MOST columns.  */
static char *remove_middle_scopes(const char *name, size_t most)
{
    const char *own = find_own_name(name), *rest = NULL, *next;
    size_t head = 0;
    for (const char *at = name; at < own && (next = next_token(name, at)) != NULL;
         at = next) {
        if (!text_begins(at, "::"))
            continue;
        next = at + 2;
        if (!head)
            head = (size_t)(next - name);
        else if (!rest || head + strlen(DOTS "::") + text_width(rest) > most)
            rest = next;
    }
    return rest ? buf_format("%.*s" DOTS "::%s", (int)head, name, rest) : buf_copy(name);
}

char *cxxname_middle(const char *name, size_t most)
{
    if (text_width(name) <= most || !brackets_match(name))
        return buf_copy(name);
    char *text = buf_copy(name), *cut = remove_middle_scopes(text, most);
    for (int pass = 0; pass < 2 && text_width(cut) > most; pass++) {
        char *shorter = pass ? remove_lists(text, false) : shorten_by(text, &all);
        free(text);
        free(cut);
        text = shorter;
        cut =
            text_width(text) <= most ? buf_copy(text) : remove_middle_scopes(text, most);
    }
    free(text);
    return cut;
}

/* Returns the end of the text without brackets that begins at AT. If AT is an opening
   bracket, returns the position of the bracket that closes it, or the end of the name. */
static size_t segment_end(const char *name, size_t at)
{
    bool inside = name[at] && strchr("<([{", name[at]);
    for (size_t depth = 0, length; name[at]; at += length) {
        length = token_length(name + at);
        bool opens = length == 1 && strchr("<([{", name[at]);
        if (opens && !inside)
            break;
        depth += opens;
        if (length == 1 && depth && strchr(">)]}", name[at]) && --depth == 0)
            break;
    }
    return at;
}

/* Prints NAME from FROM up to END in at most MOST columns. Brackets that are opened in
   this range are closed; brackets that are only closed in this range are skipped.
   Returns the position after the last byte read.  */
static size_t print_window(FILE *out, const char *name, size_t from, size_t end,
                           size_t most)
{
    enum { DEEPEST = 8 };
    static const char opening[] = "<([{", closing[] = ">)]}";
    char unclosed[DEEPEST];
    size_t depth = 0, width = 0, at = from;
    for (; at < end && width + depth < most; at++) {
        const char *opens = strchr(opening, name[at]),
                   *closes = strchr(closing, name[at]);
        if (opens && depth == DEEPEST)
            break;
        if (opens)
            unclosed[depth++] = closing[opens - opening];
        if (closes && depth == 0)
            continue;
        if (closes)
            depth--;
        width += ((unsigned char)name[at] & 0xc0) != 0x80;
        putc(name[at], out);
    }
    if (depth && at < end)
        fputs(DOTS, out);
    while (depth > 0)
        putc(unclosed[--depth], out);
    return at;
}

/* Prints the brackets from OPEN to CLOSE, with a window of EACH columns around each of
   the COUNT positions AT inside them. Returns the number of positions at or after
   CLOSE.  */
static size_t print_brackets(FILE *out, const char *name, size_t open, size_t close,
                             const size_t *at, size_t count, size_t each)
{
    size_t done = open + 1;
    putc(name[open], out);
    for (; count && *at < close; at++, count--) {
        size_t from = *at, end = count > 1 && at[1] < close ? at[1] : close;
        while (from > done && cxxname_is_word(name[from - 1]))
            from--;
        if (*at < done)
            continue;
        fputs(from > done ? DOTS : "", out);
        done = print_window(out, name, from, end, each);
    }
    fputs(done < close ? DOTS : "", out);
    return count;
}

char *cxxname_around(const char *name, const size_t *at, size_t count, size_t most)
{
    enum { LEAST = 6 };
    size_t outside = 0, inside = 0;
    for (size_t from = 0, end, k = 0; name[from]; from = end) {
        bool brackets = strchr("<([{", name[from]);
        end = segment_end(name, from);
        outside += brackets ? 1 + strlen(DOTS) : end - from;
        for (; k < count && at[k] < end; k++)
            inside += brackets;
    }
    size_t dots = strlen(DOTS);
    size_t each = inside && most > outside ? (most - outside) / inside : 0;
    if (each < LEAST + 3 * dots)
        return NULL;
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    for (size_t from = 0, end; name[from]; from = end) {
        end = segment_end(name, from);
        size_t passed = 0;
        if (strchr("<([{", name[from])) {
            passed =
                count - print_brackets(out, name, from, end, at, count, each - 3 * dots);
        } else {
            fwrite(name + from, 1, end - from, out);
            while (passed < count && at[passed] < end)
                passed++;
        }
        at += passed;
        count -= passed;
    }
    buf_close(out);
    return text;
}
