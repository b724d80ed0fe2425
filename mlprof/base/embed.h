/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts files that are no C into the program, for the page and the pictures.  */

#ifndef MLPROF_EMBED_H
#define MLPROF_EMBED_H

/* Defines the texts NAME, which ends in a NUL, and NAME_end, that NUL.  The assembler
   reads FILE, by its name from the top of the sources or from the folder of what is
   built. A module that uses this is named in MLPROF_EMBEDS (mlprof.mk).  */
#define EMBED(name, file)                                                                \
    __asm__(".pushsection .rodata\n"                                                     \
            ".globl " name "\n" name ":\n.incbin \"" file "\"\n"                         \
            ".globl " name "_end\n" name "_end:\n.byte 0\n"                              \
            ".popsection\n")

#endif
