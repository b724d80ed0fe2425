/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows, names and lines that the views -waits and -locks share. Used by waits.c,
   waits-path.c and locks.c. */

#ifndef MLPROF_WAITWORDS_H
#define MLPROF_WAITWORDS_H

#include "mlprof/view/views.h"
#include "mlprof/waiting/waiting.h"

/* A row of a table: a wait or a lock, or one of its owners below it. */
struct waitwords_row {
    const struct waiting *waiting;
    const struct waiting_wait *wait;
    const struct waiting_owner *owner; /* NULL: the wait itself */
    bool release; /* only the call at which OWNER released the lock, without numbers */
};

/* Adds COUNT waits to TABLE, each followed by those of its owners of which something is
   known. At most MOST waits and owners are added; 0: all. TABLE has the rows. */
void waitwords_add(struct table *table, const struct waiting *waiting,
                   const struct waiting_wait *waits, size_t count, size_t most);

/* Adds only the owners, for data formats. */
void waitwords_add_owners(struct table *table, const struct waiting *waiting,
                          const struct waiting_wait *waits, size_t count);

/* Returns how many waits the style of VIEW asks for; 0: all. */
size_t waitwords_most(const struct view *view, size_t by_default);

/* Prints how many of COUNT waits are left out after MOST. */
void waitwords_print_more(FILE *out, size_t count, size_t most);

/* Returns the reason and the object of a wait. If the object has no name, its
   description is cut off before the word `first', and *MORE is the rest; otherwise *MORE
   is NULL. The caller frees the result. */
char *waitwords_name(enum ccprof_wait_reason reason, const char *object,
                     const char **more);

/* Returns the cell of a time. The caller frees it. */
char *waitwords_time_cell(uint64_t time);

/* Returns `BEFORE thread NAME' of `NUMBER NAME'. The caller frees it. */
char *waitwords_thread(const char *before, const char *thread);

/* Returns who held the lock, or who ended the wait, indented below the wait. THREAD is
   `NUMBER NAME', or NULL if unknown. The caller frees it. */
char *waitwords_owner(enum ccprof_wait_reason reason, enum ccprof_wait_end end,
                      const char *thread);

/* Returns the call that took a lock, TAKEN, or else the call that released it or woke,
   RELEASE. Either may be NULL; NULL: both are. The caller frees it. */
char *waitwords_call(enum ccprof_wait_reason reason, const char *taken,
                     const char *release);

/* Puts the row of the call RELEASE below the row of a call that took the lock. */
void waitwords_put_release(struct sheet *sheet, const char *release);

/* Puts a name with a place, which may be NULL, into the last cell. Takes ownership of
   both. */
void waitwords_put(struct sheet *sheet, char *name, char *place);

/* If waiting was not measured, returns false and sets FAULT for OPTION. */
bool waitwords_check(const struct view *view, const char *option, struct fault *fault);

/* Prints the first line: how much was waited. */
void waitwords_head(FILE *out, const struct view *view);

/* Prints which waits are missing, if some are. */
void waitwords_foot(FILE *out, const struct view *view);

#endif
