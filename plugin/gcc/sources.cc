// SPDX-License-Identifier: GPL-3.0-or-later
// Gives numbers to functions and source files. Also reads source files for their
// hashes, and names functions before GCC frees the data of the front end.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/sources.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/passes.h"

// The maximum size of a source file that mlprof shows, in bytes.
#define CONTENTS_MOST (64 << 20)

// Returns true if the file can be read safely. The type is checked before the file is
// opened, because opening a device may have effects. A file of size 0, such as a file of
// the kernel in /proc, may never end.
static bool is_source(const struct stat *status)
{
    return S_ISREG(status->st_mode) && status->st_size > 0 &&
           status->st_size <= CONTENTS_MOST;
}

static FILE *open_source(const char *name)
{
    struct stat status;

    if (stat(name, &status) || !is_source(&status))
        return NULL;
    int descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return NULL;
    FILE *file = fstat(descriptor, &status) == 0 && is_source(&status)
                     ? fdopen(descriptor, "rb")
                     : NULL;
    if (!file)
        close(descriptor);
    return file;
}

struct unit_hash sources_hash(const char *name)
{
    struct unit_hash hash = {{0}};
    FILE *file = open_source(name);

    if (!file)
        return hash;
    if (md5_stream(file, hash.bytes))
        hash = {{0}};
    fclose(file);
    return hash;
}

static bool same_file(const expanded_location &a, const expanded_location &b)
{
    return a.file && b.file && (a.file == b.file || !strcmp(a.file, b.file));
}

struct graph_range sources_range(location_t location)
{
    source_range range = get_range_from_loc(line_table, location);
    expanded_location caret = expand_location(location);
    expanded_location start = expand_location(range.m_start);
    expanded_location end = expand_location(range.m_finish);

    if (!same_file(caret, start) || !same_file(caret, end) || start.column <= 0 ||
        end.column <= 0)
        return {0, 0, 0, 0};
    return {(unsigned)start.line, (unsigned)start.column, (unsigned)end.line,
            (unsigned)end.column};
}

typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, unsigned> number_map;

struct unit sources_unit;

static number_map *numbers; // of source functions, by DECL_UID

// Caches the last file: GCC has one string for each file, and most adjacent positions are
// in the same file.
unsigned sources_file(const char *file)
{
    static const char *last_file;
    static unsigned last_number;

    if (file && file == last_file)
        return last_number;
    const char *name = names_of_file(file);
    last_file = file;
    last_number = name ? unit_file(&sources_unit, name) : 0;
    if (last_number > sources_unit.hash_count) {
        struct unit_hash hash = sources_hash(file);
        unit_set_hash(&sources_unit, last_number, &hash);
    }
    return last_number;
}

// Adds a source to the unit's table and returns its number, 0 if FUNCTION is excluded.
// Frees NAME. SYMBOL may be NULL.
static unsigned make_source(tree function, char *name, const char *symbol, unsigned flags)
{
    // Code at the top level of all files is one row, as in MLton.
    bool nowhere = names_is_top_level(function);
    location_t location = nowhere ? UNKNOWN_LOCATION : DECL_SOURCE_LOCATION(function);
    expanded_location expanded = expand_location(location);
    struct unit_source source;
    unsigned number = 0;

    if (filter_wants(function)) {
        memset(&source, 0, sizeof source);
        source.name = unit_string(&sources_unit, name);
        source.symbol = symbol && !nowhere ? unit_string(&sources_unit, symbol) : 0;
        source.file = sources_file(expanded.file);
        source.line = source.file ? expanded.line : 0;
        source.column = source.file && expanded.column > 0 ? expanded.column : 0;
        source.flags = flags;
        number = unit_source(&sources_unit, &source);
    }
    free(name);
    return number;
}

unsigned sources_of(tree function)
{
    bool known;

    if (!function)
        return 0;
    function = DECL_ORIGIN(function);
    if (!numbers)
        numbers = new number_map;
    unsigned &number = numbers->get_or_insert(DECL_UID(function), &known);
    if (!known)
        number = make_source(function, names_of_function(function),
                             names_symbol(function), names_flags(function));
    return number;
}

unsigned sources_known(unsigned uid)
{
    const unsigned *number = numbers ? numbers->get(uid) : NULL;
    return number ? *number : 0;
}

// Returns the number of the source FUNCTION with FLAGS in addition to its own flags.
static unsigned make_variant(tree function, unsigned flags)
{
    return make_source(function, names_of_function(function), names_symbol(function),
                       names_flags(function) | flags);
}

unsigned sources_split_off(tree function)
{
    return make_variant(function, CCPROF_SOURCE_SPLIT);
}

unsigned sources_current(void)
{
    tree function = DECL_ORIGIN(current_function_decl);
    unsigned role = names_role(current_function_decl);

    return role ? make_variant(function, role) : sources_of(function);
}

unsigned sources_compiled(int block)
{
    char *name = names_of_compiled(current_function_decl);
    const char *symbol = names_compiled_symbol(current_function_decl);
    char suffix[20] = "";

    // A block has no symbol.
    if (block >= 0) {
        snprintf(suffix, sizeof suffix, ".bb%d", block);
        symbol = NULL;
    }
    return make_source(current_function_decl, reconcat(name, name, suffix, NULL), symbol,
                       names_flags(current_function_decl));
}

// Runs before the data of the front end is freed (GCC: ipa-free-lang-data.cc), because
// only the front end can name some functions.
static void execute_name(function *fun)
{
    names_prepare(fun->decl);
    filter_prepare(fun->decl);
}

opt_pass *passes_make_name(void)
{
    return pass_make("ccprof_name", PASS_CFG, execute_name);
}
