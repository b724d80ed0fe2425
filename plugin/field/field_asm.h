/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_asm: makes asm statements that work on general registers, for the files
   field_store-NAME.  */

#ifndef CCPROF_FIELD_ASM_H
#define CCPROF_FIELD_ASM_H

/* Patterns of insns: one that sets REG, which its TEXT calls %0, and reads no register;
   one that changes SCRATCH, too; and one that reads COUNT registers, %0 and so on in its
   TEXT, and sets none.  They copy the text.  */
rtx field_asm_load(unsigned reg, const char *text);
rtx field_asm_load_with(unsigned reg, unsigned scratch, const char *text);
rtx field_asm_store(const char *text, const unsigned *registers, unsigned count);

#endif
