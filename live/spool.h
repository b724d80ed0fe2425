/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profiles that have not been sent yet, the oldest first, in memory or as files of a
   folder, which the next run takes over. Their size is bounded: the oldest ones make room
   for new ones. */

#ifndef LIVE_SPOOL_H
#define LIVE_SPOOL_H

#include "mlprof/base/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A profile. The texts are without newlines. */
struct spool_profile {
    uint64_t start, end; /* nanoseconds since 1970 */
    char *name;          /* the name by which the server gets it; may be empty */
    char *source;        /* the file name of the slice; empty: a process */
    char *body;          /* NULL: it is in the spool's folder */
    size_t size;         /* of the body, or of the file */
};

struct spool;

/* Opens the folder at PATH, which is made if it does not exist, or NULL: memory. It can
   have MOST bytes. PROTOCOL is a word: a folder has profiles of one protocol. SLICES is
   the folder of the slices, or NULL. Damaged files are dropped; files that cannot be read
   stay for the next run, which is reported. If the folder cannot be used, for example
   because another process uses it, returns NULL and sets FAULT. */
struct spool *spool_open(const char *path, const char *protocol, uint64_t most,
                         const char *slices, struct fault *fault);

/* Frees SPOOL, which may be NULL. Files stay; profiles in memory are dropped for the
   reason WHY. If a file could not be read, written or removed, returns false; this was
   reported. */
bool spool_close(struct spool *spool, const char *why);

/* Adds a profile, and takes ownership of its memory. If it cannot be stored, it is
   dropped; the slice can be claimed again in the next run. */
void spool_add(struct spool *spool, struct spool_profile *profile);

/* Returns the oldest profile with its body, or NULL. */
const struct spool_profile *spool_first(struct spool *spool);

/* Removes the oldest profile. WHY is the reason why it is lost; NULL: it was sent. */
void spool_remove(struct spool *spool, const char *why);

size_t spool_count(const struct spool *spool);

/* Returns whether the slice SOURCE is new: it was neither claimed in this run nor added
   in an earlier run with this folder, which has the file `sources' for this purpose. */
bool spool_claim(struct spool *spool, const char *source);

#endif
