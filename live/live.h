/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subcommands of ccprof-live, which main.c calls. */

#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

/* A subcommand. Gets its name and the words that follow, as main does. Returns the exit
   status. */
typedef int live_command(int argc, char **argv);

live_command push_run, serve_run;

#endif
