/* SPDX-License-Identifier: MIT */
/* Looks for the rank.  Constructor.  */

#include <stdlib.h>
#include <string.h>

#include "rt/process/rank.h"

/* Slurm says 0 in a batch script, too, where nothing is launched.  */
static const struct {
    const char *rank, *needs;
} variables[] = {
    {"OMPI_COMM_WORLD_RANK", NULL},
    {"PMIX_RANK", NULL},
    {"PMI_RANK", NULL},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
};

/* Longer than any number of a process.  */
#define RANK_DIGITS 10

const char *ccprof_rank(void)
{
    static char rank[RANK_DIGITS + 1];

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *text = getenv(variables[i].rank);
        size_t length = text ? strlen(text) : 0;
        if (length == 0 || length > RANK_DIGITS || strspn(text, "0123456789") != length ||
            (variables[i].needs && !getenv(variables[i].needs)))
            continue;
        return strcpy(rank, text);
    }
    return "";
}
