/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Budgets: text files with limits for functions, which people edit
   (mlprof-compare(7), BUDGETS). budget.c and budget-fields.c parse a
   budget, budget-print.c prints it. budget-names.c chooses the names of functions.
   budget-find.c finds the counts that its lines are about, budget-check.c compares them
   with the limits, and budget-update.c replaces the measured values, and converts a file
   of an older format. Called by mlprof/commands/gates-budget.c. */

#ifndef MLPROF_BUDGET_H
#define MLPROF_BUDGET_H

#include "mlprof/base/buf.h"
#include "mlprof/base/pattern.h"
#include "mlprof/compare/gate.h"
#include "mlprof/compare/runset.h"

/* The first line of a budget. */
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

/* What a limit is about. */
enum budget_subject {
    BUDGET_NAME,    /* the functions of a name, added up */
    BUDGET_PATTERN, /* the matching functions, added up */
    BUDGET_TOTAL,   /* the program */
    BUDGET_EACH     /* each matching function without a line of its own */
};

/* One percent in AMOUNT of a relative limit, and the greatest percentage plus 1. */
#define BUDGET_PERCENT      1000000
#define BUDGET_PERCENT_MOST 100000

/* The functions that a line names. */
struct budget_place {
    char *name;   /* of the functions, or a pattern as written */
    char *file;   /* the end of their path; NULL: any file */
    char *object; /* the only shared object that contains them; NULL: any */
    uint32_t nth; /* the place of one function among them, by line; 0: all of them */
};

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
    struct budget_place place;
    struct pattern *pattern; /* NULL: none */
    char *expression;        /* of PATTERN */
    char *comment;           /* begins with #; NULL: none */
    /* The measured executions of each line and outcome of one function. NULL: none. */
    struct linecounts *points;
    /* Set by the caller of budget_parse: the number of the counts of the measure, from 1.
       0: the line is neither checked nor updated. */
    size_t counts;
    bool owned; /* by the line `each' above: budget_update writes the line anew */
};

/* Initialize with zeros. */
struct budget {
    struct budget_line *lines;
    size_t count, capacity;
    char *compiler; /* NULL: unknown */
};

/* Parses the SIZE bytes of TEXT, which were read from PATH. If they are not a budget,
   returns false and sets FAULT. Free BUDGET with budget_free in any case. */
bool budget_parse(struct budget *budget, const char *path, const char *text, size_t size,
                  struct fault *fault);

/* budget-fields.c: reads the digits at *CURSOR, with commas between groups of three,
   sets *VALUE, and moves *CURSOR behind them. Returns why they are wrong, or NULL. */
const char *budget_read_count(const char **cursor, uint64_t *value);

/* Sets form and amount of LINE, whose measure is known, from its limit. Returns why
   the limit is wrong, or NULL. */
const char *budget_read_limit(struct budget_line *line);

/* Sets the subject of LINE from TEXT, which is changed. Returns why it
   is wrong, which the caller frees, or NULL. */
char *budget_read_subject(struct budget_line *line, char *text);

/* Sets the subject of LINE to PLACE, which becomes the line's. Returns why its pattern
   is wrong, which the caller frees, or NULL. */
char *budget_set_subject(struct budget_line *line, struct budget_place place);

/* Returns PLACE as a line of a budget has it. The caller frees the text. */
char *budget_place_text(const struct budget_place *place);

struct budget_place budget_copy_place(const struct budget_place *place);

/* Returns whether C is a control character of ASCII. A line contains none but tabs. */
static inline bool budget_is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f;
}

/* Returns whether a line can contain TEXT as the name, the file or the object of a
   function. */
bool budget_can_name(const char *text);

/* Prints the budget, with its columns aligned. */
void budget_print(FILE *out, const struct budget *budget);

void budget_free(struct budget *budget);
void budget_free_line(struct budget_line *line);

/* Returns the word for MEASURE in a budget, which the caller frees. */
char *budget_word(struct runset_measure measure);

/* Adds a blank line or comment at the end. Takes ownership of TEXT. */
void budget_add_text(struct budget *budget, char *text);

/* Adds a limit at the end, as if LIMIT and PLACE were read from a file. Takes ownership
   of PLACE. */
struct budget_line *budget_add_limit(struct budget *budget, const char *limit,
                                     struct runset_measure measure,
                                     struct budget_place place);

/* Adds a line for each function of MEASURE to a budget. */
void budget_add_each(struct budget *budget, const char *limit,
                     struct runset_measure measure);

/* The names by which a line can name a function: as the tables show it, readable, plain
   and full, and the assembler name. Names may be NULL or equal. */
enum { BUDGET_NAMES = 5 };

/* The counts of some measures. The caller sets SIDE, which has one run, and frees
   everything with budget_counts_free. */
struct budget_counts {
    struct runset side;
    const struct measure *main; /* whose amounts include called functions; NULL: any */
    /* Set by budget-names.c. By function; NULL: not yet known. */
    char *(*names)[BUDGET_NAMES];
    uint32_t *order;             /* the functions, by line */
    struct budget_place *places; /* without a name: no line can name the function */
};

/* Sets the names and the order, or also the places, if they are not yet known. */
void budget_find_names(struct budget_counts *counts);
void budget_find_places(struct budget_counts *counts);

/* Returns the path of a function's source file; "" if it is unknown. */
const char *budget_path(const struct runset_function *function);

/* Returns the next longer end of PATH than END, in whole components; NULL if there is
   none. */
const char *budget_longer_end(const char *path, const char *end);

void budget_counts_free(struct budget_counts *counts);

/* The count of a function without a line of its own that BUDGET_EACH is about. */
struct budget_each {
    size_t line; /* index in the budget */
    uint32_t function;
    const char *name; /* of the function in tables */
    uint64_t now;
};

/* The counts of a budget's lines. Initialize with zeros. */
struct budget_found {
    /* By line, for lines with counts. */
    struct budget_sum {
        uint64_t now, total;
        size_t functions; /* number of matching functions */
        /* The matching function that counted most, if there is one. */
        uint32_t function;
        uint64_t most;
    } * sums;
    BUF_VECTOR(struct budget_each) each; /* sorted by line, then by name */
};

/* Fills FOUND with the counts of the lines of BUDGET that have counts and are not owned.
   COUNTS lives as long as FOUND. */
void budget_find(struct budget_found *found, const struct budget *budget,
                 struct budget_counts *counts, size_t count);

void budget_found_free(struct budget_found *found);

/* Adds a check to GATE for each limit with counts, each failed point, and each function
   of BUDGET_EACH. The caller has set the threshold. */
void budget_check(struct gate *gate, const struct budget *budget,
                  const struct budget_found *found, const struct budget_counts *counts,
                  size_t count);

/* The effect of budget_update. */
struct budget_changes {
    size_t limits; /* number of lines before */
    size_t values; /* number of lines with another value than before */
    size_t added, removed;
};

/* Marks the lines with counts that the lines `each' own. Call before budget_find. */
void budget_find_owned(struct budget *budget);

/* Replaces the values of the lines with counts, the owned lines, and the compiler. FOUND
   comes from COUNTS. COMPILER may be NULL. */
struct budget_changes budget_update(struct budget *budget,
                                    const struct budget_found *found,
                                    struct budget_counts *counts, const char *compiler);

/* Adds the first lines of a new file to an empty budget. */
void budget_begin(struct budget *budget);

/* Adds a limit for the program and for each of the MOST functions of COUNTS that counted
   most of MEASURE (0: all). */
void budget_add_greatest(struct budget *budget, const char *limit,
                         struct budget_counts *counts, struct runset_measure measure,
                         size_t most);

/* The first line of a baseline, which mlprof -gate-write wrote before budgets had all
   functions. */
#define BUDGET_BASELINE "ccprof baseline "

/* Adds a line for each function of each measure that the baseline in TEXT has; its counts
   are not read, because an update replaces them. If it is not a baseline, returns false
   and sets FAULT. */
bool budget_convert(struct budget *budget, const char *limit, const char *path,
                    const char *text, size_t size, struct fault *fault);

#endif
