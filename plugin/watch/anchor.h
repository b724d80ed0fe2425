/* SPDX-License-Identifier: GPL-3.0-or-later */
/* anchor: holds functions with a stopwatch and copies of them together through the
   optimisers (anchor.cc).  */

#ifndef CCPROF_ANCHOR_H
#define CCPROF_ANCHOR_H

/* In plugin_init, where there are stopwatches.  */
void anchor_register(const char *plugin);

#endif
