/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes one option of the command line, for options.c, options-table.c,
   options-effects.c and options-help.c.  */

#ifndef MLPROF_OPTIONS_INSIDE_H
#define MLPROF_OPTIONS_INSIDE_H

#include "mlprof/options/options.h"
#include "mlprof/table/table.h"

enum options_form {
    OPTIONS_FLAG,   /* no argument; the field, a bool, becomes true */
    OPTIONS_SWITCH, /* true or false; a bool */
    OPTIONS_CHOICE, /* one of the words in the argument's braces; a bool or an enum, which
                       becomes the word's number */
    OPTIONS_NUMBER, /* from `least' to `most'; a double */
    OPTIONS_TEXT,   /* const char * */
    OPTIONS_OUTPUT, /* the same: a file that is written */
    OPTIONS_WORDS,  /* may be given several times; struct options_words */
    OPTIONS_DIVISION, /* about the operands behind it, with a number or without argument;
                         struct options_divisions */
    OPTIONS_PARSED,   /* whatever `parse' makes of it */
    OPTIONS_HELP,
    OPTIONS_VERSION
};

/* What can be asked for: views, printed and as files, and what takes their place.  The
   bits from OPTIONS_FORMATS on are what a format tells (enum export_tells).  */
enum options_views {
    OPTIONS_TABLE = 1,        /* that of the functions, if nothing else is printed */
    OPTIONS_GROUPS = 1 << 1,  /* in its place that of -by */
    OPTIONS_ALLOCS = 1 << 2,  /* by site or type */
    OPTIONS_PATHS = 1 << 3,   /* by path */
    OPTIONS_SITES = 1 << 4,   /* of calls: -arcs */
    OPTIONS_CALLS = 1 << 5,   /* -callers, -callees, -peek */
    OPTIONS_LISTING = 1 << 6, /* -list */
    OPTIONS_PROF = 1 << 7,
    OPTIONS_REGIONS = 1 << 8,
    OPTIONS_HISTOGRAM = 1 << 9,
    OPTIONS_IMBALANCE = 1 << 10,
    OPTIONS_PARALLEL = 1 << 11,
    OPTIONS_PRINTED = (1 << 12) - 1, /* any of these */
    OPTIONS_GRAPH = 1 << 12,
    OPTIONS_FLAME = 1 << 13,
    OPTIONS_COMPARE = 1 << 14,
    OPTIONS_GROWTH = 1 << 15,
    OPTIONS_GATE = 1 << 16,
    OPTIONS_BASELINE = 1 << 17, /* -gate-write */
    OPTIONS_WHERE = 1 << 18,
    OPTIONS_PROGRAMS = 1 << 19, /* the list of them in folders */
    OPTIONS_ALONE = 0x3f << 14, /* any of these, which stand in place of all others */
    OPTIONS_FORMATS = 1 << 20
};

/* What a user wants who looks for an option.  -help and the manual page have a heading
   for each, in this order.  */
enum options_group {
    OPTIONS_IN_USED, /* the ten options that are used most */
    OPTIONS_IN_TABLE,
    OPTIONS_IN_DATA,
    OPTIONS_IN_SOURCE,
    OPTIONS_IN_CALLS,
    OPTIONS_IN_MEMORY,
    OPTIONS_IN_REGIONS,
    OPTIONS_IN_PROCESSES,
    OPTIONS_IN_COMPARING,
    OPTIONS_IN_OTHERS, /* the formats of other programs, in the order of export_formats */
    OPTIONS_IN_LOOKS,
    OPTIONS_IN_ITSELF, /* about mlprof */
    OPTIONS_GROUPS_ALL
};

/* One entry is all that an option needs, besides its field in struct options.  */
struct options_entry {
    const char *name;
    enum options_group group;
    unsigned use;                   /* the most used option of a group has the least */
    const char *argument;           /* as shown, its default first; NULL: it has none */
    const char *help;               /* a line of at most 50 characters or so */
    const char *details;            /* more lines for `-NAME -help'; NULL: none */
    const struct table_view *table; /* whose columns `-NAME -help' tells of; NULL: none */
    enum options_form form;
    size_t offset, size; /* of the field in struct options; see FIELD */
    unsigned first;      /* the number of the first word of a choice */
    double least, most;
    bool whole;        /* of a number: without a fraction */
    const char *takes; /* what `parse' accepts, for messages */
    /* Fills the field from the word; returns what is wrong with it, to be freed, or
       NULL.  Called again if the option is given again.  */
    char *(*parse)(void *field, const char *word);
    void (*release)(void *field); /* frees it; NULL: nothing to free */
    unsigned is;                  /* the views that the option asks for; 0: none */
    unsigned acts;                /* all the views on which it has an effect */
    bool selects; /* which functions or stacks are shown: it is not given if that has no
                     effect on one of the views; any other has one on some of them */
    const char *against; /* options that cannot be given with it, blanks between them */
};

/* By name, those of the formats in export/ among them; there once options_fill_table has
   been called.  */
void options_fill_table(void);
extern struct options_entry options_table[];
extern size_t options_count;

/* The option of that name; NULL if there is none.  NAME has no dashes and ends after
   LENGTH bytes.  */
const struct options_entry *options_find(const char *name, size_t length);

/* The option whose name is nearest to what was meant; NULL if none is near.  */
const struct options_entry *options_nearest(const char *name, size_t length);

/* Checks that the options that are GIVEN, by their number in the table, belong together,
   and that each has an effect.  NULL, or what is wrong, to be freed.  */
char *options_check(const struct options *options, const bool *given);

/* Whether the list of programs in folders is asked for: nothing else is, and the operands
   are folders.  */
bool options_lists_programs(const struct options *options, const bool *given);

/* On which views an option has an effect, or by which options a view goes: their names
   with a blank behind each, and WHAT of the two it is, in words.  To be freed; NULL: the
   option is about mlprof itself.  */
char *options_effects(const struct options_entry *option, const char **what);

/* Prints the usage and a line for each option, by groups.  */
void options_print_help(FILE *out);

/* Prints all that is known of one option.  */
void options_print_one(FILE *out, const struct options_entry *option);

#endif
