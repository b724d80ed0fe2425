/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/program/program.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/progress.h"
#include "mlprof/elf/elffile.h"

#include <stdlib.h>
#include <string.h>

static const char *id_text(const char *build_id)
{
    return build_id ? build_id : "none";
}

bool program_same_name(const char *path, const char *measured)
{
    const char *name = path_last(path), *other = path_last(measured);
    size_t length = strlen(name);
    return strncmp(name, other, length) == 0 &&
           (!other[length] || strcmp(other + length, " (deleted)") == 0);
}

/* Whether the file whose tables have the build-id HERE was a shared object when DATA was
   measured.  */
static bool was_loaded(const struct profile *data, const char *here)
{
    for (size_t i = 1; i < data->module_count; i++)
        if (here && elffile_same_build_id(data->modules[i].build_id, here))
            return true;
    return false;
}

bool program_check(const struct tables *executable, const struct profile *data,
                   const char *file, struct fault *fault)
{
    const char *here = tables_build_id(executable);
    const char *there = data->modules[0].build_id;
    if (elffile_same_build_id(here, there))
        return true;
    const char *path = tables_path(executable), *measured = data->modules[0].path;
    if (was_loaded(data, here))
        return fault_set(fault, FAULT_MISMATCH, file,
                         "measured with %s, which has loaded %s: name that program; its "
                         "shared objects are found by their paths",
                         measured, path);
    if (!program_same_name(path, measured))
        return fault_set(fault, FAULT_MISMATCH, file, "measured with %s, not with %s",
                         path_last(measured), path_last(path));
    return fault_set(
        fault, FAULT_MISMATCH, file,
        "measured with another build of %s (build-id %s, not %s): run it again", path,
        id_text(there), id_text(here));
}

/* Opens a shared object.  *TABLES is NULL if it is unprofiled, and may be set even if
   there is a FAULT.  */
static bool open_module(const struct profile_module *module, struct tables **tables,
                        struct fault *fault)
{
    progress_tell("mlprof: reading the tables of %s", module->path);
    *tables = tables_open(module->path, fault);
    if (!*tables)
        return fault->kind == FAULT_FILE || fault->kind == FAULT_FORMAT ||
               fault->kind == FAULT_UNPROFILED;
    if (elffile_same_build_id(tables_build_id(*tables), module->build_id))
        return true;
    return fault_set(fault, FAULT_MISMATCH, module->path,
                     "not the build that was measured (build-id %s, not %s)",
                     id_text(tables_build_id(*tables)), id_text(module->build_id));
}

static void tell_left_out(struct fault *why)
{
    fault_add(why, "its code counts as unprofiled");
    fault_tell(why);
}

/* Opens shared objects without samples.  All that was executed of one may be a function
   that ends with a jump out of profiled code (tail-calls.h).  */
static void open_unsampled(struct program *program, const struct profile *profile,
                           const bool *opened)
{
    for (size_t i = 1; profile->stack && i < program->count; i++) {
        struct fault fault = {0};
        if (!opened[i] && profile->modules[i].path[0] == '/' &&
            !open_module(&profile->modules[i], &program->tables[i], &fault)) {
            tables_close(program->tables[i]);
            program->tables[i] = NULL;
        }
        fault_clear(&fault);
    }
}

/* By module: whether it has samples or a function with a stopwatch.  All modules, if
   functions without counts are shown, too, or if the run has no samples to tell which
   modules are profiled.  */
static bool *modules_to_open(const struct profile *profile)
{
    bool *has = buf_alloc((profile->module_count + 1) * sizeof *has);
    bool all = profile->kind & CCPROF_KINDS_COUNTED || profile->node_count == 0;
    for (size_t i = 0; i < profile->node_count; i++)
        if (profile->nodes[i].module < profile->module_count)
            has[profile->nodes[i].module] = true;
    for (size_t i = 0; all && i < profile->module_count; i++)
        has[i] = true;
    for (size_t i = 0; i < profile->heap.node_count; i++)
        if (profile->heap.nodes[i].module < profile->module_count)
            has[profile->heap.nodes[i].module] = true;
    for (size_t i = 0; i < profile->regions.region_count; i++)
        if (profile->regions.regions[i].module < profile->module_count)
            has[profile->regions.regions[i].module] = true;
    return has;
}

/* Opens module NUMBER.  A path that does not begin with a slash is the kernel's, for
   example [vdso].  */
static bool open_wanted(struct program *program, const struct profile *profile,
                        size_t number, bool tolerant, struct fault *fault)
{
    const struct profile_module *module = &profile->modules[number];
    struct tables **tables = &program->tables[number];
    bool good = open_module(module, tables, fault);
    if (!good && tolerant) {
        tables_close(*tables);
        *tables = NULL;
        tell_left_out(fault);
    } else if (good && fault->kind == FAULT_FILE && module->path[0] == '/') {
        tell_left_out(fault);
    }
    if (good || tolerant)
        fault_clear(fault);
    return good || tolerant;
}

bool program_open(struct program *program, const struct profile *profile,
                  struct tables *executable, bool tolerant, struct fault *fault)
{
    program->count = profile->module_count ? profile->module_count : 1;
    program->tables = buf_alloc(program->count * sizeof *program->tables);
    program->tables[0] = executable;
    program->code = NULL;
    program->skid = NULL;

    BUF_OWN bool *wanted = modules_to_open(profile);
    bool good = true;
    for (size_t i = 1; good && i < program->count; i++)
        if (wanted[i])
            good = open_wanted(program, profile, i, tolerant, fault);
    if (good)
        open_unsampled(program, profile, wanted);
    else
        program_close(program);
    return good;
}

void program_close(struct program *program)
{
    for (size_t i = 1; i < program->count; i++)
        tables_close(program->tables[i]);
    free(program->tables);
    program->tables = NULL;
    program->count = 0;
}

const char *program_path(const struct program *program, const struct profile *profile,
                         uint32_t module)
{
    const struct tables *tables =
        module < program->count ? program->tables[module] : NULL;
    return tables ? tables_path(tables) : profile->modules[module].path;
}

bool program_is_profiled(const struct program *program)
{
    for (size_t i = 0; i < program->count; i++)
        if (program->tables[i] && !tables_is_bare(program->tables[i]))
            return true;
    return false;
}

/* Whether the module counts GCC's own profile.  */
static bool is_trained(const struct tables *tables)
{
    const struct elffile *file = tables_is_bare(tables) ? NULL : tables_holder(tables);
    for (size_t i = 0; file && i < file->section_count; i++)
        if (strcmp(file->sections[i].name, CCPROF_SECTION_ARCS) == 0)
            return true;
    return false;
}

bool program_is_trained_alone(const struct program *program)
{
    bool trained = false;
    for (size_t i = 0; i < program->count; i++) {
        const struct tables *tables = program->tables[i];
        if (tables && tables_counter_count(tables))
            return false;
        trained |= tables && is_trained(tables);
    }
    return trained;
}

bool program_has_field(const struct program *program)
{
    for (size_t i = 0; i < program->count; i++)
        if (program->tables[i] && tables_has_field(program->tables[i]))
            return true;
    return false;
}
