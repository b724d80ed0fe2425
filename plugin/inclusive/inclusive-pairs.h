/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive-pairs: numbers the sources of the unit that inclusive counts are added up
   for, for the files of plugin/inclusive.  Each such source has a *pair* in writable
   memory, of its depth and its count (struct ccprof_pair), at the number that
   inclusive_pair gave when the source was first asked for.  The module owns these, lists
   of pairs in read-only memory, which the code hands to the stub, and what counters of
   storage.h stand for, until inclusive_emit (inclusive.h) writes all of it at the end of
   the unit.  */

#ifndef CCPROF_INCLUSIVE_PAIRS_H
#define CCPROF_INCLUSIVE_PAIRS_H

struct inclusive_list;

/* The thread's struct ccprof_stack_word (threadword.h).  */
#define INCLUSIVE_WORD "ccprof_stack_word"

/* In plugin_init.  */
void inclusive_pairs_register(const char *plugin);

/* The number of the source's pair in the unit, from 0; -1 if the source is excluded.  */
int inclusive_pair(tree function);
unsigned inclusive_pairs_count(void); /* so far */

/* The variable that holds the unit's pairs.  */
tree inclusive_pairs(void);

/* The address of a list in read-only memory: the number of pairs, and each of those of
   LIST that AROUND lacks.  */
tree inclusive_pairs_list(const struct inclusive_list *list,
                          const struct inclusive_list *around);

/* The offset of the list of a step (inclusive_step.h): its words, of which the second one
   is COUNTER unless that is null.  */
unsigned inclusive_pairs_words(const vec<unsigned> &words, const char *counter);

/* What the counter of a row of storage.h counts also counts a call of the source, or adds
   to the inclusive count of the pair's source.  */
void inclusive_pairs_calls(unsigned row, unsigned counter, tree function);
void inclusive_pairs_inclusive(unsigned row, unsigned counter, unsigned pair);

#endif
