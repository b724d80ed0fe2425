/* SPDX-License-Identifier: MIT */
/* Gives a profile its name, for mlmon.c, and renames another program's profile that has
   the name.  Owns the new name of the other profile.  Called where the run's file is
   written: in any thread, handlers of fatal signals included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "rt/process/claim.h"
#include "rt/os/proc.h"
#include "rt/os/text.h"
#include "rt/os/sys.h"
#include "rt/process/owner.h"

/* How many names a process tries for another program's profile before it replaces a
   profile.  */
#define CLAIM_TRIES 1000

/* A profile that gets its name.  FILE is a name that only this process uses: at first it
   names the profile of this process, and later the file that was at PATH.  */
struct claim {
    const char *file, *path;
    char *head, *other; /* buffers of CCPROF_CLAIM_HEAD bytes each */
};

/* Not on the thread's stack, which may be small.  */
static char name[PATH_MAX];
static bool said;

/* Makes a name: PATH and the program; from the second try on also the number of the
   process, and from the third on also the number of the try.  */
static void claim_name(const char *path, const char *program, unsigned try)
{
    const char *slash = strrchr(program, '/');
    struct ccprof_text text;

    ccprof_text_open(&text, name, sizeof name, NULL);
    ccprof_text_string(&text, path);
    ccprof_text_char(&text, '.');
    ccprof_text_string(&text, slash ? slash + 1 : program);
    if (try > 0) {
        ccprof_text_char(&text, '.');
        ccprof_text_decimal(&text, (uint64_t)ccprof_sys_getpid());
    }
    if (try > 1) {
        ccprof_text_char(&text, '.');
        ccprof_text_decimal(&text, try);
    }
    ccprof_text_end(&text);
}

/* Swaps two names where the file system cannot exchange them.  TO is missing for a
   moment; a profile to which another process gives this name at this moment is lost.  */
static int claim_swap_slowly(const struct claim *claim, const char *to)
{
    const char *file = claim->file;
    char *taken = claim->other;
    struct ccprof_text text;

    ccprof_text_open(&text, taken, CCPROF_CLAIM_HEAD, NULL);
    ccprof_text_string(&text, file);
    ccprof_text_string(&text, ".old");
    bool was = ccprof_text_end(&text) == 0 && ccprof_sys_rename(to, taken) == 0;
    int error = ccprof_sys_rename(file, to) == 0 ? 0 : errno;
    if (was && ccprof_sys_rename(taken, error ? to : file) == 0 && !error)
        error = EEXIST;
    return error;
}

/* Gives the claim's file the name TO.  Returns 0 if there was no such file, EEXIST if
   FILE now names what was at TO, and another errno value on errors.  */
static int claim_swap(const struct claim *claim, const char *to)
{
    const char *file = claim->file;

    for (;;) {
        if (ccprof_sys_rename_new(file, to) == 0)
            return 0;
        if (errno != EEXIST)
            break;
        if (ccprof_sys_exchange(file, to) == 0)
            return EEXIST;
        if (errno != ENOENT)
            break;
    }
    return errno == EINVAL ? claim_swap_slowly(claim, to) : errno;
}

/* Returns whether FILE, which was or is called `name', may be replaced.  */
static bool claim_is_old(const struct claim *claim, const char *file,
                         const struct ccprof_owner_program *program)
{
    struct ccprof_owner_program unused;
    enum ccprof_owner there =
        ccprof_owner(file, name, program, claim->other, CCPROF_CLAIM_HEAD, &unused);
    return there == CCPROF_OWNER_NOBODY || there == CCPROF_OWNER_OURS;
}

static void claim_say(const struct claim *claim,
                      const struct ccprof_owner_program *program, bool twin,
                      const char *now)
{
    if (!said)
        ccprof_say(claim->path, " was the profile of ", twin ? "another process of " : "",
                   program->path, ": it is now ", now, NULL);
    said = true;
}

/* Gives the claim's file, which is a profile of PROGRAM, the first name that is free or
   belongs to an older profile of PROGRAM.  TWIN: PROGRAM is this program.  If another
   process gives its profile this name at the same moment, the search goes on with that
   profile.  */
static void claim_put_aside(const struct claim *claim,
                            const struct ccprof_owner_program *program, bool twin)
{
    for (unsigned try = 0;; try++) {
        claim_name(claim->path, program->path, try);
        if (!claim_is_old(claim, name, program) && try < CLAIM_TRIES)
            continue;
        int error = claim_swap(claim, name);
        claim_say(claim, program, twin, error && error != EEXIST ? claim->file : name);
        if (error != EEXIST)
            return;
        if (claim_is_old(claim, claim->file, program) || try >= CLAIM_TRIES)
            break;
    }
    ccprof_sys_unlink(claim->file);
}

/* Handles the file that was at PATH, and is now the claim's file.  */
static void claim_sort_out(const struct claim *claim,
                           const struct ccprof_owner_program *self)
{
    struct ccprof_owner_program found;
    enum ccprof_owner was = ccprof_owner(claim->file, claim->path, self, claim->head,
                                         CCPROF_CLAIM_HEAD, &found);

    if (was == CCPROF_OWNER_TWIN || was == CCPROF_OWNER_OTHER)
        claim_put_aside(claim, &found, was == CCPROF_OWNER_TWIN);
    else
        ccprof_sys_unlink(claim->file);
}

int ccprof_claim(const char *temporary, const char *path,
                 const struct ccprof_module *self, char *buffer)
{
    struct claim claim = {temporary, path, buffer, buffer + CCPROF_CLAIM_HEAD};
    struct ccprof_owner_program program;
    int error;

    if (ccprof_owner_module(self, buffer + 2 * CCPROF_CLAIM_HEAD, CCPROF_CLAIM_HEAD,
                            &program)) {
        error = claim_swap(&claim, path);
        if (error == EEXIST) {
            claim_sort_out(&claim, &program);
            error = 0;
        }
    } else if (ccprof_sys_rename(temporary, path) == 0)
        error = 0;
    else
        error = errno;
    if (!error)
        ccprof_owner_wrote(path, path);
    return error;
}

void ccprof_claim_start(const char *path)
{
    said = false;
    claim_name(path, ccprof_program(), 0);
    ccprof_owner_start(path, name);
}
