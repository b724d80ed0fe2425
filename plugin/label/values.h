/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values: knows in each insn of a function where the values of its registers come from;
   for the passes that note this before GCC makes one insn of several, and charge that
   insn behind it.  Within a basic block: what becomes one insn stands in one.  */

#ifndef CCPROF_VALUES_H
#define CCPROF_VALUES_H

/* A location for each register that has one, while a function is followed.  */
struct values;

/* Where the value of the register REG comes from; UNKNOWN_LOCATION if that is not known.
 */
location_t values_find(const struct values *values, const_rtx reg);

/* What a pass notes of INSN, which sets what the pattern SET says (single_set; NULL for
   several things or none).  Returns where the value that INSN puts into a register comes
   from; UNKNOWN_LOCATION if the pass does not want to know.  */
typedef location_t (*values_note)(rtx_insn *insn, const_rtx set,
                                  const struct values *values);

/* Calls NOTE for each insn of the current function, in order.  */
void values_follow(values_note note);

/* Charges INSN to LOCATION, if that has a block.  */
void values_charge(rtx_insn *insn, location_t location);

#endif
