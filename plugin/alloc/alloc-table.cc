// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the sites and paths of each function, and writes their tables at the end of the
// unit.

#include "plugin/gcc/compat.h"
#include "plugin/tables/encode.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/sources.h"
#include "plugin/label/emit.h"
#include "plugin/label/label.h"
#include "plugin/count/storage.h"
#include "plugin/alloc/alloc.h"

// Length of a site in the tables, in bytes.
#define SITE_SIZE 16

namespace
{
// A site. The members are strings of the unit.
struct site {
    unsigned allocator, symbol, type;
};

// SITE is the number of a site from 1, or 0 for a call. The other members are strings of
// the unit.
struct path {
    unsigned site, called, symbol;
};

// The sites and paths of a compiled function, and the bytes of its stream, as ranges in
// the arrays of the unit.
struct function_sites {
    unsigned row;
    size_t first_site, sites, first_path, paths, first_byte, bytes;
};
} // namespace

// The data of the unit. alloc_table_emit writes them at the end.
static struct {
    struct site *sites;
    size_t site_count, site_room;
    struct path *paths;
    size_t path_count, path_room;
    unsigned char *bytes;
    size_t byte_count, byte_room;
    struct function_sites *functions;
    size_t function_count, function_room;
    unsigned *definitions; // allocators that this unit defines, as strings
    size_t definition_count, definition_room;
    bool any_source;
} kept;

// The current function, from alloc_table_begin to alloc_table_end.
static struct {
    struct part part; // its labels are distances in bytes
    struct points points;
    size_t first_site, first_path;
} current;

static void keep_byte(void *, unsigned char byte)
{
    kept.bytes = (unsigned char *)memory_reserve(kept.bytes, &kept.byte_room,
                                                 kept.byte_count + 1, 1);
    kept.bytes[kept.byte_count++] = byte;
}

static void keep_distance(void *, unsigned from, unsigned to, unsigned plus)
{
    unsigned distance = to - from + plus;

    for (; distance > 0x7f; distance >>= 7)
        keep_byte(NULL, 0x80 | (distance & 0x7f));
    keep_byte(NULL, distance);
}

static const struct encode_sink sink = {NULL, keep_byte, keep_distance, NULL};

static unsigned string_of(const char *text)
{
    return distinct_string(&sources_unit.strings, text);
}

static unsigned string_of_symbol(tree function)
{
    if (!TREE_PUBLIC(function) || !DECL_ASSEMBLER_NAME_SET_P(function))
        return string_of("");
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
    return string_of(name + (*name == '*'));
}

// Returns the symbol without its version, because other compilations call FUNCTION by
// this name.
static unsigned string_of_bare_symbol(tree function)
{
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));

    name += *name == '*';
    char *bare = xstrndup(name, strcspn(name, "@"));
    unsigned string = string_of(bare);
    free(bare);
    return string;
}

static bool note_symbol(cgraph_node *node, void *)
{
    if (!TREE_PUBLIC(node->decl))
        return false;
    kept.definitions =
        (unsigned *)memory_reserve(kept.definitions, &kept.definition_room,
                                   kept.definition_count + 1, sizeof *kept.definitions);
    kept.definitions[kept.definition_count++] = string_of_bare_symbol(node->decl);
    return false;
}

void alloc_table_begin(void)
{
    part_clear(&current.part);
    points_start(&current.points, &current.part);
    current.first_site = kept.site_count;
    current.first_path = kept.path_count;
    kept.any_source |= current.part.source != 0;
    if (alloc_is_profiled(current_function_decl))
        cgraph_node::get(current_function_decl)
            ->call_for_symbol_and_aliases(note_symbol, NULL, true);
}

// Returns true if the point belongs to a source.
static bool is_in_source(unsigned number)
{
    const struct part_point *point =
        (const struct part_point *)distinct_get(&current.part.points, number);
    unsigned copy = point->copy;

    while (copy) {
        const struct part_copy *c =
            (const struct part_copy *)distinct_get(&current.part.copies, copy);
        if (c->source)
            return true;
        copy = c->parent;
    }
    return current.part.source;
}

// Enters the location of the next pair of counters. Returns false if the location belongs
// to no source.
static bool enter_point(location_t location, int block)
{
    points_start_block(&current.points, block);
    unsigned point = points_of_location(&current.points, location);

    if (!is_in_source(point))
        return false;
    part_enter(&current.part,
               SITE_SIZE * (kept.site_count - current.first_site + kept.path_count -
                            current.first_path),
               point);
    return true;
}

// Returns the name of the function, or "" for NULL_TREE. The caller frees it.
static char *name_of(tree function)
{
    return function ? names_of_function(function) : xstrdup("");
}

bool alloc_table_add(location_t location, int block, const struct alloc_request *request,
                     const gcall *call)
{
    if (!enter_point(location, block))
        return false;

    static const char builtin[] = "__builtin_"; // Fortran's
    char *name = name_of(request->function);
    char *type = alloc_type_name(call);
    struct site site = {
        string_of(startswith(name, builtin) ? name + strlen(builtin) : name),
        request->function ? string_of_symbol(request->function) : string_of(""),
        string_of(type)};
    free(name);
    free(type);
    kept.sites = (struct site *)memory_reserve(kept.sites, &kept.site_room,
                                               kept.site_count + 1, sizeof *kept.sites);
    kept.sites[kept.site_count++] = site;
    return true;
}

bool alloc_table_add_path(location_t location, int block, int site, tree function)
{
    if (!enter_point(location, block))
        return false;
    char *name = name_of(function);
    const char *symbol = function ? names_symbol(function) : NULL;
    struct path path = {(unsigned)(site + 1), string_of(name),
                        string_of(symbol ? symbol : "")};
    free(name);
    kept.paths = (struct path *)memory_reserve(kept.paths, &kept.path_room,
                                               kept.path_count + 1, sizeof *kept.paths);
    kept.paths[kept.path_count++] = path;
    return true;
}

void alloc_table_end(unsigned row)
{
    struct function_sites function = {row,
                                      current.first_site,
                                      kept.site_count - current.first_site,
                                      current.first_path,
                                      kept.path_count - current.first_path,
                                      kept.byte_count,
                                      0};

    current.part.start_label = 0;
    current.part.end_label = SITE_SIZE * (function.sites + function.paths);
    encode_part(&current.part, &sources_unit, options.position, 0, &sink);
    function.bytes = kept.byte_count - function.first_byte;
    kept.functions = (struct function_sites *)memory_reserve(
        kept.functions, &kept.function_room, kept.function_count + 1,
        sizeof *kept.functions);
    kept.functions[kept.function_count++] = function;
}

bool alloc_table_any(void)
{
    return kept.any_source || kept.site_count || kept.path_count;
}

static void emit_stream(const struct function_sites *function)
{
    assembly_push_beside(CCPROF_SECTION_CODE, storage_neighbour(function->row));
    emit_stream_head(storage_address(function->row));
    assembly_bytes(kept.bytes + function->first_byte, function->bytes);
    assembly_pop_section();
}

static void emit_sites(const struct function_sites *function)
{
    assembly_push_beside(CCPROF_SECTION_ALLOC, storage_neighbour(function->row));
    assembly_byte(CCPROF_TABLES_VERSION);
    assembly_line(".4byte", "%u", (unsigned)function->sites);
    assembly_word(storage_address(function->row));
    for (size_t i = 0; i < function->sites; i++) {
        const struct site *site = &kept.sites[function->first_site + i];
        emit_string_word(site->allocator);
        emit_string_word(site->symbol);
        emit_string_word(site->type);
    }
    assembly_pop_section();
}

static void emit_paths(const struct function_sites *function)
{
    assembly_push_beside(CCPROF_SECTION_PATHS, storage_neighbour(function->row));
    assembly_byte(CCPROF_TABLES_VERSION);
    assembly_line(".4byte", "%u,%u", (unsigned)function->sites,
                  (unsigned)function->paths);
    assembly_word(storage_address(function->row));
    for (size_t i = 0; i < function->paths; i++) {
        const struct path *path = &kept.paths[function->first_path + i];
        assembly_line(".4byte", "%u", path->site);
        emit_string_word(path->called);
        emit_string_word(path->symbol);
    }
    assembly_pop_section();
}

static void emit_definitions(void)
{
    assembly_push_section(CCPROF_SECTION_ALLOCATORS, "", "progbits", "");
    for (size_t i = 0; i < kept.definition_count; i++)
        emit_string_word(kept.definitions[i]);
    assembly_pop_section();
}

void alloc_table_emit(const char *)
{
    for (size_t i = 0; i < kept.function_count; i++) {
        emit_stream(&kept.functions[i]);
        if (kept.functions[i].sites)
            emit_sites(&kept.functions[i]);
        if (kept.functions[i].paths)
            emit_paths(&kept.functions[i]);
    }
    if (kept.definition_count)
        emit_definitions();
    alloc_path_emit();
}
