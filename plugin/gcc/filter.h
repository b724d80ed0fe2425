/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter: decides which functions are profiled, and which have stopwatches, for all
   modules. Each rule of an ordered list matches the name of a file or of a function.
   The last rule that matches decides; a function that no rule matches is profiled.
   The attribute ccprof_exclude outweighs all rules; and where code is added to what is
   profiled, a function that may hold no code of ours (untouched.h) is not.  */

#ifndef CCPROF_FILTER_H
#define CCPROF_FILTER_H

enum filter_subject {
    FILTER_FILE,     /* the name of the file where the function stands */
    FILTER_FUNCTION, /* the function's name as it is in the tables */
};

/* In plugin_init, before rules are added: functions of ccprof.h are excluded, and
   PLUGIN, its name, knows the attribute.  */
void filter_start(const char *plugin);

/* Appends a rule: a POSIX extended regular expression, matched anywhere in the name.
   Gives NULL, or what is wrong with it (valid until the next call).  */
const char *filter_add(const char *regexp, enum filter_subject subject, bool include);

/* Appends to the patterns of the functions that have stopwatches; gives the same.  */
const char *filter_add_watch(const char *regexp, enum filter_subject subject);

/* Whether any may have one, which with -fgnu-tm none may; whether FUNCTION, or what it
   was cloned from, has: it is profiled, and one of the patterns matches.  */
bool filter_watches_any(void);
bool filter_watches(tree function);

/* Tells asked.h which patterns mean a function of the unit.  */
void filter_meet(void);

/* While the front end is there: gives a function that stands in an excluded class or
   function the attribute itself, by which link time knows it.  */
void filter_prepare(tree function);

/* Whether FUNCTION, or what it was cloned from, is profiled.  */
bool filter_wants(tree function);

#endif
