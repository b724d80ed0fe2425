/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/page/page-parts.h"

/* The assembler reads FILE, by its name from the top of the sources or from the folder of
   what is built (mlprof.mk).  */
#define PART(name, file)                                                                 \
    __asm__(".pushsection .rodata\n"                                                     \
            ".globl " name "\n" name ":\n.incbin \"" file "\"\n"                         \
            ".globl " name "_end\n" name "_end:\n.byte 0\n"                              \
            ".popsection\n")

PART("page_style", "mlprof/page/web/page.css");
PART("page_body", "mlprof/page/web/page.html");
PART("page_older", "mlprof/page/web/older.js");
PART("page_script", "page.js");
