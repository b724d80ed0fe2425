/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes equal names in a list different: adds arguments, then positions, and shortens
   the result where the names are the same. */

#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/index.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"
#include "mlprof/names/names.h"
#include "mlprof/names/readable.h"

#include <stdlib.h>
#include <string.h>

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Returns whether A and B are copies of one function (see stacks_split). Copies of
   one function may have equal names. */
static bool is_same(const struct identity_source *a, const struct identity_source *b)
{
    return is_same_text(a->name, b->name) && is_same_text(a->symbol, b->symbol) &&
           is_same_text(a->file, b->file) && a->line == b->line && a->column == b->column;
}

/* Returns, for each name, whether another function has the same name in views. If the
   style shows positions, they are part of the name. Returns NULL if all names are
   unique. The caller frees the result. */
static bool *find_equal_names(const struct names_unique *names, size_t count,
                              const struct names_style *style)
{
    struct index index = {0};
    struct intern files = {0};
    bool *alike = buf_alloc((count + 1) * sizeof *alike), any = false;
    BUF_OWN uint32_t *first = buf_alloc((count + 1) * sizeof *first);
    BUF_OWN uint32_t *first_equal = buf_alloc((count + 1) * sizeof *first_equal);
    for (uint32_t i = 0; i < count; i++) {
        const struct identity_source *source = names[i].source;
        bool fresh, placed = style->show_line && source->file;
        uint32_t number = index_put(
            &index, (uintptr_t)names[i].shown,
            placed ? intern_put(&files, sourcefile_name(source->file)) : UINT32_MAX,
            placed ? source->line : 0, &fresh);
        if (fresh)
            first[number] = i;
        first_equal[i] = first[number];
        if (!fresh && !is_same(names[first_equal[i]].source, source))
            any = alike[first_equal[i]] = true;
    }
    for (uint32_t i = 0; i < count; i++)
        alike[i] = alike[first_equal[i]];
    intern_free(&files);
    index_free(&index);
    if (any)
        return alike;
    free(alike);
    return NULL;
}

/* Names wider than this are shortened to READABLE_WIDEST. Narrower names can still be
   read and fitted to a terminal. */
#define WIDE 300

/* Maximum number of places at which a shortened name keeps text because it differs
   from other names. */
#define PLACES_MOST 6

/* A name that several functions have in views, and the longer name of one of these
   functions. */
struct long_name {
    const char *shown; /* interned */
    char *text;
    size_t same; /* number of leading bytes that equal the previous text in the list */
    struct names_unique *name;
};

BUF_COMPARE(by_texts, struct long_name,
            BUF_ORDER(a->shown, b->shown) ?: strcmp(a->text, b->text))

/* Returns the number of leading bytes that are the same. */
static size_t same_bytes(const char *a, const char *b)
{
    size_t count = 0;
    while (a[count] && a[count] == b[count])
        count++;
    return count;
}

/* Adds PLACE to PLACES, which are sorted. Returns false if there is no more room. */
static bool add_place(size_t *places, size_t *count, size_t place)
{
    size_t i = *count;
    for (size_t k = 0; k < *count; k++)
        if (places[k] == place)
            return true;
    if (*count == PLACES_MOST)
        return false;
    for (; i > 0 && places[i - 1] > place; i--)
        places[i] = places[i - 1];
    places[i] = place;
    ++*count;
    return true;
}

/* Sets PLACES to the byte positions where the text with the index NUMBER in LIST differs
   from the other texts with the same shown name. LIST has COUNT sorted texts.
   Returns the number of places, or 0 if there are too many. */
static size_t find_places(const struct long_name *list, size_t count, size_t number,
                          size_t places[PLACES_MOST])
{
    size_t found = 0, least = SIZE_MAX;
    for (size_t i = number; least && i-- > 0 && list[i].shown == list[number].shown;) {
        least = list[i + 1].same < least ? list[i + 1].same : least;
        if (list[number].text[least] && !add_place(places, &found, least))
            return 0;
    }
    least = SIZE_MAX;
    for (size_t i = number + 1; least && i < count && list[i].shown == list[number].shown;
         i++) {
        least = list[i].same < least ? list[i].same : least;
        if (list[number].text[least] && !add_place(places, &found, least))
            return 0;
    }
    return found;
}

/* Returns the length of the scopes before the first arguments. */
static size_t scopes_length(const char *text)
{
    size_t length = 0, end = strcspn(text, "<([{");
    for (size_t i = 0; i + 1 < end; i++)
        if (text[i] == ':' && text[i + 1] == ':')
            length = i + 2;
    return length;
}

/* Shortens the text with the index NUMBER in LIST if it is too wide. Keeps the places
   where it differs from the other texts. Omits the scopes if they take too much
   space. Returns NULL if the text is not too wide, or if the places do not fit. */
static char *shorten_text(const struct long_name *list, size_t count, size_t number)
{
    static const char dots[] = "...::";
    const char *text = list[number].text;
    size_t places[PLACES_MOST], found, scopes = scopes_length(text);
    if (text_width(text) <= WIDE || !(found = find_places(list, count, number, places)))
        return NULL;
    char *shorter = cxxname_keep_places(text, places, found, READABLE_WIDEST);
    if (shorter || scopes < sizeof dots || places[0] < scopes)
        return shorter;
    BUF_OWN char *rest = buf_format("%s%s", dots, text + scopes);
    for (size_t i = 0; i < found; i++)
        places[i] -= scopes - strlen(dots);
    return cxxname_keep_places(rest, places, found, READABLE_WIDEST);
}

/* LIST has COUNT sorted texts. Shortens each text that stays different from the other
   texts when it is shortened. Sets the shown names. */
static void shorten_texts(struct long_name *list, size_t count, struct intern *texts)
{
    struct index index = {0};
    BUF_OWN size_t *first = buf_alloc((count + 1) * sizeof *first);
    BUF_OWN bool *alike = buf_alloc((count + 1) * sizeof *alike);
    BUF_OWN const char **shorter = buf_alloc((count + 1) * sizeof *shorter);
    for (size_t i = 1; i < count; i++)
        list[i].same = same_bytes(list[i - 1].text, list[i].text);
    for (size_t i = 0; i < count; i++) {
        char *text = shorten_text(list, count, i);
        bool fresh;
        shorter[i] = text ? intern_keep(texts, text) : NULL;
        if (!text)
            continue;
        uint32_t number = index_put(&index, (uintptr_t)shorter[i], 0, 0, &fresh);
        if (fresh)
            first[number] = i;
        else if (strcmp(list[i].text, list[first[number]].text) != 0)
            alike[i] = alike[first[number]] = true;
    }
    for (size_t i = 0; i < count; i++)
        list[i].name->shown = shorter[i] && !alike[i]
                                  ? shorter[i]
                                  : intern_keep(texts, buf_copy(list[i].text));
    index_free(&index);
}

/* Makes the names that are ALIKE longer in the way WAY. Readable names that become
   too wide are shortened, but the differences between them are kept. */
static void lengthen_names(struct names_unique *names, size_t count, const bool *alike,
                           struct intern *texts, const struct names_style *style,
                           enum names_way way)
{
    BUF_OWN struct long_name *list = buf_alloc((count + 1) * sizeof *list);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        char *text = alike[i] ? names_lengthen(names[i].source, style, way) : NULL;
        if (text)
            list[found++] = (struct long_name){names[i].shown, text, 0, &names[i]};
    }
    BUF_SORT(list, found, by_texts);
    if (style->form == NAMES_READABLE &&
        (way == NAMES_ARGUMENTS || way == NAMES_PARAMETERS)) {
        shorten_texts(list, found, texts);
    } else {
        for (size_t i = 0; i < found; i++)
            list[i].name->shown = intern_keep(texts, buf_copy(list[i].text));
    }
    for (size_t i = 0; i < found; i++)
        free(list[i].text);
}

void names_make_unique(struct names_unique *names, size_t count, struct intern *texts,
                       const struct names_style *style)
{
    for (size_t i = 0; i < count; i++)
        names[i].shown = intern_keep(texts, names_of(names[i].source, style));
    for (enum names_way way = 0; way < NAMES_WAYS; way++) {
        bool *alike = find_equal_names(names, count, style);
        if (!alike)
            break;
        lengthen_names(names, count, alike, texts, style, way);
        free(alike);
    }
}
