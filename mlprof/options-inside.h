/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes one option of the command line, for options.c, options-table.c and
   options-help.c.  */

#ifndef MLPROF_OPTIONS_INSIDE_H
#define MLPROF_OPTIONS_INSIDE_H

#include "mlprof/options.h"

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

/* One entry is all that an option needs, besides its field in struct options.  */
struct options_entry {
    const char *name;
    const char *argument; /* as shown, its default first; NULL: it has none */
    const char *help;     /* a line of at most 50 characters or so */
    const char *details;  /* more lines for `-NAME -help'; NULL: none */
    enum options_form form;
    size_t offset, size; /* of the field in struct options; see FIELD */
    unsigned first;      /* the number of the first word of a choice */
    double least, most;
    const char *takes; /* what `parse' accepts, for messages */
    /* Fills the field from the word; returns what is wrong with it, to be freed, or
       NULL.  Called again if the option is given again.  */
    char *(*parse)(void *field, const char *word);
    void (*release)(void *field); /* frees it; NULL: nothing to free */
    /* Names, blanks between them.  */
    const char *against; /* options that cannot be given with this one */
    const char *only;    /* if not NULL: the only ones that can */
    const char *needs;   /* if not NULL: this one, or one of these two, is given, too */
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

/* Prints the usage and a line for each option.  */
void options_print_help(FILE *out);

/* Prints all that is known of one option.  */
void options_print_one(FILE *out, const struct options_entry *option);

#endif
