/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes one option of the command line, for options.c, options-table.c,
   options-effects.c and options-help.c.  */

#ifndef MLPROF_OPTIONS_INSIDE_H
#define MLPROF_OPTIONS_INSIDE_H

#include "mlprof/options/options.h"
#include "mlprof/table/table.h"
#include "mlprof/view/views.h"

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

/* Where what an option asks for stands.  */
enum options_shows {
    OPTIONS_NOTHING,
    OPTIONS_PRINTED, /* on the terminal, in place of the table */
    OPTIONS_WRITTEN, /* in a file, beside what is printed */
    OPTIONS_ALONE    /* in place of all views */
};

/* One entry is all that an option needs, besides its field in struct options.  */
struct options_entry {
    const char *name;
    enum topic topic;
    unsigned use;         /* the most used option of a topic has the least */
    const char *argument; /* as shown, its default first; NULL: it has none */
    const char *help;     /* a line of at most 50 characters or so */
    const char *details;  /* more lines for `-NAME -help'; NULL: none */
    const struct table_view
        *tables[2]; /* whose columns `-NAME -help' tells of; NULL: none */
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

    /* What the option asks for; all zero: nothing.  */
    enum options_shows shows;
    const char *goes_by; /* the options with an effect on what is shown (views.h) */
    const char *beside;  /* the options that show their own ALONE, and what this one asks
                            for  with it; NULL: none */
    const char *goes_by_beside;     /* the options with an effect on it then */
    bool of_table;                  /* it is the table that is printed otherwise */
    const struct views_entry *view; /* NULL: it is none */
    const char *asks; /* the option that asks for the same; NULL: none does */

    bool selects; /* which functions or stacks are shown: it is not given if that has no
                     effect on one of the views; any other has one on some of them */
    const char *against; /* options that cannot be given with it, blanks between them */
};

/* By name, those of the views in view/ and of the formats in export/ among them; there
   once options_fill_table has been called.  */
void options_fill_table(void);
extern struct options_entry options_table[];
extern size_t options_count;

/* The list of the programs in a folder, which is shown if nothing is asked for and the
   operands are folders.  */
extern const struct options_entry options_folder;

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
