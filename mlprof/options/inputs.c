/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/options/inputs.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/path.h"
#include "mlprof/elf/elffile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool begins_with(const char *path, const char *start)
{
    struct fault fault = {0};
    size_t size, length = strlen(start);
    BUF_OWN char *text = content_read_found(path, NULL, length, &size, &fault);
    bool does = text && size == length && memcmp(text, start, length) == 0;
    fault_clear(&fault);
    return does;
}

bool inputs_is_executable(const char *path)
{
    return begins_with(path, "\177ELF");
}

bool inputs_is_data(const char *path)
{
    return begins_with(path, "ccprof mlmon ");
}

bool inputs_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool same_file(const char *one, const char *other)
{
    BUF_OWN char *a = realpath(one, NULL), *b = realpath(other, NULL);
    return a && b && strcmp(a, b) == 0;
}

bool inputs_is_measured(const char *program, const char *build_id,
                        const struct profile_module *measured)
{
    if (!build_id && !measured->build_id)
        return same_file(program, measured->path);
    return elffile_same_build_id(build_id, measured->build_id);
}

/* Whether the file at PATH, which need not be there, is the program that was
   measured.  */
static bool is_program(const char *path, const struct profile_module *measured)
{
    struct fault fault = {0};
    struct elffile *file = elffile_open(path, &fault);
    bool good = file && inputs_is_measured(path, file->build_id, measured);
    elffile_close(file);
    fault_clear(&fault);
    return good;
}

char *inputs_measured_path(const char *path)
{
    static const char suffix[] = " (deleted)";
    size_t length = strlen(path), tail = sizeof suffix - 1;
    if (access(path, F_OK) != 0 && length > tail &&
        strcmp(path + length - tail, suffix) == 0)
        return buf_copy_prefix(path, length - tail);
    return buf_copy(path);
}

char *inputs_find_program(const char *data, const struct profile_module *measured)
{
    BUF_OWN char *path = inputs_measured_path(measured->path);
    const char *name = path_last(path);
    BUF_OWN char *here = buf_format("./%s", name);
    BUF_OWN char *beside =
        buf_format("%.*s%s", (int)(path_last(data) - data), data, name);
    char *places[] = {path, here, beside};
    char *program = NULL;
    for (size_t i = 0; !program && i < sizeof places / sizeof *places; i++)
        if (is_program(places[i], measured))
            program = buf_copy(places[i]);
    return program;
}
