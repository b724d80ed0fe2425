/* SPDX-License-Identifier: MIT */
/* Owns the name that the other profile gets.  Called where the run's file is written: any
   thread, handlers of fatal signals included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "rt/process/claim.h"
#include "rt/os/say.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/process/owner.h"

/* So often other processes may come before us.  */
#define CLAIM_TRIES 5

/* Of what a data file says in front of its modules, and of one of these.  */
#define CLAIM_HEAD 6000

struct claim {
    const char *temporary, *path;
    struct ccprof_owner_program self;
    char *head, *other; /* CLAIM_HEAD each */
};

/* The thread's stack may be small.  */
static char name[PATH_MAX];
static bool said;

/* The name is PATH with the program and perhaps the number of the process behind it.  */
static void claim_name(const char *path, const char *program, bool number)
{
    const char *slash = strrchr(program, '/');
    struct ccprof_text text;

    ccprof_text_open(&text, name, sizeof name, -1);
    ccprof_text_string(&text, path);
    ccprof_text_char(&text, '.');
    ccprof_text_string(&text, slash ? slash + 1 : program);
    if (number) {
        ccprof_text_char(&text, '.');
        ccprof_text_decimal(&text, (uint64_t)ccprof_sys_getpid());
    }
    ccprof_text_end(&text);
}

static int claim_rename(const char *from, const char *to, bool fresh)
{
    int done = fresh ? ccprof_sys_rename_new(from, to) : ccprof_sys_rename(from, to);
    return done == 0 ? 0 : errno;
}

/* Puts the profile aside, in place of an older one of the same program alone.  TWIN: it
   is of this one.  Returns EEXIST if another process has just taken the name.  */
static int claim_put_aside(const struct claim *claim,
                           const struct ccprof_owner_program *program, bool twin)
{
    struct ccprof_owner_program unused;
    enum ccprof_owner there;
    int error;

    claim_name(claim->path, program->path, false);
    there = ccprof_owner(name, program, claim->other, CLAIM_HEAD, &unused);
    if (there != CCPROF_OWNER_NOBODY && there != CCPROF_OWNER_OURS)
        claim_name(claim->path, program->path, true);
    error = claim_rename(claim->path, name, there == CCPROF_OWNER_NOBODY);
    if (!error && !said) {
        said = true;
        ccprof_say(claim->path, " was the profile of ", twin ? "another process of " : "",
                   program->path, ": it is now ", name, NULL);
    }
    return error == EEXIST ? error : 0;
}

/* Returns EEXIST if another process has come before.  */
static int claim_try(const struct claim *claim)
{
    struct ccprof_owner_program found;
    enum ccprof_owner there =
        ccprof_owner(claim->path, &claim->self, claim->head, CLAIM_HEAD, &found);
    bool aside = there == CCPROF_OWNER_TWIN || there == CCPROF_OWNER_OTHER;
    int error = 0;

    if (aside)
        error = claim_put_aside(claim, &found, there == CCPROF_OWNER_TWIN);
    if (error)
        return error;
    return claim_rename(claim->temporary, claim->path,
                        aside || there == CCPROF_OWNER_NOBODY);
}

int ccprof_claim(const char *temporary, const char *path,
                 const struct ccprof_module *self, char *buffer, size_t size)
{
    struct claim claim = {temporary, path, {NULL, NULL}, buffer, buffer + CLAIM_HEAD};
    int error = EEXIST;

    if (size >= 2 * CLAIM_HEAD && ccprof_owner_module(self, buffer + 2 * CLAIM_HEAD,
                                                      size - 2 * CLAIM_HEAD, &claim.self))
        for (int i = 0; error == EEXIST && i < CLAIM_TRIES; i++)
            error = claim_try(&claim);
    if (error == EEXIST)
        error = claim_rename(temporary, path, false);
    if (!error)
        ccprof_owner_wrote(path, path);
    return error;
}

void ccprof_claim_forget(void)
{
    said = false;
}
