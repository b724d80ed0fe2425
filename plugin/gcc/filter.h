/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter: decides which functions are profiled, which have stopwatches, and which must
   not contain code of the plugin.  All modules ask it.

   Each rule of an ordered list matches the name of a file or of a function.  The last
   rule that matches decides; a function that no rule matches is profiled.  The attribute
   ccprof_exclude outweighs all rules.

   The filter also tells mlprof all patterns of the command line, and whether each of them
   matches a function of this unit (doc/tables.md, "Asked"): only mlprof can know that a
   pattern matches no function of the whole program.  */

#ifndef CCPROF_FILTER_H
#define CCPROF_FILTER_H

enum filter_subject {
    FILTER_FILE,     /* the name of the file where the function stands */
    FILTER_FUNCTION, /* the function's name as it is in the tables */
};

/* In plugin_init, before rules are added: excludes the functions of ccprof.h, and
   registers the attribute.  PLUGIN is the plugin's name.  */
void filter_start(const char *plugin);

/* Appends a rule: a POSIX extended regular expression, matched anywhere in the name.
   Returns NULL, or an error message (valid until the next call).  */
const char *filter_add(const char *regexp, enum filter_subject subject, bool include);

/* Appends to the patterns of the functions that have stopwatches; returns the same.  */
const char *filter_add_watch(const char *regexp, enum filter_subject subject);

/* Records PATTERN, given as the plugin's argument NAME, for mlprof alone; returns its
   number.  Call filter_pattern_matched when it matches a function.  */
unsigned filter_add_pattern(const char *name, const char *pattern);
void filter_pattern_matched(unsigned number);

/* Tells mlprof that allocations of the excluded function NAME are not counted.  */
void filter_note_excluded_allocator(const char *name);

/* In plugin_init, when the plugin writes output: before functions are optimised, finds
   the patterns that match a function of the unit.  */
void filter_register(const char *plugin);

/* At the end of the unit: writes what mlprof is told.  */
void filter_emit(void);

/* While the front end is there: a function in an excluded class or function gets the
   attribute itself, so that link time knows it.  */
void filter_prepare(tree function);

/* Whether FUNCTION, or the function that it was cloned from, is profiled.  Where
   profiling adds code, a function that runs before relocation is not.  */
bool filter_wants(tree function);

/* Whether any function may have a stopwatch (with -fgnu-tm none may), and whether
   FUNCTION, or the function that it was cloned from, has one: it is profiled, and a
   pattern matches.  */
bool filter_watches_any(void);
bool filter_watches(tree function);

/* In plugin_init, after all other callbacks are registered, since GCC calls the last one
   first: finds the functions of each unit that run before relocation.  */
void filter_register_early(const char *plugin);

/* Whether the plugin must not add code to FUNCTION.  Naked functions have no frame.  The
   resolver of an indirect function (attribute ifunc; target_clones makes GCC write one)
   and all that a resolver calls run before relocation: there no address of data can be
   used, and in a static program there is no thread-local storage.  Works at link time,
   too; false before all functions of the unit have been read.  */
bool filter_forbids_code(const_tree function);

#endif
