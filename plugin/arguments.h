/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arguments: parses the plugin's arguments into the options (options.h). plugin_init
   calls it. One table defines both the parser and the help text. */

#ifndef CCPROF_ARGUMENTS_H
#define CCPROF_ARGUMENTS_H

struct plugin_name_args;

/* Parses the arguments. Reports each wrong argument in one line, as an error of the
   compilation. */
void arguments_parse(const struct plugin_name_args *args);

/* Returns text for the compiler's --help. The text stays valid. */
const char *arguments_help(void);

#endif
