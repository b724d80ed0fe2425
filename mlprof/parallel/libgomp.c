/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognizes libgomp's functions by their symbols. The functions that wait at the end
   of a construct have no symbol; libgomp_learn finds their addresses in the code of
   their callers. */

#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/text.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/elf/insns.h"
#include "mlprof/parallel/constructs-inside.h"
#include "mlprof/program/code-names.h"

#include <stdlib.h>

/* CALL_SIZE: bytes of a direct call on x86-64. NEXT_MOST: maximum distance to the
   next call. */
#define CALL_SIZE 5
#define NEXT_MOST 64

struct module {
    bool checked, shared; /* SHARED: the module is libgomp.so */
    bool opened;
    struct insns *insns; /* NULL: unknown */
};

struct libgomp {
    const struct profile *profile;
    const struct program *program;
    struct outside *outside;
    struct module *modules;
    /* Key: module and address. Functions that wait at the end of a construct. */
    struct index waits;
    struct index learnt; /* key: module and address of the calls given to libgomp_learn */
};

struct libgomp *libgomp_new(const struct profile *profile, const struct program *program)
{
    struct libgomp *library = buf_alloc(sizeof *library);
    *library = (struct libgomp){
        .profile = profile,
        .program = program,
        .outside = outside_new(profile, program_path(program, profile, 0)),
        .modules = buf_alloc((profile->modules.count + 1) * sizeof *library->modules)};
    return library;
}

void libgomp_free(struct libgomp *library)
{
    for (size_t i = 0; i < library->profile->modules.count; i++)
        insns_close(library->modules[i].insns);
    free(library->modules);
    index_free(&library->waits);
    index_free(&library->learnt);
    outside_free(library->outside);
    free(library);
}

static bool is_shared(struct libgomp *library, uint32_t number)
{
    struct module *module = &library->modules[number];
    const char *path = library->profile->modules.list[number].path;
    if (!module->checked)
        module->shared = text_begins(path_last(path), "libgomp.so");
    module->checked = true;
    return module->shared;
}

static bool symbol_begins(struct libgomp *library, const struct profile_node *node,
                          const char *const *starts)
{
    const char *symbol = outside_symbol(library->outside, node->module, node->address);
    for (; symbol && *starts; starts++)
        if (text_begins(symbol, *starts))
            return true;
    return false;
}

bool libgomp_has(struct libgomp *library, const struct profile_node *node)
{
    static const char *const starts[] = {"gomp_", "GOMP_", "omp_", "ialias_", NULL};
    if (node->module >= library->profile->modules.count)
        return false;
    return is_shared(library, node->module) ||
           (node->module == 0 && symbol_begins(library, node, starts));
}

bool libgomp_runs_parallel(struct libgomp *library, const struct profile_node *node)
{
    static const char *const starts[] = {"GOMP_parallel", "GOMP_teams", NULL};
    return symbol_begins(library, node, starts);
}

bool libgomp_does_other(struct libgomp *library, const struct profile_node *node)
{
    return outside_symbol(library->outside, node->module, node->address) &&
           !libgomp_runs_parallel(library, node);
}

/* Returns the code of a module, or NULL if its file is not the measured one. */
static struct insns *insns_of(struct libgomp *library, uint32_t number)
{
    struct module *module = &library->modules[number];
    if (module->opened)
        return module->insns;
    module->opened = true;
    const char *path = program_path(library->program, library->profile, number);
    struct elffile *file = elffile_try(path);
    if (file && elffile_same_build_id(file->build_id,
                                      library->profile->modules.list[number].build_id))
        module->insns = insns_open(path);
    elffile_close(file);
    return module->insns;
}

/* Returns the address to which a direct call leads. The call is found by its last
   byte, which must be at the address of the point. Returns 0 if there is no such
   call. */
static uint64_t callee_of(struct libgomp *library, const struct profile_node *node)
{
    struct insns *insns = insns_of(library, node->module);
    if (!insns || node->address < CALL_SIZE)
        return 0;
    struct insns_code code =
        insns_read(insns, node->address + 1 - CALL_SIZE, node->address + 1);
    uint64_t callee =
        code.count == 1 && code.list[0].transfer == INSNS_CALL ? code.list[0].target : 0;
    free(code.list);
    return callee;
}

void libgomp_learn(struct libgomp *library, const struct profile_node *node)
{
    struct insns *insns = insns_of(library, node->module);
    struct insns_code code = {0};
    bool fresh;
    index_put(&library->learnt, node->module, node->address, 0, &fresh);
    if (insns && fresh)
        code = insns_read(insns, node->address + 1, node->address + 1 + NEXT_MOST);
    size_t i = 0;
    while (i < code.count && code.list[i].transfer == INSNS_NEXT)
        i++;
    if (i < code.count && code.list[i].transfer == INSNS_CALL && code.list[i].target)
        index_put(&library->waits, node->module, code.list[i].target, 0, &fresh);
    free(code.list);
}

bool libgomp_has_learnt(const struct libgomp *library)
{
    return library->waits.count > 0;
}

bool libgomp_ends(struct libgomp *library, const struct profile_node *node)
{
    uint32_t number;
    uint64_t callee = library->waits.count ? callee_of(library, node) : 0;
    return callee && index_get(&library->waits, node->module, callee, 0, &number);
}
