/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the views -waits and -locks share. The tables are in waits.c and locks.c. */

#ifndef MLPROF_WAITS_H
#define MLPROF_WAITS_H

#include "mlprof/view/views.h"
#include "mlprof/waiting/waiting.h"

/* A row of a table: a wait or a lock, or one of its owners below it. */
struct waits_row {
    const struct waiting *waiting;
    const struct waiting_wait *wait;
    const struct waiting_owner *owner; /* NULL: the wait itself */
};

/* Adds COUNT waits to TABLE, each followed by those of its owners of which something is
   known. At most MOST waits and owners are added; 0: all. TABLE has the rows. */
void waits_add(struct table *table, const struct waiting *waiting,
               const struct waiting_wait *waits, size_t count, size_t most);

/* Adds only the owners, for data formats. */
void waits_add_owners(struct table *table, const struct waiting *waiting,
                      const struct waiting_wait *waits, size_t count);

/* Returns how many waits the style of VIEW asks for; 0: all. */
size_t waits_most(const struct view *view, size_t by_default);

/* Prints how many of COUNT waits are left out after MOST. */
void waits_print_more(FILE *out, size_t count, size_t most);

/* Returns the reason and the object of a wait. If the object has no name, its
   description is cut off before the word `first', and *MORE is the rest; otherwise *MORE
   is NULL. The caller frees the result. */
char *waits_name(enum ccprof_wait_reason reason, const char *object, const char **more);

/* Returns the cell of a time. The caller frees it. */
char *waits_time_cell(uint64_t time);

/* Returns `BEFORE thread NAME' of `NUMBER NAME'. The caller frees it. */
char *waits_thread(const char *before, const char *thread);

/* The table of the critical path (waits-path.c), and its rows for data formats. */
extern const struct table_view waits_path_table;
void waits_fill_path(struct table *table, const struct view *view,
                     const struct pattern *pattern);

/* Prints at most MOST rows of the critical path; 0: all. Prints nothing if it is not
   known. */
void waits_print_path(FILE *out, const struct view *view, size_t most);

/* If waiting was not measured, returns false and sets FAULT for OPTION. */
bool waits_check(const struct view *view, const char *option, struct fault *fault);

/* Prints the first line: how much was waited. */
void waits_head(FILE *out, const struct view *view);

/* Prints which waits are missing, if some are. */
void waits_foot(FILE *out, const struct view *view);

#endif
