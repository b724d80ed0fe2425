/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of comparing exact counts with a budget, a file that is kept with a
   program's source (budget.h). budget-check.c fills it, gate.c holds it and
   shows it as a table, and gate-report.c shows it in other formats. Called by
   mlprof/commands. */

#ifndef MLPROF_GATE_H
#define MLPROF_GATE_H

#include "mlprof/base/buf.h"
#include "mlprof/columns/table.h"
#include "mlprof/compare/runset.h"

#include <stdio.h>

/* Why a check of a budget fails although no number exceeds another one. */
enum gate_reason {
    GATE_NO_REASON,
    GATE_NO_FUNCTION, /* no function matches the line */
    GATE_NO_VALUE,    /* the limit is relative, and no value was measured yet */
    GATE_NO_LINE      /* a matching function has no line of its own */
};

/* A count that was compared with the budget. The texts belong to the runsets and to the
   budget. */
struct gate_check {
    /* The name if it is not FUNCTION's: of a budget's line. NULL: FUNCTION's name. */
    const char *name;
    const struct runset_function *function; /* NULL: not one function */
    const char *object; /* the shared object of the function; NULL: unknown or none */
    unsigned long line; /* line of the budget */
    const char *word;   /* name of the measure in the budget */
    /* The points in the budget and in the new run. Both NULL: the count belongs to the
       whole function. One NULL: that side does not have the list. If two lists have
       different lengths, their sums are compared. */
    const struct linecounts_list *points[2];
    const struct intern *files; /* the names of the files of POINTS */
    /* Index of the point in its list; GATE_ALL: the sum of the list. */
    size_t nth;
    uint64_t before, now, limit;
    bool measured; /* BEFORE is known */
    bool limited;  /* LIMIT is known */
    bool failed;
    enum gate_reason reason;
    double size;    /* of the change, as a share of the measure's total */
    size_t number;  /* in the order of discovery */
    bool of_object; /* in the function's object, the other side has no count */
};

/* A shared object with counts on only one side. */
struct gate_object {
    char *name;
    size_t side;   /* the side with counts: 0: budget, 1: now */
    size_t checks; /* the failed checks of its functions */
};

#define GATE_ALL SIZE_MAX

struct gate {
    const char *path; /* the file, as the user gave it */
    double threshold; /* in percent: relative limits permit at least that much */
    /* The compilers that made the program, as the file says, and the one of now. They
       belong to the caller. NULL: unknown. */
    const char *compilers[2];
    size_t limits, beyond; /* number of limits, and of exceeded limits */
    BUF_VECTOR(struct gate_object) objects;
    /* First the FAILED checks, the greatest change first, then the others in the order
       of discovery. Points are here only if they differ. */
    struct gate_check *checks;
    size_t check_count, check_capacity, failed;
};

void gate_free(struct gate *gate);

/* gate_add adds a check. gate_sort puts the failed checks first and sorts them by
   their size, which the caller has set. */
void gate_add(struct gate *gate, const struct gate_check *check);
void gate_sort(struct gate *gate);

/* Returns whether both compilers are known and different. */
bool gate_has_new_compiler(const struct gate *gate);

/* Texts about a check, which the caller frees. gate_name returns the name of the
   function or of its branches, gate_unit that of the measure. gate_sentence says
   everything but the name: `calls 1,010, limit 1,005
   (+0.50 %), before 1,000 (+1.00 %)'. */
char *gate_name(const struct gate_check *check);
char *gate_unit(const struct gate_check *check);
char *gate_sentence(const struct gate_check *check);

/* Sets *FILE to the file of the point or the function of a check, as given to the
   compiler, and returns its line. If it is unknown, sets NULL and returns 0. */
uint32_t gate_position(const struct gate_check *check, const char **file);

/* Returns the points of a check, preferably from the current run. Returns NULL if the
   count belongs to the whole function. */
const struct linecounts_list *gate_points(const struct gate_check *check);

/* The maximum number of printed rows without -top. */
#define GATE_TABLE_TOP 10

/* Returns the table, with a row for each failed check. Free it with table_free. */
struct table gate_table_make(const struct gate *gate);

/* Prints the first TOP rows on a terminal (0: all) and below them the number of
   further rows. Rows of objects that only one side has are omitted. */
void gate_table_print(FILE *out, const struct gate *gate, size_t top);

/* The columns of the table of differences. */
extern const struct table_view gate_table;

/* Write all checks as JUnit XML, and the first TOP failed checks (0: all) as commands
   for GitHub's log. Paths below HERE, the current folder, are relative to it. */
void gate_write_junit(FILE *out, const struct gate *gate, const char *here);
void gate_print_github(FILE *out, const struct gate *gate, const char *here, size_t top);

#endif
