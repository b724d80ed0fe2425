/* SPDX-License-Identifier: GPL-3.0-or-later */
/* block: makes of CCPROF_REGION of rt/ccprof.h, in C, a statement that begins a
   region, runs the block and ends the region however the block is left, for
   plugin_init.  In C++ the header needs no help.  */

#ifndef CCPROF_BLOCK_H
#define CCPROF_BLOCK_H

/* In plugin_init.  */
void block_register(const char *plugin);

#endif
