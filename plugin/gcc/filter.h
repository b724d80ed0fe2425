/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter: decides which functions are profiled, which have stopwatches, and which must
   not contain code of the plugin. Most rooms call it.

   The rules form an ordered list. Each rule matches the name of a file or of a
   function. The last rule that matches decides; a function that no rule matches is
   profiled. The attribute ccprof_exclude has priority over all rules.

   The filter also writes a table for mlprof (doc/tables.md, "Asked"): all patterns of
   the command line, and for each pattern whether it matches a function of this unit.
   With it mlprof can report a pattern that matches no function of the whole program. */

#ifndef CCPROF_FILTER_H
#define CCPROF_FILTER_H

enum filter_subject {
    FILTER_FILE,     /* name of the file that defines the function */
    FILTER_FUNCTION, /* name of the function in the tables */
};

/* Called in plugin_init, before rules are added. Excludes the functions of ccprof.h
   and registers the attribute. PLUGIN is the plugin's name. */
void filter_start(const char *plugin);

/* Appends a rule. REGEXP is a POSIX extended regular expression that may match any
   part of the name. Returns NULL, or an error message that is valid until the next
   call. */
const char *filter_add(const char *regexp, enum filter_subject subject, bool include);

/* Appends a pattern of functions that have stopwatches. The result has the same
   meaning as for filter_add. */
const char *filter_add_watch(const char *regexp, enum filter_subject subject);

/* Records PATTERN only for the table that mlprof reads. NAME is the plugin's argument
   that gave it. Returns the number of the pattern. Call filter_pattern_matched with
   this number when the pattern matches a function. */
unsigned filter_add_pattern(const char *name, const char *pattern);
void filter_pattern_matched(unsigned number);

/* Records for mlprof that allocations by the excluded function NAME are not counted. */
void filter_note_excluded_allocator(const char *name);

/* Called in plugin_init, if the plugin writes output. Registers a callback that finds,
   before functions are optimised, the patterns that match a function of the unit. */
void filter_register(const char *plugin);

/* Called at the end of the unit. Writes the table for mlprof. */
void filter_emit(void);

/* Called while the front end exists. Gives the attribute to each function inside an
   excluded class or function, because at link time the surrounding class or function
   is unknown. */
void filter_prepare(tree function);

/* Returns true if FUNCTION, or the function that it was cloned from, is profiled. A
   function that runs before relocation is not profiled if the profiled kinds add code. */
bool filter_wants(tree function);

/* filter_watches_any returns true if a function may have a stopwatch; with -fgnu-tm no
   function may have one. filter_watches returns true if FUNCTION, or the function that
   it was cloned from, has a stopwatch: the function is profiled, and a pattern
   matches. */
bool filter_watches_any(void);
bool filter_watches(tree function);

/* Called in plugin_init after all other callbacks are registered, because GCC calls
   the last one first. Registers a callback that finds the functions of each unit that
   run before relocation. */
void filter_register_early(const char *plugin);

/* Returns true if the plugin must not add code to FUNCTION, for one of two reasons.
   Naked functions have no frame. Resolvers of indirect functions (attribute ifunc, or
   written by GCC for target_clones), and all functions that they call, run before
   relocation: they cannot use the address of any data, and in a static program there
   is no thread-local storage yet. Also works at link time. Returns false before all
   functions of the unit have been read. */
bool filter_forbids_code(const_tree function);

#endif
