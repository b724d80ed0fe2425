/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modref: corrects what GCC has found out about the memory that a call reads and changes
   (GCC: ipa-modref.cc), for the modules that add code behind that analysis.  */

#ifndef CCPROF_MODREF_H
#define CCPROF_MODREF_H

/* Lets each function of the unit read and change variables of the type.  When the
   analysis of the unit is over, before the first function is optimised further.  */
void modref_may_change(tree type);

#endif
