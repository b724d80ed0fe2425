/* SPDX-License-Identifier: MIT */
/* Owns the host and the rank.  The constructor calls start; the other functions are
   called in any thread, handlers included.  */

#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "rt/process/origin.h"
#include "rt/os/sys.h"

/* The most digits of a rank.  */
#define ORIGIN_DIGITS 10

static struct {
    struct utsname system;
    char rank[ORIGIN_DIGITS + 1], ranks[ORIGIN_DIGITS + 1];
} origin;

/* The variables of each launcher.  A launcher may be started by another one, whose
   variables all its processes inherit: in a step that Slurm starts with PMIx, MPICH's
   launcher sets PMI_RANK.  Slurm sets rank 0 in a batch script, too, where nothing is
   launched.  */
static const struct {
    const char *rank, *ranks, *needs;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL},
    {"PMI_RANK", "PMI_SIZE", NULL},
    {"PMIX_RANK", NULL, NULL},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_NUM_TASKS"},
};

static bool origin_copy(char to[ORIGIN_DIGITS + 1], const char *variable)
{
    const char *text = variable ? getenv(variable) : NULL;
    size_t length = text ? strlen(text) : 0;

    if (length == 0 || length > ORIGIN_DIGITS || strspn(text, "0123456789") != length)
        return false;
    strcpy(to, text);
    return true;
}

void ccprof_origin_start(void)
{
    memset(&origin, 0, sizeof origin);
    syscall(SYS_uname, &origin.system);
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers && !*origin.rank; i++) {
        if (launchers[i].needs && !getenv(launchers[i].needs))
            continue;
        if (origin_copy(origin.rank, launchers[i].rank) &&
            (!origin_copy(origin.ranks, launchers[i].ranks) ||
             strtoull(origin.rank, NULL, 10) >= strtoull(origin.ranks, NULL, 10)))
            *origin.ranks = '\0';
    }
}

const char *ccprof_origin_host(void)
{
    return origin.system.nodename;
}

const char *ccprof_origin_rank(void)
{
    return origin.rank;
}

const char *ccprof_origin_ranks(void)
{
    return origin.ranks;
}
