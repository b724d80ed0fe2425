/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files options*.c: options.c reads the command line, options-table.c
   describes each option, options-effects.c knows which options have an effect on which
   view and what the command line requests of views, and options-help.c prints -help.  */

#ifndef MLPROF_OPTIONS_INSIDE_H
#define MLPROF_OPTIONS_INSIDE_H

#include "mlprof/options/options.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/views.h"

enum options_form {
    OPTIONS_FLAG,   /* no argument; sets the field, a bool, to true */
    OPTIONS_SWITCH, /* the argument is true or false; the field is a bool */
    /* The argument is one of the words in braces; the field, a bool or an enum, becomes
       its number; with `parse' it is what that makes of the word, also of others.  */
    OPTIONS_CHOICE,
    OPTIONS_NUMBER, /* a number from `least' to `most'; the field is a double */
    OPTIONS_TEXT,   /* the field is a const char * */
    OPTIONS_OUTPUT, /* like OPTIONS_TEXT: the name of a file that is written */
    OPTIONS_WORDS,  /* may be given several times; the field is a struct options_words */
    /* Stands among the operands, about those behind it, with or without a number; the
       field is a struct options_divisions.  */
    OPTIONS_DIVISION,
    OPTIONS_PARSED, /* `parse' reads the argument */
    OPTIONS_HELP,
    OPTIONS_VERSION
};

/* Where an option's output goes.  */
enum options_shows {
    OPTIONS_NOTHING,
    OPTIONS_PRINTED, /* to the terminal, in place of the table */
    OPTIONS_WRITTEN, /* to a file, beside what is printed */
    OPTIONS_ALONE    /* to the terminal, in place of all views */
};

/* An option needs only an entry and its field in struct options.  */
struct options_entry {
    const char *name;
    enum topic topic;
    /* The most used option of a topic has the least number.  */
    unsigned use;
    /* As -help shows it, its default first; NULL: no argument.  */
    const char *argument;
    const char *help;    /* a line of at most 50 characters or so */
    const char *details; /* more lines for `-NAME -help'; NULL: none */
    /* The tables whose columns `-NAME -help' lists; NULL: none.  */
    const struct table_view *tables[2];
    enum options_form form;
    size_t offset, size; /* of the field in struct options (FIELD) */
    unsigned first;      /* of a choice: the number of its first word */
    const char *rest; /* of a choice: the option that is meant by the words it has, too */
    double least, most;
    bool whole;        /* of a number: it has no fraction */
    const char *takes; /* what `parse' accepts, for error messages */
    /* Sets FIELD from WORD; returns an error message, to be freed, or NULL.  Called again
       if the option is given again.  */
    char *(*parse)(void *field, const char *word);
    void (*release)(void *field); /* frees it; NULL: nothing to free */

    /* What the option shows; all zero: nothing.  */
    enum options_shows shows;
    /* The options with an effect on what this option shows (views.h).  */
    const char *goes_by;
    /* The options of kind OPTIONS_ALONE whose output this option changes; NULL: none.  */
    const char *beside;
    /* The options with an effect on this option's output together with BESIDE.  */
    const char *goes_by_beside;
    bool unprinted; /* nothing is printed beside the files that the option writes */
    /* The option shows the table that is printed by default.  */
    bool of_table;
    const struct views_entry *view; /* NULL: the option shows no view */
    const char *asks;               /* the option that shows the same; NULL: none */

    /* The option selects the functions or stacks that are shown.  It is an error if one
       of the views does not obey it; any other option must have an effect on at least one
       view.  */
    bool selects;
    const char *because; /* the option has no effect on other views; NULL: as is clear */
    const char *against; /* options that exclude this one, with blanks between them */
};

/* All options by name, with those of the views in view/ and the formats in export/.
   Filled by options_fill_table.  */
void options_fill_table(void);
extern struct options_entry options_table[];
extern size_t options_count;

/* The list of the programs in a folder, which is shown by default if all operands are
   folders.  */
extern const struct options_entry options_folder;

/* The option called NAME, LENGTH bytes without dashes; NULL if there is none.  */
const struct options_entry *options_find(const char *name, size_t length);

/* Another name of an option, mostly the one that other profilers have.  */
struct options_other {
    const char *name, *option;
    const char *word; /* the argument that goes with it; NULL: as of the option */
};

/* Ends with an empty one.  */
extern const struct options_other options_others[];

/* The word with that NUMBER, from 0, of an option that takes one of several, as its
   argument lists them; NULL: there are no more.  It ends after LENGTH bytes.  */
const char *options_word(const struct options_entry *option, unsigned number,
                         size_t *length);

/* Checks that the options that are GIVEN, by number in the table, may be given together,
   and that each has an effect.  Returns NULL or an error message, to be freed.  */
char *options_check(const struct options *options, const bool *given);

/* Whether the programs in folders are to be listed: the operands are folders, and nothing
   else is asked for.  */
bool options_lists_programs(const struct options *options, const bool *given);

/* Whether files are written and nothing is printed but their names: no view is asked for,
   and no option that has an effect only on the table, or on what stands in its place.  */
bool options_are_files_alone(const struct options *options, const bool *given);

/* The views on which an option has an effect, or the options that have an effect on a
   view: names with a blank behind each, to be freed; *WHAT says in words which of the
   two.  NULL: the option is about mlprof itself.  */
char *options_effects(const struct options_entry *option, const char **what);

/* Prints the usage and a line for each option, by topic.  */
void options_print_help(FILE *out);

/* Prints all that is known of one option.  */
void options_print_one(FILE *out, const struct options_entry *option);

#endif
