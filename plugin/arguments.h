/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arguments: reads the plugin's arguments into the options (options.h), for
   plugin_init.  The parser and the help are made from one table.  */

#ifndef CCPROF_ARGUMENTS_H
#define CCPROF_ARGUMENTS_H

struct plugin_name_args;

/* Parses the arguments; each wrong one is an error of the compilation, one line.  */
void arguments_parse(const struct plugin_name_args *args);

/* Text for the compiler's --help; lives for ever.  */
const char *arguments_help(void);

#endif
