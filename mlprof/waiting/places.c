/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps all names in one table, so that callers may compare them by address. */

#include "mlprof/waiting/places.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"
#include "mlprof/elf/symbols.h"
#include "mlprof/names/readable.h"
#include "mlprof/program/code-names.h"

#include <inttypes.h>
#include <stdlib.h>

struct places {
    const struct profile *profile;
    const struct program *program;
    const struct names_style *style;
    const struct patterns *libraries, *hide;
    struct outside *outside;
    struct symbols **symbols; /* of variables, by module; NULL: not read */
    struct frames frames;
    struct intern texts;
    uint32_t *first;      /* by object: node of the first wait for it */
    const char **objects; /* by object: its name; NULL: not known yet */
    struct index index;   /* key: module, address; number: in LIST */
    BUF_VECTOR(struct places_place) list;
};

struct places *places_new(const struct profile *profile, const struct program *program,
                          const struct names_style *style,
                          const struct patterns *libraries, const struct patterns *hide)
{
    const struct waitdata *waits = &profile->waits;
    struct places *places = buf_alloc(sizeof *places);
    *places = (struct places){.profile = profile,
                              .program = program,
                              .style = style,
                              .libraries = libraries,
                              .hide = hide};
    places->outside = outside_new(profile, program_path(program, profile, 0));
    places->symbols = buf_alloc((profile->modules.count + 1) * sizeof *places->symbols);
    places->first = buf_alloc((waits->objects.count + 1) * sizeof *places->first);
    places->objects = buf_alloc((waits->objects.count + 1) * sizeof *places->objects);
    for (size_t i = waits->waits.count; i-- > 0;)
        if (waits->waits.list[i].object != WAITDATA_NONE)
            places->first[waits->waits.list[i].object] = waits->waits.list[i].stack;
    return places;
}

void places_free(struct places *places)
{
    if (!places)
        return;
    for (size_t i = 0; i < places->profile->modules.count; i++)
        symbols_free(places->symbols[i]);
    free(places->symbols);
    outside_free(places->outside);
    frames_free(&places->frames);
    intern_free(&places->texts);
    index_free(&places->index);
    free(places->first);
    free(places->objects);
    free(places->list.list);
    free(places);
}

static const char *keep(struct places *places, char *text)
{
    char *clean = text_clean(text);
    free(text);
    return intern_keep(&places->texts, clean);
}

/* Returns whether frame I of those that were read last is left out of the names. */
static bool is_hidden(const struct places *places, size_t i)
{
    const struct frames *frames = &places->frames;
    const struct identity_source source =
        identity_of(frames->function->unit, frames->list[i].source);
    for (size_t p = 0; p < places->hide->count; p++)
        if (names_match(&places->hide->list[p], &source, NULL, places->style))
            return true;
    return false;
}

/* Returns the index of the innermost of the frames that were read last that is outside of
   libraries and not hidden. Sets *LIBRARY to whether there is none. */
static size_t innermost(const struct places *places, bool *library)
{
    static const struct patterns none;
    const struct frames *frames = &places->frames;
    for (size_t i = frames->count; i-- > 0;) {
        const struct identity_source source =
            identity_of(frames->function->unit, frames->list[i].source);
        if (!library_has(&source, places->libraries ? places->libraries : &none) &&
            !is_hidden(places, i)) {
            *library = false;
            return i;
        }
    }
    *library = true;
    return frames->count - 1;
}

/* Names the frames that were read last. */
static struct places_place name_frames(struct places *places)
{
    const struct frames *frames = &places->frames;
    const struct unit *unit = frames->function->unit;
    struct places_place place = {0};
    size_t shown = innermost(places, &place.library);
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    for (size_t i = 0; i <= shown; i++) {
        const struct identity_source source = identity_of(unit, frames->list[i].source);
        place.function = keep(places, names_of(&source, places->style));
        if (i == shown || !is_hidden(places, i))
            fprintf(out, "%s%s", place.function, i < shown ? " > " : "");
    }
    buf_close(out);
    place.inlined = intern_keep(&places->texts, text);
    const struct function_position *position = &frames->list[shown].position;
    const char *file = position->line ? unit_file(unit, position->file) : NULL;
    if (file) {
        place.file = keep(
            places, buf_copy(place.library ? path_last(file) : sourcefile_name(file)));
        place.line = position->line;
    }
    return place;
}

/* Finds the function at an address, in the tables or else in the symbols. */
static struct places_place find_place(struct places *places, uint32_t module,
                                      uint64_t address)
{
    if (module != PROFILE_NO_MODULE &&
        frames_read(&places->frames, places->program, module, address))
        return name_frames(places);
    BUF_OWN char *name = outside_name(places->outside, module, address);
    const char *function =
        keep(places, names_of(&(struct identity_source){.name = name}, places->style));
    return (struct places_place){
        .function = function, .inlined = function, .library = true};
}

struct places_place places_at(struct places *places, uint32_t module, uint64_t address)
{
    bool fresh;
    if (module == PROFILE_PROCESS || (module == PROFILE_NO_MODULE && address == 0))
        return (struct places_place){0};
    uint32_t number = index_put(&places->index, module, address, 0, &fresh);
    if (fresh) {
        const struct places_place place = find_place(places, module, address);
        BUF_PUSH(places->list) = place;
    }
    return places->list.list[number];
}

const char *places_process(struct places *places, uint64_t number)
{
    return keep(places, buf_format("process %" PRIu64, number));
}

struct places_place places_call(struct places *places, uint32_t number)
{
    const struct waitdata_node *node = &places->profile->waits.nodes.list[number];
    return profile_stands_around(node->module)
               ? (struct places_place){0}
               : places_at(places, node->module, node->address);
}

struct places_place places_node(struct places *places, uint32_t number)
{
    for (uint32_t i = number; i != PROFILE_NO_NODE;
         i = places->profile->waits.nodes.list[i].parent) {
        const struct places_place place = places_call(places, i);
        if (place.function && !place.library)
            return place;
    }
    return places_call(places, number);
}

char *places_text(const struct places_place *place)
{
    return !place->function ? NULL
           : place->file
               ? buf_format("%s, %s: %" PRIu32, place->function, place->file, place->line)
               : buf_copy(place->function);
}

/* Returns the name of the variable at ADDRESS, or NULL. The caller frees it. */
static char *variable_name(struct places *places, uint32_t module, uint64_t address)
{
    const struct profile *profile = places->profile;
    uint64_t offset;
    if (module == PROFILE_NO_MODULE)
        return NULL;
    if (!places->symbols[module])
        places->symbols[module] =
            symbols_read(program_path(places->program, profile, module),
                         profile->modules.list[module].build_id, true);
    const char *symbol = symbols_find(places->symbols[module], address, &offset);
    if (!symbol)
        return NULL;
    BUF_OWN char *demangled = demangle(symbol);
    BUF_OWN char *name =
        names_of(&(struct identity_source){.name = demangled ? demangled : symbol,
                                           .symbol = symbol},
                 &(struct names_style){.long_name = true, .form = places->style->form});
    return offset ? buf_format("%s+%" PRIu64, name, offset) : buf_copy(name);
}

/* Returns a name for an object without a variable. The caller frees it. */
static char *address_name(struct places *places, uint32_t number)
{
    const struct waitdata_object *object = &places->profile->waits.objects.list[number];
    const struct places_place place = places_node(places, places->first[number]);
    return place.function ? buf_format("lock 0x%" PRIx64 " first waited for in %s",
                                       object->address, place.function)
                          : buf_format("lock 0x%" PRIx64, object->address);
}

const char *places_object(struct places *places, uint32_t number)
{
    const struct waitdata *waits = &places->profile->waits;
    const struct waitdata_object *object = &waits->objects.list[number];
    if (places->objects[number])
        return places->objects[number];
    char *name =
        object->name != WAITDATA_NONE
            ? buf_copy(intern_text(&waits->names, object->name))
            : variable_name(places, object->module, object->address)
                  ?: address_name(places, number);
    return places->objects[number] = keep(places, name);
}
