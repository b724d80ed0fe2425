/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completes a command line that names only a program or only data files. The messages
   about missing or foreign data files in the current folder are here. */

#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/terminal.h"
#include "mlprof/commands/commands.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/input/datafiles.h"
#include "mlprof/options/inputs.h"
#include "mlprof/profile/mlmon.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define USUAL "mlmon.out"
#define OTHER "mlmon.out."

static void add_word(struct operands *found, const char *word)
{
    BUF_NEXT(found->words, found->count, found->capacity) = buf_copy(word);
}

/* Returns the path of the program with which the data file DATA was measured. The
   caller frees it. If the file at this path is another build, the error is reported
   later, when the data is read. If there is no such file, returns NULL and sets
   FAULT. */
static char *find_program(const char *data, const struct profile_module *measured,
                          struct fault *fault)
{
    char *program = inputs_find_program(data, measured);
    if (program)
        return program;
    program = path_of_program(measured->path);
    if (access(program, F_OK) == 0)
        return program;
    fault_set(fault, FAULT_FILE, data,
              "measured with %s, which is not there: name the program where it is "
              "now: mlprof PROGRAM %s",
              program, data);
    free(program);
    return NULL;
}

static int by_name(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

/* Lists the files mlmon.out.* in the current folder, sorted by name. */
static void list_others(struct operands *others)
{
    struct dirent *entry;
    DIR *folder = opendir(".");
    while (folder && (entry = readdir(folder)))
        if (strncmp(entry->d_name, OTHER, strlen(OTHER)) == 0)
            add_word(others, entry->d_name);
    if (folder)
        closedir(folder);
    BUF_SORT(others->words, others->count, by_name);
}

/* Finds the files mlmon.out.* that were measured with the program. */
static void find_others(struct operands *others, const char *program,
                        const char *build_id)
{
    size_t kept = 0;
    list_others(others);
    for (size_t i = 0; i < others->count; i++) {
        struct profile profile = {0};
        struct fault fault = {0};
        progress_set("mlprof: looking for data of %s in %s", program, others->words[i]);
        if (mlmon_read_program(&profile, others->words[i], &fault) &&
            inputs_is_measured(program, build_id, &profile.modules.list[0]))
            others->words[kept++] = others->words[i];
        else
            free(others->words[i]);
        profile_free(&profile);
        fault_clear(&fault);
    }
    others->count = kept;
}

/* Returns `NAME' or `NAME and N more'. The caller frees the text. */
static char *name_others(const struct operands *others)
{
    if (others->count == 1)
        return buf_copy(others->words[0]);
    return buf_format("%s and %zu more", others->words[0], others->count - 1);
}

/* Prints a line if the folder has other data files of PROGRAM that are not read,
   because the usual data file belongs to PROGRAM. */
static void warn_of_others(const char *program, const char *build_id)
{
    struct fault line = {0};
    struct operands others = {0};
    find_others(&others, program, build_id);
    if (others.count) {
        BUF_OWN char *names = name_others(&others);
        fault_set(&line, FAULT_FILE, USUAL,
                  "only this file is read; for %s, there is also %s: name all files to "
                  "add them",
                  program, names);
        fault_warn(&line);
    }
    operands_free(&others);
}

/* A reason why a program that was run may have no data file. */
#define KILLED                                                                           \
    "; CCPROF=every=1 prints why it leaves none, and leaves data even after SIGKILL"

/* Sets WHY to the reason why the usual data file cannot be used for PROGRAM. MEASURED
   is the program with which the usual data file was measured, or NULL if there is no
   usual data file. */
static void explain(struct fault *why, const char *program, const char *build_id,
                    const struct profile_module *measured)
{
    if (!measured)
        fault_set(why, FAULT_FILE, USUAL,
                  "%s: run %s in this folder first, or name its data: mlprof %s "
                  "FILE" KILLED,
                  strerror(ENOENT), program, program);
    else if (strcmp(path_last(measured->path), path_last(program)) == 0 &&
             !elffile_same_build_id(measured->build_id, build_id))
        fault_set(why, FAULT_MISMATCH, USUAL,
                  "measured with another build of %s (build-id %s, not %s): run it again",
                  program, measured->build_id ? measured->build_id : "none",
                  build_id ? build_id : "none");
    else
        fault_set(why, FAULT_MISMATCH, USUAL,
                  "measured with %s, not with %s: run %s in this folder first, or name "
                  "its data: mlprof %s FILE",
                  measured->path, program, program, program);
}

/* If there is exactly one other data file of PROGRAM, adds it instead of the usual
   data file and prints a line. If there are several other data files, adds none of
   them and sets WHY. */
static void choose_other(struct operands *found, const struct operands *others,
                         const char *program, const struct profile_module *usual,
                         struct fault *why)
{
    struct fault line = {0};
    BUF_OWN char *names = name_others(others);
    BUF_OWN char *instead =
        usual ? buf_format("measured with %s", usual->path) : buf_copy(strerror(ENOENT));
    if (others->count == 1) {
        fault_set(&line, FAULT_FILE, USUAL, "%s; %s is read instead, which is of %s",
                  instead, names, program);
        fault_warn(&line);
        add_word(found, names);
    } else {
        fault_set(why, FAULT_FILE, USUAL, "%s; of %s there is %s: name the files to read",
                  instead, program, names);
    }
}

/* Searches for other data files of PROGRAM, because the usual data file does not
   belong to PROGRAM. USUAL is the program with which the usual data file was
   measured, or NULL if there is no usual data file. */
static void find_other(struct operands *found, const char *program, const char *build_id,
                       const struct profile_module *usual, struct fault *why)
{
    struct operands others = {0};
    find_others(&others, program, build_id);
    if (others.count)
        choose_other(found, &others, program, usual, why);
    else
        explain(why, program, build_id, usual);
    operands_free(&others);
}

/* Adds the data file of PROGRAM. If there is none, sets WHY. */
static void find_data(struct operands *found, const char *program, const char *build_id,
                      struct fault *why)
{
    struct profile usual = {0};
    struct fault fault = {0};
    bool good = mlmon_read_program(&usual, USUAL, &fault);
    bool is_there = good || access(USUAL, F_OK) == 0;
    const struct profile_module *measured = good ? &usual.modules.list[0] : NULL;
    if (is_there && (!good || inputs_is_measured(program, build_id, measured))) {
        add_word(found, USUAL);
        if (good)
            warn_of_others(program, build_id);
    } else {
        find_other(found, program, build_id, measured, why);
    }
    fault_clear(&fault);
    profile_free(&usual);
}

/* Completes a command line that names a program but no data file. */
static void complete_program(struct operands *found, struct options *options)
{
    const char *program = options->operands[0];
    struct elffile *file = elffile_try(program);
    add_word(found, program);
    /* If the program cannot be read, reading its tables will report that. */
    if (file)
        find_data(found, program, file->build_id, &options->no_data);
    elffile_close(file);
}

/* Called if the command line has no operands and the usual data file is missing. Sets
   FAULT to a message that says what to do. */
static void add_hint(struct fault *fault)
{
    struct operands others = {0};
    list_others(&others);
    fault_clear(fault);
    if (others.count) {
        BUF_OWN char *names = name_others(&others);
        fault_set(fault, FAULT_FILE, USUAL,
                  "%s, but %s: name the files to read: mlprof %s", strerror(ENOENT),
                  names, others.words[0]);
    } else {
        fault_set(fault, FAULT_FILE, USUAL,
                  "%s: run the program in this folder first, or name it and its data: "
                  "mlprof PROGRAM FILE" KILLED,
                  strerror(ENOENT));
    }
    operands_free(&others);
}

/* Returns the data file from which the program is determined. The caller frees the
   text. If the list of data files cannot be read or is empty, or if the folders have
   data of several programs or none, returns NULL and sets FAULT. */
static char *first_data(const struct options *options, struct fault *fault)
{
    for (size_t i = 0; i < options->operand_count; i++)
        if (!inputs_is_folder(options->operands[i]))
            return buf_copy(options->operands[i]);
    if (options->operand_count)
        return programs_only(options, fault);
    return options->lists.count ? datafiles_first(options->lists.word[0], fault)
                                : buf_copy(USUAL);
}

/* Completes a command line that names no program, and perhaps no data file. */
static bool complete_data(struct operands *found, const struct options *options,
                          struct fault *fault)
{
    struct profile profile = {0};
    bool usual = !options->operand_count && !options->lists.count;
    BUF_OWN char *program = NULL, *data = first_data(options, fault);
    if (data && mlmon_read_program(&profile, data, fault))
        program = find_program(data, &profile.modules.list[0], fault);
    else if (usual && access(USUAL, F_OK) != 0)
        add_hint(fault);
    if (program) {
        add_word(found, program);
        if (usual) {
            add_word(found, USUAL);
            warn_of_others(program, profile.modules.list[0].build_id);
        }
        for (size_t i = 0; i < options->operand_count; i++)
            add_word(found, options->operands[i]);
    }
    profile_free(&profile);
    return found->count > 0;
}

/* Returns whether the file can be read only once, like a pipe. */
static bool is_read_once(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 &&
           (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

/* Returns whether PATH is a data file or a folder. A file that can be read only once
   counts as a data file. */
static bool is_data(const char *path)
{
    struct profile profile = {0};
    struct fault fault = {0};
    if (is_read_once(path) || inputs_is_folder(path))
        return true;
    bool good = mlmon_read_program(&profile, path, &fault);
    profile_free(&profile);
    fault_clear(&fault);
    return good;
}

/* Checks that the first file can be read twice. If the command line names no program,
   this file is first read to determine the program. */
static bool check_first(const struct options *options, struct fault *fault)
{
    const char *first = options->operand_count ? options->operands[0]
                        : options->lists.count ? options->lists.word[0]
                                               : NULL;
    return !first || !is_read_once(first) ||
           fault_set(fault, FAULT_FILE, first,
                     "it can be read but once: name the program before it");
}

bool operands_complete(struct operands *found, struct options *options,
                       struct fault *fault)
{
    if (options->where)
        return true;
    if (!check_first(options, fault))
        return false;
    bool are_data = true; /* all operands are data files or folders */
    for (size_t i = 0; are_data && i < options->operand_count; i++)
        are_data = is_data(options->operands[i]);
    if (are_data) {
        if (!complete_data(found, options, fault))
            return false;
    } else if (options->operand_count == 1 && options->lists.count == 0) {
        complete_program(found, options);
    } else {
        return true;
    }
    for (size_t i = 0; i < options->divisions.count; i++)
        options->divisions.division[i].operand += found->count - options->operand_count;
    options->operands = found->words;
    options->operand_count = found->count;
    return true;
}

void operands_free(struct operands *found)
{
    for (size_t i = 0; i < found->count; i++)
        free(found->words[i]);
    free(found->words);
}
