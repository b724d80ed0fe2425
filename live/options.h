/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the options of a subcommand of ccprof-live, and lists them for -help. */

#ifndef LIVE_OPTIONS_H
#define LIVE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* An option. At most one of SET, TEXT and NUMBER is not NULL, and gets its value. If all
   are NULL, the option prints the list. */
struct live_option {
    const char *name;
    const char *argument; /* as the list shows it, `<n>'; NULL: it has none */
    const char *help;
    bool *set;
    const char **text;
    size_t *count; /* TEXT has room for each occurrence; NULL: the last one counts */
    unsigned *number, most; /* a whole number from 1 to MOST */
};

/* Reads the options of COMMAND; the last one of OPTIONS has no name. USAGE is the
   beginning of the list, after which the program exits. Returns the number of the first
   operand in ARGV. If an option is wrong, prints why and returns 0. */
int live_options_read(const struct live_option *options, const char *command,
                      const char *usage, int argc, char **argv);

#endif
