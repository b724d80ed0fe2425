/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/page/page-parts.h"

/* The assembler reads the files, by their names from the top of the sources.  */
#define FILE_OF(name) ".incbin \"mlprof/page/web/" name "\"\n"
#define PART(name, files)                                                                \
    __asm__(".pushsection .rodata\n"                                                     \
            ".globl " name "\n" name ":\n" files ".globl " name "_end\n" name "_end:\n"  \
            ".byte 0\n"                                                                  \
            ".popsection\n")

PART("page_style", FILE_OF("page.css"));
PART("page_body", FILE_OF("page.html"));

/* Each uses those before it.  */
PART("page_script",
     FILE_OF("data.js") FILE_OF("groups.js") FILE_OF("transforms.js") FILE_OF("times.js")
         FILE_OF("arcs.js") FILE_OF("statistics.js") FILE_OF("others.js")
             FILE_OF("model.js") FILE_OF("show.js") FILE_OF("picture.js")
                 FILE_OF("state.js") FILE_OF("rows.js") FILE_OF("summary.js")
                     FILE_OF("metrics.js") FILE_OF("assembly.js") FILE_OF("marks.js")
                         FILE_OF("source.js") FILE_OF("folded.js") FILE_OF("boxes.js")
                             FILE_OF("flame.js") FILE_OF("tree.js") FILE_OF("callers.js")
                                 FILE_OF("treemap.js") FILE_OF("graph.js")
                                     FILE_OF("dial.js") FILE_OF("time.js")
                                         FILE_OF("load.js") FILE_OF("compare.js")
                                             FILE_OF("growth.js") FILE_OF("regions.js")
                                                 FILE_OF("tracks.js")
                                                     FILE_OF("region-changes.js")
                                                         FILE_OF("difference.js")
                                                             FILE_OF("difference-tree.js")
                                                                 FILE_OF("navigation.js")
                                                                     FILE_OF("main.js"));
