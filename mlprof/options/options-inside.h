/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files options*.c. options.c reads the command line. options-table.c
   describes each option. options-effects.c determines which options have an effect on
   which output, and what the command line requests. options-help.c prints -help. */

#ifndef MLPROF_OPTIONS_INSIDE_H
#define MLPROF_OPTIONS_INSIDE_H

#include "mlprof/options/options.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/views.h"

enum options_form {
    OPTIONS_FLAG,   /* no argument; the field, a bool, becomes true */
    OPTIONS_SWITCH, /* argument true or false, as in MLton; the field is a bool */
    /* -NAME or -no-NAME; the field, a bool, becomes true or false. If the field is an
       enum, -no-NAME sets it to `first', and -NAME to the next number. */
    OPTIONS_TOGGLE,
    /* The argument is one of the words in braces. The field, a bool or an enum, is
       set to the number of the word. If there is a function `parse', it sets the
       field and may accept other words, too. */
    OPTIONS_CHOICE,
    OPTIONS_NUMBER, /* a number from `least' to `most'; the field is a double */
    OPTIONS_TEXT,   /* the field is a const char * */
    OPTIONS_OUTPUT, /* like OPTIONS_TEXT, for the name of an output file */
    OPTIONS_WORDS,  /* can be given several times; the field is a struct options_words */
    /* The option is written between the operands and applies to the operands after it.
       Its argument is a number, or there is no argument. The field is a struct
       options_divisions. */
    OPTIONS_DIVISION,
    OPTIONS_PARSED, /* `parse' reads the argument */
    OPTIONS_HELP,
    OPTIONS_VERSION
};

/* The place where an option's output appears. */
enum options_shows {
    OPTIONS_NOTHING,
    OPTIONS_PRINTED, /* to the terminal, instead of the table */
    OPTIONS_WRITTEN, /* to a file, in addition to printed output */
    OPTIONS_ALONE    /* to the terminal, instead of all views */
};

/* An option. HACKING, "To add", says what a new option needs. */
struct options_entry {
    const char *name;
    enum topic topic;
    /* Rank within the topic; the option that is used most has the lowest rank. */
    unsigned use;
    /* The argument as -help shows it, the default first; NULL: no argument. */
    const char *argument;
    const char *help;    /* one line, at most about 50 characters */
    const char *details; /* more lines for `-NAME -help', or NULL */
    /* The tables whose columns `-NAME -help' lists, or NULL. */
    const struct table_view *tables[VIEWS_DATA_MOST];
    enum options_form form;
    size_t offset, size; /* the field in struct options (FIELD) */
    bool enabled;        /* OPTIONS_TOGGLE: the default */
    unsigned first;      /* OPTIONS_CHOICE: number of the first word */
    const char *rest;    /* OPTIONS_CHOICE: its words belong to this option */
    double least, most;
    bool whole;        /* OPTIONS_NUMBER: integers only */
    const char *takes; /* the arguments that `parse' accepts, for error messages */
    /* Sets FIELD from WORD. Returns NULL or an error message, which the caller frees.
       If the option is given several times, `parse' is called each time. */
    char *(*parse)(void *field, const char *word);

    /* The output of the option; all zero: none. */
    enum options_shows shows;
    outputs_set kind;
    const struct views_entry *view; /* the view that the option prints, or NULL */
    const char *same_as;            /* the option with the same output, or NULL */

    /* The outputs that the option changes. An option with an output of its own: the
       commands that it can be combined with, and other outputs that it changes. */
    outputs_set affects;
    bool orders; /* it also changes each table with a column that can be sorted */
    enum rows_key needed_key; /* it has an effect only with this key of -by; 0: any */

    /* The option selects functions or stacks. Such an option must have an effect on
       every view; any other option must have an effect on at least one. */
    bool selects;
    const char *because; /* why it has no effect on other views; NULL: obvious */
    const char *needs;   /* the option without which it has no effect, or NULL */
    const char *against; /* options that exclude this one, separated by blanks */
};

/* All options sorted by name, including the options of the views (view/) and of the
   formats (export/). options_fill_table fills the table. */
void options_fill_table(void);
extern struct options_entry options_table[];
extern size_t options_count;

/* The list of programs in folders, which is shown by default if all operands are
   folders. */
extern const struct options_entry options_folder;

/* Returns the option NAME, which has LENGTH bytes and no dashes, or NULL if there is
   none. */
const struct options_entry *options_find(const char *name, size_t length);

/* Another name of an option, in most cases its name in other profilers. */
struct options_other {
    const char *name, *option;
    const char *word; /* argument that the name implies; NULL: none */
};

/* Ends with an element that is all zero. */
extern const struct options_other options_others[];

/* An option of older versions. INSTEAD says in a clause what to use now. */
struct options_removed {
    const char *name, *instead;
};

/* Ends with an element that is all zero. */
extern const struct options_removed options_removed[];

/* Returns word NUMBER, from 0, of the words that OPTION accepts, or NULL if there are
   fewer. The word has *LENGTH bytes and is not terminated by a null byte. */
const char *options_word(const struct options_entry *option, unsigned number,
                         size_t *length);

/* Checks that the GIVEN options (indexed as in the table) can be combined, and that
   each of them has an effect. Returns NULL or an error message, which the caller
   frees. Sets the fields of OPTIONS that follow from the requested output: programs
   and files_alone. */
char *options_check(struct options *options, const bool *given);

/* If OPTION has output, returns the names of the options with an effect on this
   output. Otherwise returns the names of the outputs on which OPTION has an effect.
   Each name is followed by a blank; the caller frees the text. *WHAT describes the
   names in words. Returns NULL if OPTION is about mlprof itself. */
char *options_effects(const struct options_entry *option, const char **what);

/* Prints the usage and a line for each option, by topic. */
void options_print_help(FILE *out);

/* Prints the complete help of one option. */
void options_print_one(FILE *out, const struct options_entry *option);

#endif
