/* SPDX-License-Identifier: GPL-3.0-or-later */
/* untouched: tells which functions may hold no code of ours, for the passes that add
   some.

   The resolver of an indirect function (attribute ifunc; target_clones has GCC make one)
   runs while the program is relocated, when no address of data and, in a program that is
   linked statically, no storage of threads is there; and so does all that a resolver
   calls.  Other functions, attribute naked, have no frame.  */

#ifndef CCPROF_UNTOUCHED_H
#define CCPROF_UNTOUCHED_H

/* In plugin_init, when the other callbacks are registered, since the last one is called
   first: finds the resolvers of each unit, and what they call in it.  */
void untouched_register(const char *plugin);

/* Whether FUNCTION runs before relocation.  At link time, too; false before all functions
   of the unit have been read.  */
bool untouched_is_early(const_tree function);

/* Whether FUNCTION runs before relocation, or is naked.  */
bool untouched_is(const_tree function);

#endif
