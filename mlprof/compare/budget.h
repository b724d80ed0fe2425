/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Budgets: text files with limits for functions, which people edit
   (mlprof-compare(7), BUDGETS).  budget.c and budget-limit.c parse a budget,
   budget-print.c prints it.  budget-find.c finds the counts that its lines are about,
   budget-check.c compares them with the limits, and budget-update.c replaces the measured
   values.  Called by mlprof/commands/gates-budget.c.  */

#ifndef MLPROF_BUDGET_H
#define MLPROF_BUDGET_H

#include "mlprof/base/pattern.h"
#include "mlprof/compare/gate.h"
#include "mlprof/compare/runset.h"

/* The first line of a budget.  */
#define BUDGET_START   "ccprof budget "
#define BUDGET_VERSION 1

enum budget_kind {
    BUDGET_TEXT, /* blank, or a comment */
    BUDGET_COMPILER,
    BUDGET_LIMIT
};

enum budget_form {
    BUDGET_MOST,  /* a plain number */
    BUDGET_ABOVE, /* +P%: at most P percent more than the measured value */
    BUDGET_WITHIN /* +-P% and `=': at most P percent more or less */
};

/* What a limit is about.  */
enum budget_subject {
    BUDGET_NAME,    /* the functions of a name, added up */
    BUDGET_PATTERN, /* the matching functions, added up */
    BUDGET_TOTAL,   /* the program */
    BUDGET_EACH     /* each matching function without a line of its own */
};

/* One percent in AMOUNT of a relative limit, and the greatest percentage plus 1.  */
#define BUDGET_PERCENT      1000000
#define BUDGET_PERCENT_MOST 100000

struct budget_line {
    enum budget_kind kind;
    unsigned long number; /* 0: added by budget_update */
    char *text;           /* BUDGET_TEXT and BUDGET_COMPILER: the line */
    /* BUDGET_LIMIT: */
    char *limit; /* as written */
    enum budget_form form;
    uint64_t amount;
    bool measured; /* VALUE was measured */
    uint64_t value;
    char *word; /* the measure as written */
    struct runset_measure measure;
    enum budget_subject subject;
    char *shown; /* the subject as written, without the file */
    char *name;  /* the function or the regular expression */
    char *file;  /* of the function; NULL: any */
    struct pattern pattern;
    char *comment; /* begins with #; NULL: none */
    /* Set by the caller of budget_parse: the line is checked and updated.  */
    bool selected;
};

/* Initialize with zeros.  */
struct budget {
    struct budget_line *lines;
    size_t count, capacity;
    char *compiler; /* NULL: unknown */
};

/* Parses the SIZE bytes of TEXT, which were read from PATH.  If they are not a budget,
   returns false and sets FAULT.  Free BUDGET with budget_free in any case.  */
bool budget_parse(struct budget *budget, const char *path, const char *text, size_t size,
                  struct fault *fault);

/* budget-limit.c: reads the digits at *AT, with commas between groups of three, sets
 *VALUE, and moves *AT behind them.  Returns why they are wrong, or NULL.  */
const char *budget_read_count(const char **at, uint64_t *value);

/* Sets form and amount of LINE, whose measure is known, from its limit.  Returns why
   the limit is wrong, or NULL.  */
const char *budget_read_limit(struct budget_line *line);

/* Prints the budget, with its columns aligned.  */
void budget_print(FILE *out, const struct budget *budget);

void budget_free(struct budget *budget);

/* Returns the word for MEASURE in a budget, which the caller frees.  */
char *budget_word(struct runset_measure measure);

/* Adds a line at index AT, a limit that WORD and NAME describe as in a line of a file.
   Takes ownership of NAME and FILE, which may be NULL.  */
struct budget_line *budget_add_limit(struct budget *budget, size_t at, const char *limit,
                                     struct runset_measure measure, char *name,
                                     char *file);

/* The counts of one measure, evaluated by the caller.  */
struct budget_counts {
    const struct measure *measure;
    struct runset side; /* has one run */
};

/* The count of a function without a line of its own that BUDGET_EACH is about.  */
struct budget_each {
    size_t line; /* index in the budget */
    const struct runset_function *function;
    uint64_t now;
};

/* The counts of a budget's lines.  Initialize with zeros.  */
struct budget_found {
    /* By line, for lines that are selected.  */
    struct budget_sum {
        uint64_t now, total;
        size_t functions; /* number of matching functions */
        /* The matching function that counted most; NULL: none.  */
        const struct runset_function *function;
        uint64_t most;
    } * sums;
    struct budget_each *each; /* sorted by line, then by name */
    size_t each_count, each_capacity;
};

/* Fills FOUND with the counts of the selected lines of BUDGET.  COUNTS has an element
   for each of their measures and lives as long as FOUND.  */
void budget_find(struct budget_found *found, const struct budget *budget,
                 const struct budget_counts *counts, size_t count);

void budget_found_free(struct budget_found *found);

/* The names by which a line can name a function: as the tables show it, readable, plain
   and full, and the assembler name.  Names may be NULL or equal.  */
enum { BUDGET_NAMES = 5 };
void budget_names(const struct runset_function *function, char *names[BUDGET_NAMES]);
void budget_names_free(char *names[BUDGET_NAMES]);

/* Returns whether a line can contain TEXT as the name or the file of a function.  */
bool budget_can_name(const char *text);

/* Adds a check to GATE for each selected limit and each function of BUDGET_EACH.  */
void budget_check(struct gate *gate, const struct budget *budget,
                  const struct budget_found *found);

/* The effect of budget_update.  */
struct budget_changes {
    size_t values; /* number of lines with another value than before */
    size_t added;
    size_t missing; /* number of lines without a matching function */
};

/* Replaces the values of the selected lines and the compiler, and adds the lines that
   BUDGET_EACH requests.  FOUND comes from COUNTS.  COMPILER may be NULL.  */
struct budget_changes budget_update(struct budget *budget,
                                    const struct budget_found *found,
                                    const struct budget_counts *counts, size_t count,
                                    const char *compiler);

/* Adds to an empty budget the lines of a new file, and a limit for the program and for
   each of the MOST functions of SIDE that counted most of MEASURE (0: all).  The limits
   are `+PERCENT%'.  */
void budget_create(struct budget *budget, const struct runset *side,
                   struct runset_measure measure, size_t most, double percent);

#endif
