/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the executable and the shared objects of a profile, and checks their build IDs.
   The second part reads the local stack at an address, and finds the machine code of an
   allocation site. */

#include "mlprof/program/program.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/terminal.h"
#include "mlprof/elf/elffile.h"

#include <stdlib.h>
#include <string.h>

static const char *build_id_text(const char *build_id)
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

/* Returns whether DATA was measured with the file of build ID HERE loaded as a shared
   object. */
static bool was_loaded(const struct profile *data, const char *here)
{
    for (size_t i = 1; i < data->modules.count; i++)
        if (here && elffile_same_build_id(data->modules.list[i].build_id, here))
            return true;
    return false;
}

bool program_check(const struct tables *executable, const struct profile *data,
                   const char *file, struct fault *fault)
{
    const char *here = tables_build_id(executable);
    const char *there = data->modules.list[0].build_id;
    if (elffile_same_build_id(here, there))
        return true;
    const char *path = tables_path(executable), *measured = data->modules.list[0].path;
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
        build_id_text(there), build_id_text(here));
}

/* Opens a shared object. Sets *TABLES to NULL if the shared object is unprofiled.
 *TABLES may be set even if a FAULT is returned. */
static bool open_module(const struct profile_module *module, struct tables **tables,
                        struct fault *fault)
{
    progress_set("mlprof: reading the tables of %s", module->path);
    *tables = tables_open(module->path, fault);
    if (!*tables)
        return fault->kind == FAULT_FILE || fault->kind == FAULT_FORMAT ||
               fault->kind == FAULT_UNPROFILED;
    if (elffile_same_build_id(tables_build_id(*tables), module->build_id))
        return true;
    return fault_set(fault, FAULT_MISMATCH, module->path,
                     "not the build that was measured (build-id %s, not %s)",
                     build_id_text(tables_build_id(*tables)),
                     build_id_text(module->build_id));
}

static void report_left_out(struct fault *why)
{
    fault_add(why, "its code counts as unprofiled");
    fault_warn(why);
}

/* Opens shared objects without samples. A call may have led to a function of such an
   object that then jumped out of profiled code (exits.h). */
static void open_unsampled(struct program *program, const struct profile *profile,
                           const bool *opened)
{
    for (size_t i = 1; profile->sampling.stack && i < program->count; i++) {
        struct fault fault = {0};
        if (!opened[i] && profile->modules.list[i].path[0] == '/' &&
            !open_module(&profile->modules.list[i], &program->tables[i], &fault)) {
            tables_close(program->tables[i]);
            program->tables[i] = NULL;
        }
        fault_clear(&fault);
    }
}

/* Returns, by module, whether the module has samples or a function with a stopwatch.
   Returns true for all modules if functions without counts are also shown, or if the
   run has no samples, which would show which modules are profiled. The caller frees
   the result. */
static bool *modules_to_open(const struct profile *profile)
{
    bool *has = buf_alloc((profile->modules.count + 1) * sizeof *has);
    bool all = profile->kind & CCPROF_KINDS_COUNTED || profile->nodes.count == 0;
    for (size_t i = 0; i < profile->nodes.count; i++)
        if (profile->nodes.list[i].module < profile->modules.count)
            has[profile->nodes.list[i].module] = true;
    for (size_t i = 0; all && i < profile->modules.count; i++)
        has[i] = true;
    for (size_t i = 0; i < profile->heap.nodes.count; i++)
        if (profile->heap.nodes.list[i].module < profile->modules.count)
            has[profile->heap.nodes.list[i].module] = true;
    for (size_t i = 0; i < profile->waits.nodes.count; i++)
        if (profile->waits.nodes.list[i].module < profile->modules.count)
            has[profile->waits.nodes.list[i].module] = true;
    for (size_t i = 0; i < profile->regions.regions.count; i++)
        if (profile->regions.regions.list[i].module < profile->modules.count)
            has[profile->regions.regions.list[i].module] = true;
    return has;
}

/* Opens module NUMBER. A path that does not begin with a slash belongs to the kernel,
   for example [vdso]. */
static bool open_numbered_module(struct program *program, const struct profile *profile,
                                 size_t number, bool tolerant, struct fault *fault)
{
    const struct profile_module *module = &profile->modules.list[number];
    struct tables **tables = &program->tables[number];
    bool good = open_module(module, tables, fault);
    if (!good && tolerant) {
        tables_close(*tables);
        *tables = NULL;
        report_left_out(fault);
    } else if (good && fault->kind == FAULT_FILE && module->path[0] == '/') {
        report_left_out(fault);
    }
    if (good || tolerant)
        fault_clear(fault);
    return good || tolerant;
}

bool program_open(struct program *program, const struct profile *profile,
                  struct tables *executable, bool tolerant, struct fault *fault)
{
    program->count = profile->modules.count ? profile->modules.count : 1;
    program->tables = buf_alloc(program->count * sizeof *program->tables);
    program->tables[0] = executable;
    program->code = NULL;
    program->skid = NULL;

    BUF_OWN bool *to_open = modules_to_open(profile);
    bool good = true;
    for (size_t i = 1; good && i < program->count; i++)
        if (to_open[i])
            good = open_numbered_module(program, profile, i, tolerant, fault);
    if (good)
        open_unsampled(program, profile, to_open);
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
    return tables ? tables_path(tables) : profile->modules.list[module].path;
}

bool program_is_profiled(const struct program *program)
{
    for (size_t i = 0; i < program->count; i++)
        if (program->tables[i] && !tables_is_bare(program->tables[i]))
            return true;
    return false;
}

/* Returns whether the module contains the counters of GCC's own profile. */
static bool is_trained(const struct tables *tables)
{
    const struct elffile *file = tables_is_bare(tables) ? NULL : tables_holder(tables);
    for (size_t i = 0; file && i < file->sections.count; i++)
        if (strcmp(file->sections.list[i].name, CCPROF_SECTION_ARCS) == 0)
            return true;
    return false;
}

bool program_is_trained_alone(const struct program *program)
{
    bool trained = false;
    for (size_t i = 0; i < program->count; i++) {
        const struct tables *tables = program->tables[i];
        if (tables && tables_calls(tables)->count)
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

void frames_free(struct frames *frames)
{
    free(frames->list);
    *frames = (struct frames){0};
}

static void reverse_frames(struct frames *frames)
{
    for (size_t i = 0; i < frames->count / 2; i++) {
        struct function_frame *other = &frames->list[frames->count - 1 - i];
        struct function_frame frame = frames->list[i];
        frames->list[i] = *other;
        *other = frame;
    }
}

bool frames_read_at(struct frames *frames, const struct program *program, uint32_t module,
                    uint64_t address, const struct tables_point *point)
{
    struct function_frame frame;
    frames->count = 0;
    frames->module = module;
    frames->address = address;
    frames->number = point->function;
    frames->function = tables_function(program->tables[module], point->function);
    struct function_frames walk = function_frames(frames->function, point->point);
    while (function_frames_next(&walk, &frame))
        BUF_NEXT(frames->list, frames->count, frames->capacity) = frame;
    reverse_frames(frames);
    return frames->count > 0;
}

bool frames_read(struct frames *frames, const struct program *program, uint32_t module,
                 uint64_t address)
{
    struct tables *tables = program->tables[module];
    struct tables_point point;
    frames->count = 0;
    return tables && tables_find(tables, address, &point) &&
           frames_read_at(frames, program, module, address, &point);
}

/* Returns whether both positions are the same. Both must belong to the same unit. */
static bool is_same_position(const struct function_position *one,
                             const struct function_position *other)
{
    return one->file == other->file && one->line == other->line &&
           one->column == other->column;
}

void frames_keep(struct frames *frames, const struct frames *other)
{
    size_t most = frames->count < other->count ? frames->count : other->count, kept = 0;
    if (!frames->count || !other->count ||
        frames->function->unit != other->function->unit)
        most = 0;
    while (kept < most && frames->list[kept].source == other->list[kept].source) {
        kept++;
        if (!is_same_position(&frames->list[kept - 1].position,
                              &other->list[kept - 1].position)) {
            frames->list[kept - 1].position = (struct function_position){0};
            break;
        }
    }
    frames->count = kept;
    frames->address = 0;
}

/* Marks the end of a list. */
#define NONE UINT32_MAX

struct module {
    bool read;
    struct index sources; /* key: unit and source */
    uint32_t *first;      /* by number in SOURCES: the first function with machine code */
    uint32_t *next;       /* by function: the next function of the same source, or NONE */
};

struct site_code {
    const struct program *program;
    struct module *modules;
};

struct site_code *site_code_new(const struct program *program)
{
    struct site_code *sites = buf_alloc(sizeof *sites);
    *sites = (struct site_code){
        .program = program,
        .modules = buf_alloc((program->count + 1) * sizeof *sites->modules)};
    return sites;
}

void site_code_free(struct site_code *sites)
{
    if (!sites)
        return;
    for (size_t i = 0; i < sites->program->count; i++) {
        index_free(&sites->modules[i].sources);
        free(sites->modules[i].first);
        free(sites->modules[i].next);
    }
    free(sites->modules);
    free(sites);
}

static void read_module(struct module *module, struct tables *tables)
{
    uint32_t count = tables_function_count(tables);
    module->read = true;
    module->first = buf_alloc((count + 1) * sizeof *module->first);
    module->next = buf_alloc((count + 1) * sizeof *module->next);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t start, end;
        bool fresh;
        tables_function_range(tables, i, &start, &end);
        if (!elffile_is_code(tables_holder(tables), start))
            continue;
        const struct function *function = tables_function(tables, i);
        uint32_t number = index_put(&module->sources, (uintptr_t)function->unit,
                                    function->copies.list[0].source, 0, &fresh);
        module->next[i] = fresh ? NONE : module->first[number];
        module->first[number] = i;
    }
}

/* Returns whether both copies are inlined at the same positions, at all levels up to
   the function itself. */
static bool same_copy(const struct function *one, uint32_t copy,
                      const struct function *other, uint32_t other_copy)
{
    while (copy && other_copy) {
        const struct function_copy *a = &one->copies.list[copy];
        const struct function_copy *b = &other->copies.list[other_copy];
        if (a->source != b->source || !is_same_position(&a->call, &b->call))
            return false;
        copy = a->parent;
        other_copy = b->parent;
    }
    return copy == other_copy;
}

/* Returns the first point of CODE with the same copy as POINT in SITE. If POSITION is
   set, the point must also have the same position as POINT. Returns NONE if there is no
   such point. */
static uint32_t find_point(const struct function *code, const struct function *site,
                           const struct function_point *point, bool position)
{
    for (uint32_t i = 0; i < code->points.count; i++)
        if ((!position ||
             is_same_position(&code->points.list[i].position, &point->position)) &&
            same_copy(code, code->points.list[i].copy, site, point->copy))
            return i;
    return NONE;
}

bool site_code_find(struct site_code *sites, uint32_t module, uint32_t *function,
                    uint32_t *point)
{
    struct tables *tables = sites->program->tables[module];
    struct module *code = &sites->modules[module];
    if (!code->read)
        read_module(code, tables);
    const struct function *site = tables_function(tables, *function);
    uint32_t number;
    if (!index_get(&code->sources, (uintptr_t)site->unit, site->copies.list[0].source, 0,
                   &number))
        return false;
    for (int position = 1; position >= 0; position--) {
        uint32_t found = NONE, found_point = NONE, count = 0;
        for (uint32_t i = code->first[number]; i != NONE; i = code->next[i]) {
            uint32_t there = find_point(tables_function(tables, i), site,
                                        &site->points.list[*point], position);
            if (there == NONE)
                continue;
            found = i;
            found_point = there;
            count++;
        }
        if (count > 1)
            return false;
        if (count == 1) {
            *function = found;
            *point = found_point;
            return true;
        }
    }
    return false;
}
