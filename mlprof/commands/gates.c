/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the data and the budget of -gate and -gate-update (gates-inside.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/gates-inside.h"
#include "mlprof/compare/budget.h"
#include "mlprof/input/datafiles.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Reads the file at PATH. If the file does not exist and MAY_LACK is true, sets *TEXT
   to NULL. */
static bool read_gate(const char *path, bool may_lack, char **text, size_t *size,
                      struct fault *fault)
{
    const char *file = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    *text = NULL;
    if (may_lack &&
        (save_is_output(path) || (access(path, F_OK) != 0 && errno == ENOENT)))
        return true;
    *text = content_read(file, "ccprof", size, fault);
    return *text;
}

static bool use_file(const struct gates_input *input, struct fault *fault)
{
    const struct options *options = input->options;
    const char *path = options->gate ? options->gate : options->gate_update;
    size_t size = 0;
    BUF_OWN char *text = NULL;
    if (!read_gate(path, !options->gate, &text, &size, fault))
        return false;
    if (options->gate && text_begins(text, BUDGET_BASELINE))
        return fault_set(fault, FAULT_VERSION, path,
                         "a baseline, an older format: mlprof -gate-update converts it");
    return options->gate ? gates_check(input, path, text, size, fault)
                         : gates_update(input, path, text, size, fault);
}

bool gates_show(const struct options *options, struct tables *executable,
                struct fault *fault)
{
    struct profile profile = {0};
    advice_link(executable, options->operands[0]);
    BUF_OWN char *name = elffile_compiler(tables_holder(executable));
    /* A budget has no control characters. */
    BUF_OWN char *compiler = name ? text_clean(name) : NULL;
    const struct gates_input input = {.options = options,
                                      .profile = &profile,
                                      .executable = executable,
                                      .option = options->gate ? "-gate" : "-gate-update",
                                      .compiler = compiler};
    bool good = viewfiles_check(options, fault) &&
                datafiles_read(&profile, options, executable, fault) &&
                use_file(&input, fault);
    profile_free(&profile);
    return good;
}
