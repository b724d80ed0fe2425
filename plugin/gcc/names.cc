// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the names of functions in each language, finds their symbols, and recognizes
// functions that GCC made from others.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/names.h"
#include "plugin/tables/cxxname.h"
#include "rt/format.h"

namespace
{
enum language { LANGUAGE_OTHER, LANGUAGE_FORTRAN, LANGUAGE_ADA };
} // namespace

// Returns the language of the translation unit that contains the function. At link time
// lang_hooks do not have it.
static enum language language_of(tree function)
{
    const char *name = lang_hooks.name;
    tree context = DECL_CONTEXT(function);

    while (context && TREE_CODE(context) != TRANSLATION_UNIT_DECL)
        context = get_containing_scope(context);
    if (context && TRANSLATION_UNIT_LANGUAGE(context))
        name = TRANSLATION_UNIT_LANGUAGE(context);
    if (startswith(name, "GNU Fortran"))
        return LANGUAGE_FORTRAN;
    if (startswith(name, "GNU Ada"))
        return LANGUAGE_ADA;
    return LANGUAGE_OTHER;
}

// Does not use DECL_ASSEMBLER_NAME, which makes a name and has side effects.
const char *names_assembler(tree function)
{
    if (!HAS_DECL_ASSEMBLER_NAME_P(function) || !DECL_ASSEMBLER_NAME_SET_P(function))
        return NULL;
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
    return *name == '*' ? name + 1 : name;
}

const char *names_declared(tree function)
{
    return DECL_NAME(function) ? IDENTIFIER_POINTER(DECL_NAME(function)) : NULL;
}

static bool suffix_contains(const char *suffix, const char *text)
{
    return suffix && strstr(suffix, text);
}

// Translates the suffix that the compiler appends to the names of functions that it makes
// (GCC: omp-low.cc; tree-parloops.cc for -ftree-parallelize-loops; cp/coroutines.cc).
static const char *role_of_suffix(const char *suffix)
{
    if (suffix_contains(suffix, "._omp_") || suffix_contains(suffix, "._loopfn"))
        return ".omp";
    if (suffix_contains(suffix, ".destroy"))
        return ".coroutine.destroy";
    if (suffix_contains(suffix, ".Frame") || suffix_contains(suffix, ".actor"))
        return ".coroutine";
    return "";
}

static char *mangled_name(tree function, const char *name)
{
    const char *suffix = strchr(name, '.');
    char *base = suffix ? xstrndup(name, suffix - name) : xstrdup(name);
    bool too_long;
    char *shown = demangle_symbol(base, DMGL_ANSI, &too_long);

    // GCC 12's demangler does not know all symbols that its mangler makes. At link time
    // GCC no longer knows template arguments and some scopes.
    if (!shown)
        shown = in_lto_p   ? xstrdup(base)
                : too_long ? longnames_shortened(function)
                           : longnames_printable(function, 1);

    free(base);
    cxxname_shorten(shown);
    return reconcat(shown, shown, role_of_suffix(suffix), NULL);
}

// Returns the name of a Fortran procedure; the caller frees it. The main program has the
// symbol MAIN__, and a procedure of a module __module_MOD_procedure. Only the C function
// that gfortran makes around the program has the symbol main: a procedure named main has
// main_ (GCC: fortran/trans-decl.cc, create_main_function).
static char *fortran_name(const char *assembler, const char *declared)
{
    if (assembler && !strcmp(assembler, "main") && !strcmp(declared, "main"))
        return xstrdup("<gfortran main>");
    const char *mod = assembler ? strstr(assembler, "_MOD_") : NULL;

    if (assembler && startswith(assembler, "__") && mod) {
        char *module = xstrndup(assembler + 2, mod - assembler - 2);
        return reconcat(module, module, ".", mod + strlen("_MOD_"), NULL);
    }
    return xstrdup(declared);
}

// Returns a readable form of names that the demangler does not know: names of functions
// that GNAT makes.
static char *undotted_name(const char *encoded)
{
    char *name = xstrdup(encoded), *to = name;

    for (const char *p = encoded; *p; p++) {
        bool separates = p[0] == '_' && p[1] == '_' && p > encoded;
        *to++ = separates ? '.' : *p;
        p += separates;
    }
    *to = '\0';
    return name;
}

// Demangles ENCODED, and works around a defect: the demangler allocates space for one
// special name that becomes longer, but a name may contain several (GCC: libiberty,
// cplus-dem.c, ada_demangle). A stream operation takes 5 more characters, an operation of
// controlled types 7. The demangler ignores the number of an overloaded name, so an
// appended number makes it allocate more.
static char *demangled_ada_name(const char *encoded)
{
    size_t longer = 0;

    for (const char *p = encoded; *p; p++)
        if (p[0] == 'S' && p[1] && strchr("RWIO", p[1]))
            longer += 5;
        else if (p[0] == 'D' && (p[1] == 'F' || p[1] == 'A'))
            longer += 7;
    if (longer <= 7)
        return ada_demangle(encoded, 0);
    size_t length = strlen(encoded);
    char *padded = XNEWVEC(char, length + 2 + longer + 1);
    memcpy(padded, encoded, length);
    memset(padded + length, '_', 2);
    memset(padded + length + 2, '0', longer);
    padded[length + 2 + longer] = '\0';
    char *name = ada_demangle(padded, 0);
    free(padded);
    return name;
}

// Returns the name of an Ada subprogram; the caller frees it. The encoded name of a
// task's body ends in TKB. The name for a task type ends in TB, which the demangler does
// not know (GCC: ada/exp_dbug.ads). The name of a nested subprogram has a dot and a
// number.
static char *ada_name(const char *assembler, const char *declared)
{
    const char *whole = assembler ? assembler : declared;
    char *encoded = xstrndup(whole, strcspn(whole, "."));
    size_t length = strlen(encoded);

    if (length > 2 && !strcmp(encoded + length - 2, "TB"))
        encoded[length - 2] = '\0';
    char *name = demangled_ada_name(encoded);
    if (*name == '<') {
        free(name);
        name = undotted_name(encoded);
    }
    free(encoded);
    return name;
}

// Returns the name of a function that has an unmangled assembler name.
static char *plain_name(tree function, const char *assembler, const char *declared)
{
    enum language language = language_of(function);
    tree outer = decl_function_context(function);
    const char *role = role_of_suffix(strchr(declared, '.'));
    char *name = outer && language != LANGUAGE_ADA ? names_of_function(outer) : NULL;

    if (*role && name)
        return reconcat(name, name, role, NULL);
    char *base = language == LANGUAGE_FORTRAN ? fortran_name(assembler, declared)
                 : language == LANGUAGE_ADA   ? ada_name(assembler, declared)
                                            : xstrndup(declared, strcspn(declared, "."));
    if (!name)
        return reconcat(base, base, role, NULL);
    name = reconcat(name, name, ".", base, NULL);
    free(base);
    return name;
}

// The names are from GCC: cp/decl2.cc, start_static_storage_duration_function and
// start_objects; ipa.cc, cgraph_build_static_cdtor_1, which merges the functions of
// several units at link time.
bool names_is_top_level(tree function)
{
    static const char *const starts[] = {"_GLOBAL__sub_I_",
                                         "_GLOBAL__sub_D_",
                                         "_GLOBAL__I_",
                                         "_GLOBAL__D_",
                                         "_sub_I_",
                                         "_sub_D_",
                                         "__static_initialization_and_destruction_"};
    const char *name = names_declared(DECL_ORIGIN(function));

    if (!name || !DECL_ARTIFICIAL(DECL_ORIGIN(function)))
        return false;
    for (const char *start : starts)
        if (startswith(name, start))
            return true;
    return false;
}

char *names_of_function(tree function)
{
    function = DECL_ORIGIN(function);
    if (names_is_top_level(function))
        return xstrdup("<main>");
    const char *assembler = names_assembler(function);
    const char *declared = names_declared(function);

    if (assembler && startswith(assembler, "_Z")) {
        const char *target = cxxname_thunk_target(assembler);
        return mangled_name(function, target ? target : assembler);
    }
    if (!declared)
        return xstrdup(assembler ? assembler : "<unknown>");
    return plain_name(function, assembler, declared);
}

char *names_of_compiled(tree function)
{
    char *name = names_of_function(function);
    const char *assembler = names_assembler(function);
    const char *suffix =
        assembler && DECL_ORIGIN(function) != function ? strchr(assembler, '.') : NULL;

    return suffix ? reconcat(name, name, suffix, NULL) : name;
}

bool names_is_made(tree function)
{
    return DECL_ARTIFICIAL(function) && !DECL_FUNCTION_VERSIONED(function) &&
           !DECL_LAMBDA_FUNCTION_P(function);
}

// Searches the symbol, and the declared name because the symbol may not be set yet.
static bool is_made_for(tree function, const char *what)
{
    return DECL_ARTIFICIAL(function) &&
           (suffix_contains(names_assembler(function), what) ||
            suffix_contains(names_declared(function), what));
}

bool names_is_construct(tree function)
{
    return is_made_for(function, "._omp_fn");
}

bool names_is_coroutine(tree function)
{
    return is_made_for(function, ".actor");
}

const char *names_of_file(const char *file)
{
    bool named = file && (*lbasename(file) != '<' || strcmp(file, CCPROF_STDIN) == 0);
    return named ? remap_debug_filename(file) : NULL;
}

const char *names_of_directory(void)
{
    const char *directory = get_src_pwd();
    return directory ? remap_debug_filename(directory) : "";
}
