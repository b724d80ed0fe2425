/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files gates*.c. gates.c reads the data and the file of the command line.
   gates-budget.c checks and updates a budget, and gates-report.c shows the result. */

#ifndef MLPROF_GATES_INSIDE_H
#define MLPROF_GATES_INSIDE_H

#include "mlprof/commands/commands.h"
#include "mlprof/compare/gate.h"

/* The inputs of -gate and -gate-update. */
struct gates_input {
    const struct options *options;
    const struct profile *profile;
    struct tables *executable;
    const char *option; /* the option, for messages */
    char *compiler;     /* that made the executable; NULL: unknown */
};

/* Writes and prints what the options request of GATE. If a check has failed, returns
   false and sets FAULT to FAULT_BEYOND; otherwise prints EQUAL, a line. */
bool gates_report(const struct gate *gate, const struct gates_input *input,
                  const char *equal, struct fault *fault);

/* Check or update the budget in TEXT, which was read from PATH. If TEXT is NULL, the
   file does not exist and is created. */
bool gates_check(const struct gates_input *input, const char *path, const char *text,
                 size_t size, struct fault *fault);
bool gates_update(const struct gates_input *input, const char *path, const char *text,
                  size_t size, struct fault *fault);

#endif
