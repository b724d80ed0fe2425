/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_store: writes the instructions that store into the field (field.h), for
   field-insert and callback.  There is one file field_store-NAME.cc for each
   processor, NAME as in the first word of `gcc -dumpmachine', and
   field_store-none.cc.  The runtime knows these instructions, too (rt/unwind/cpu.h),
   for a thread that is interrupted in the middle of one store.  */

#ifndef CCPROF_FIELD_STORE_H
#define CCPROF_FIELD_STORE_H

/* What a store takes from general registers.  */
bool field_store_needs_site(void); /* the address of the site, unless it is to store 0 */
bool field_store_needs_slot(void); /* where the field is */
bool field_store_needs_scratch(void); /* while that is loaded, one more */

/* The register of flags that a store changes; -1 if it changes none.  While the flags
   hold what is needed, the slot must be in the register BESIDE, and a store changes none.
 */
int field_store_flags(unsigned *beside);

/* Patterns of insns: to load the one and the other into a register; and to store the
   address of the SITE, which may be 0: then null.  A register that is not needed is not
   looked at.  KEEPS_FLAGS: they hold what is needed.  */
rtx field_store_load_site(unsigned reg, unsigned site);
rtx field_store_load_slot(unsigned reg, unsigned scratch);
rtx field_store_pattern(unsigned site, unsigned site_register, unsigned slot_register,
                        bool keeps_flags);

/* The thread's word (threadword.h).  */
#define FIELD_STORE_WORD "ccprof_field"

#endif
