/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the shown name of a source, matches patterns with it, and marks the sources of
   -unprofile in the tables. */

#include "mlprof/names/names.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/names/readable.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns the demangled name, in brackets, of a function outside of profiled code,
   which has the name <SYMBOL>. Returns NULL if the source is not such a function, or
   if SYMBOL is not mangled. The caller frees the result. */
static char *outside_name(const struct identity_source *source, enum names_form form)
{
    size_t length = strlen(source->name);
    if (source->file || source->name[0] != '<' || source->name[length - 1] != '>')
        return NULL;
    BUF_OWN char *symbol = buf_copy_prefix(source->name + 1, length - 2);
    BUF_OWN char *full = demangle(symbol);
    if (!full)
        return NULL;
    BUF_OWN char *plain = form == NAMES_FULL ? buf_copy(full) : signature_name(full);
    BUF_OWN char *name =
        form == NAMES_READABLE ? readable(plain, READABLE_MOST) : buf_copy(plain);
    return buf_format("<%s>", name);
}

static char *plain_name(const struct identity_source *source, bool long_name)
{
    char *outside = outside_name(source, NAMES_PLAIN);
    if (outside)
        return outside;
    bool last = !long_name && source->file;
    return buf_copy(last ? text_last_component(source->name) : source->name);
}

/* Returns the name of a coroutine, given the name of its body, or NULL if FULL is not
   the name of a coroutine's body. The caller frees the result. GCC names the body of
   the coroutine f<int>(int) `f(f<int>(int)::_Z...Frame*) [clone .actor]'
   (cp/coroutines.cc). The result is the coroutine's name plus the text from
   `.coroutine' on in NAME. */
static char *coroutine_name(const char *full, const char *name)
{
    const char *role = strstr(name, ".coroutine"), *end = strstr(full, "::_Z");
    if (!role || !end)
        return NULL;
    const char *start = end;
    for (int open = 0; start > full && (open > 0 || start[-1] != '('); start--)
        open += start[-1] == ')' ? 1 : start[-1] == '(' ? -1 : 0;
    return start > full ? buf_format("%.*s%s", (int)(end - start), start, role) : NULL;
}

/* Returns whether the plugin has shortened the name because the full name was too long
   (plugin/gcc/names.h). Other functions may have the same shortened name. */
static bool is_shortened(const struct identity_source *source)
{
    return source->symbol && source->symbol[0] && strstr(source->name, "<...>");
}

/* Returns the name with parameters if it is known, or the symbol if this name would be
   too long. */
static char *full_name(const struct identity_source *source, bool long_name)
{
    char *full = demangle(source->symbol);
    char *body = full ? coroutine_name(full, source->name) : NULL;
    if (body) {
        free(full);
        return body;
    }
    if (!full)
        full = outside_name(source, NAMES_FULL);
    if (!full && is_shortened(source))
        full = buf_copy(source->symbol);
    return full ? full : plain_name(source, long_name);
}

/* Makes NAME readable and frees it. A name in brackets may be the phase of a function
   with a stopwatch. For such a name, the text inside the brackets is made readable. */
static char *make_readable(char *name, size_t most)
{
    size_t length = strlen(name);
    char *text;
    if (length > 2 && name[0] == '[' && name[length - 1] == ']') {
        BUF_OWN char *inner = buf_copy_prefix(name + 1, length - 2);
        BUF_OWN char *short_inner = readable(inner, most);
        text = buf_format("[%s]", short_inner);
    } else {
        text = readable(name, most);
    }
    free(name);
    return text;
}

char *names_of(const struct identity_source *source, const struct names_style *style)
{
    if (style->form == NAMES_FULL)
        return full_name(source, style->long_name);
    char *outside = outside_name(source, style->form);
    if (outside)
        return outside;
    char *plain = plain_name(source, style->long_name);
    return style->form == NAMES_PLAIN ? plain : make_readable(plain, READABLE_MOST);
}

/* Appends the position in FILE to NAME, which is freed. COLUMN says whether the
   position includes the column. */
static char *with_position(char *name, const struct identity_source *source, bool column,
                           const char *file)
{
    char *text = NULL;
    if (file && column)
        text = buf_format("%s (%s:%" PRIu32 ":%" PRIu32 ")", name, file, source->line,
                          source->column);
    else if (file)
        text = buf_format("%s (%s:%" PRIu32 ")", name, file, source->line);
    free(name);
    return text;
}

static bool is_lambda(const struct identity_source *source)
{
    const char *last = text_last_component(source->name);
    /* A lambda with parameters of type auto has template arguments after its name. */
    return strcmp(last, "lambda") == 0 || text_begins(last, "lambda<");
}

char *names_lengthen(const struct identity_source *source,
                     const struct names_style *style, enum names_way way)
{
    bool is_readable = style->form == NAMES_READABLE;
    const char *file = sourcefile_name(source->file);
    const char *last = file ? path_last(file) : NULL;
    char *full;
    switch (way) {
    case NAMES_LAMBDA_LINE:
    case NAMES_LAMBDA_COLUMN:
        if (!is_lambda(source) || (way == NAMES_LAMBDA_LINE && style->show_line))
            return NULL;
        return with_position(names_of(source, style), source, way == NAMES_LAMBDA_COLUMN,
                             last);
    case NAMES_SOME:
        return is_readable
                   ? make_readable(plain_name(source, style->long_name), READABLE_WIDEST)
                   : NULL;
    case NAMES_ARGUMENTS:
        return is_readable ? make_readable(plain_name(source, style->long_name), 0)
                           : NULL;
    case NAMES_PARAMETERS:
    case NAMES_LINE:
        if (way == NAMES_LINE && style->show_line)
            return NULL;
        full = full_name(source, style->long_name);
        if (is_readable)
            full = make_readable(full, 0);
        return way == NAMES_LINE ? with_position(full, source, false, last) : full;
    case NAMES_WHOLE:
        return is_readable ? full_name(source, style->long_name) : NULL;
    case NAMES_COLUMN:
    case NAMES_PATH:
        return with_position(full_name(source, style->long_name), source, true,
                             way == NAMES_PATH ? source->file : file);
    case NAMES_WAYS:
        break;
    }
    return NULL;
}

char *names_position(const struct identity_source *source)
{
    if (!source->file)
        return NULL;
    const char *file = sourcefile_name(source->file);
    BUF_OWN char *text = source->line ? buf_format("%s: %" PRIu32, file, source->line)
                                      : buf_format("%s: ?", file);
    return text_clean(text);
}

/* Returns, for each character of NAME, whether it is inside the brackets of arguments.
   The caller frees the result. */
static bool *find_bracketed(const char *name)
{
    bool *inside = buf_alloc(strlen(name) + 1);
    size_t depth = 0;
    for (size_t i = 0; name[i]; i++) {
        inside[i] = depth > 0;
        if (name[i] == '<' || name[i] == '(')
            depth++;
        else if ((name[i] == '>' || name[i] == ')') && depth)
            depth--;
    }
    return inside;
}

/* Returns whether PATTERN matches in TEXT, which begins with a name of LENGTH bytes.
   The match must start in the name, at a byte that is not INSIDE. A match that starts
   after the name counts only if it contains one of `./:', or if TEXT is only the name. */
static bool matches_text(const struct pattern *pattern, const char *text, size_t length,
                         const bool *inside)
{
    size_t start = 0, end, whole = strlen(text);
    for (; start <= whole && pattern_next(pattern, text, &start, &end); start++) {
        if (start < length ? !inside[start] : whole == length)
            return true;
        if (start >= length && strcspn(text + start, "./:") < end - start)
            return true;
        while (start + 1 < length && inside[start + 1])
            start++;
    }
    return false;
}

/* Returns whether PATTERN matches in NAME, or in NAME followed by its position. With
   WHOLE, a match may start in the arguments in NAME. Frees NAME. */
static bool matches_name(const struct pattern *pattern,
                         const struct identity_source *source, char *name, bool whole)
{
    BUF_OWN char *clean = text_clean(name), *position = names_position(source);
    BUF_OWN char *label = buf_format("%s  %s", clean, position ? position : "");
    size_t length = strlen(clean);
    BUF_OWN bool *inside = whole ? buf_alloc(length + 1) : find_bracketed(clean);
    bool found = matches_text(pattern, clean, length, inside) ||
                 (position && matches_text(pattern, label, length, inside));
    free(name);
    return found;
}

bool names_match(const struct pattern *pattern, const struct identity_source *source,
                 const char *shown, const struct names_style *style)
{
    const struct names_style alone = {.long_name = style->long_name, .form = style->form};
    char *readable_name = shown ? buf_copy(shown) : names_of(source, &alone);
    return matches_name(pattern, source, readable_name, true) ||
           matches_name(pattern, source, plain_name(source, style->long_name), false) ||
           matches_name(pattern, source, full_name(source, style->long_name), false);
}

static bool mark_unprofiled(struct unit *unit, const struct pattern *pattern,
                            const struct names_style *style)
{
    bool any = false;
    for (size_t i = 0; i < unit->source_count; i++) {
        struct unit_source *source = &unit->sources[i];
        const struct identity_source identity = identity_of(unit, source);
        source->unprofiled = names_match(pattern, &identity, NULL, style);
        any |= source->unprofiled;
    }
    return any;
}

bool unprofile(struct tables *const *tables, size_t count, const struct pattern *pattern,
               const struct names_style *style, struct fault *fault)
{
    bool any = false;
    if (!pattern->text)
        return true;
    for (size_t i = 0; i < count; i++)
        for (uint32_t u = 0; tables[i] && u < tables_unit_count(tables[i]); u++)
            any |= mark_unprofiled(tables_unit(tables[i], u), pattern, style);
    BUF_OWN char *what = buf_format("-unprofile %s", pattern->text);
    return any ||
           fault_set(fault, FAULT_MISMATCH, what, "no function of the program matches");
}

/* Returns the function that stored a time-field sample at NODE, if this function is
   removed from the tables together with everything that is inlined in it at this
   address. Otherwise, or if NODE is not a sample of the kind time-field, returns NULL. */
static const struct unit_source *find_removed_storer(const struct program *program,
                                                     const struct profile *profile,
                                                     const struct profile_node *node,
                                                     const struct unit **unit)
{
    struct tables_point point;
    bool outermost = node->parent == PROFILE_NO_NODE ||
                     profile_is_around(&profile->nodes.list[node->parent]);
    struct tables *tables =
        node->module < program->count ? program->tables[node->module] : NULL;
    if (!outermost || !tables || !tables_has_field(tables) ||
        elffile_is_code(tables_holder(tables), node->address) ||
        !tables_find(tables, node->address, &point))
        return NULL;
    const struct function *function = tables_function(tables, point.function);
    *unit = function->unit;
    return function_innermost(function, point.point)
               ? NULL
               : unit_source(function->unit, function->copies.list[0].source);
}

bool unprofile_has_callers(const struct program *program, const struct profile *profile,
                           const struct pattern *pattern, struct fault *fault)
{
    for (size_t i = 0; pattern->text && i < profile->nodes.count; i++) {
        const struct unit *unit;
        const struct unit_source *source =
            find_removed_storer(program, profile, &profile->nodes.list[i], &unit);
        if (!source || !source->unprofiled || strcmp(source->name, "main") == 0)
            continue;
        struct identity_source identity = identity_of(unit, source);
        BUF_OWN char *name = names_of(&identity, &(struct names_style){0});
        BUF_OWN char *what = buf_format("-unprofile %s", pattern->text);
        return fault_set(
            fault, FAULT_MISMATCH, what,
            "with time-field, the callers of %s are not known, so they cannot have its "
            "time: exclude it at compile time, with "
            "-fplugin-arg-ccprof-exclude-function",
            name);
    }
    return true;
}

void unprofile_artificial(struct tables *const *tables, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t u = 0; tables[i] && u < tables_unit_count(tables[i]); u++) {
            struct unit *unit = tables_unit(tables[i], u);
            for (size_t s = 0; s < unit->source_count; s++)
                unit->sources[s].folded =
                    (unit->sources[s].flags & CCPROF_SOURCE_ARTIFICIAL) != 0;
        }
}
