/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows, columns, names and lines that the views -waits and -locks share. Used by waits.c,
   waits-path.c and locks.c, and by the page, which has the same tables. */

#ifndef MLPROF_WAITWORDS_H
#define MLPROF_WAITWORDS_H

#include "mlprof/view/views.h"
#include "mlprof/waiting/waiting.h"

/* Define the columns `function', `file' and `line' of CALL, a struct places_place, and a
   column NAME of a time. OF_ROW is that of VIEW_VALUE. */
#define WAITWORDS_CALL(call)                                                             \
    VIEW_VALUE(function, table_text((call).function))                                    \
    VIEW_VALUE(file, table_text((call).file))                                            \
    VIEW_VALUE(line, table_integer_if((call).line, (call).line))
#define WAITWORDS_PLACE(does)                                                            \
    TABLE_DATA("file", "of the call that " does, file),                                  \
        TABLE_DATA("line", "of the call that " does, line)
#define WAITWORDS_TIME(name, time)                                                       \
    VIEW_VALUE(name, table_integer(time))                                                \
    VIEW_CELL(name, waitwords_time_cell(time))

/* A table of the views. */
struct waitwords_table {
    const char *title; /* printed above it */
    const struct table_view *view;
    size_t most; /* number of rows without -top; 0: all */
    /* Adds at most MOST rows (0: all) to TABLE and, unless DATA, rows that explain them.
       With DATA, each row stands for itself. Returns how many rows there are, or 0 if
       nobody needs to know. */
    size_t (*add)(struct table *table, const struct waiting *waiting, size_t most,
                  bool data);
};

/* The tables in their order; each list ends with an empty one. */
extern const struct waitwords_table waits_tables[], locks_tables[];

/* The table of the critical path (waits-path.c). */
extern const struct table_view waits_path_table;
size_t waits_add_path(struct table *table, const struct waiting *waiting, size_t most,
                      bool data);

/* Adds all rows of a table to TABLE, for data formats. */
void waitwords_fill(struct table *table, const struct view *view,
                    const struct waitwords_table *of);
#define WAITWORDS_FILL(name, of)                                                         \
    static void name(struct table *table, const struct view *view,                       \
                     const struct pattern *pattern)                                      \
    {                                                                                    \
        (void)pattern;                                                                   \
        waitwords_fill(table, view, of);                                                 \
    }

/* Prints TABLES. Returns whether there was a row. */
bool waitwords_print(FILE *out, const struct view *view,
                     const struct waitwords_table *tables);

/* A row of a table: a wait or a lock; or, below it, one of its owners or links. */
struct waitwords_row {
    const struct waiting *waiting;
    const struct waiting_wait *wait;
    const struct waiting_owner *owner; /* NULL: the wait itself */
    bool release; /* only the call at which OWNER released the lock, without numbers */
    const struct waiting_link *link; /* or NULL */
};

/* Adds COUNT waits to TABLE, each followed by those of its owners of which something is
   known, and by its chain; with DATA, only all owners. At most MOST waits, and MOST
   owners and links of each, are added; 0: all. TABLE has the rows. Returns COUNT. */
size_t waitwords_add(struct table *table, const struct waiting *waiting,
                     const struct waiting_wait *waits, size_t count, size_t most,
                     bool data);

/* Returns the reason and the object of a wait. If the object has no name, its
   description is cut off before the word `first', and *MORE is the rest; otherwise *MORE
   is NULL. The caller frees the result. */
char *waitwords_name(enum ccprof_wait_reason reason, const char *object,
                     const char **more);

/* Returns the cell of a time. The caller frees it. */
char *waitwords_time_cell(uint64_t time);

/* Adds all links of LOCKS to TABLE, which has the rows. Returns 0. */
size_t waitwords_add_links(struct table *table, const struct waiting *waiting,
                           const struct waiting_wait *locks, size_t count);

/* Returns `BEFORE thread NUMBER NAME' of `NUMBER NAME', or `BEFORE process PID'. The
   caller frees it. */
char *waitwords_thread(const char *before, const char *thread);

/* Returns the reason and the object, after THREAD (`NUMBER NAME'), which may be NULL. A
   lock without a name is called `mutex ADDRESS of FUNCTION', where FUNCTION waited for it
   first. FUNCTION is shortened so that the rest stays complete on a screen of 80 columns;
   otherwise cxxname_fit would cut off the rest. The caller frees the result. */
char *waitwords_wait(const char *thread, enum ccprof_wait_reason reason,
                     const char *object);

/* Returns who held the lock, or who ended the wait, indented below the wait. THREAD is
   `NUMBER NAME' or `process PID', or NULL if unknown. The caller frees it. */
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
