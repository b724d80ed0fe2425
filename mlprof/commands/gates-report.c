/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the result of a gate and writes its files (gates-inside.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/path.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/gates-inside.h"
#include "mlprof/compare/compare-output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool judge_limits(const struct gate *gate, struct fault *fault)
{
    BUF_OWN char *failed = text_count(gate->beyond);
    BUF_OWN char *checked = text_number(gate->limits, "limit");
    return fault_set(fault, FAULT_BEYOND, gate->path, "%s of %s %s not hold", failed,
                     checked, gate->beyond == 1 ? "does" : "do");
}

/* Prints a line for each shared object that has counts only on one side. */
static void print_objects(const struct gate *gate, const struct profile *profile)
{
    for (size_t i = 0; i < gate->objects.count; i++) {
        const struct gate_object *object = &gate->objects.list[i];
        const char *path = NULL;
        for (size_t m = 1; m < profile->modules.count; m++)
            if (strcmp(path_last(profile->modules.list[m].path), object->name) == 0)
                path = profile->modules.list[m].path;
        BUF_OWN char *count = text_count(object->checks);
        BUF_OWN char *limits = text_number(object->checks, "limit");
        BUF_OWN char *text =
            object->side
                ? buf_format("%s: not in the budget; %s new", object->name, count)
            : path ? buf_format("%s: the one loaded now, %s, has counted nothing; %s",
                                object->name, path, limits)
                   : buf_format("%s: not in the data; %s", object->name, limits);
        BUF_OWN char *line = buf_format("%s\n", text);
        terminal_print(stdout, line);
    }
}

/* Prints both compilers if they differ. */
static void print_compilers(const struct gate *gate)
{
    if (!gate_has_new_compiler(gate))
        return;
    BUF_OWN char *path = text_clean(gate->path);
    BUF_OWN char *text = buf_format("The program was made by another compiler than %s:\n"
                                    "  before  %s\n"
                                    "  now     %s\n"
                                    "If this explains the differences, update the file: "
                                    "mlprof -gate-update %s\n\n",
                                    path, gate->compilers[0], gate->compilers[1], path);
    terminal_print(stdout, text);
}

static bool write_junit(const struct gate *gate, const char *path, const char *here,
                        struct fault *fault)
{
    BUF_OWN char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    gate_write_junit(out, gate, here);
    buf_close(out);
    return save_file(path, text, size, fault);
}

bool gates_report(const struct gate *gate, const struct gates_input *input,
                  const char *equal, struct fault *fault)
{
    const struct options *options = input->options;
    size_t top = options->top < 0 ? GATE_TABLE_TOP : (size_t)options->top;
    bool printed = !viewfiles_take_output(options);
    char *folder = getcwd(NULL, 0);
    BUF_OWN char *here = folder ? folder : buf_copy("");
    progress_end();
    if (!compare_data_gate(&options->exports, "ccprof " CCPROF_VERSION, gate, fault) ||
        (options->gate_junit && !write_junit(gate, options->gate_junit, here, fault)))
        return false;
    if (printed && gate->failed) {
        print_compilers(gate);
        gate_table_print(stdout, gate, top);
        print_objects(gate, input->profile);
    }
    if (printed && options->gate_github)
        gate_print_github(stdout, gate, here, top);
    if (gate->failed)
        return judge_limits(gate, fault);
    if (printed)
        terminal_print(stdout, equal);
    return true;
}
