/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads options with getopt, by a table. */

#include "live/options.h"
#include "live/message.h"
#include "mlprof/base/buf.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn static void print_list(const struct live_option *options, const char *usage)
{
    fputs(usage, stdout);
    for (; options->name; options++) {
        BUF_OWN char *word = buf_format("-%s %s", options->name,
                                        options->argument ? options->argument : "");
        printf("  %-21s%s\n", word, options->help);
    }
    exit(EXIT_SUCCESS);
}

static bool read_number(const struct live_option *option)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(optarg, &end, 10);
    *option->number = (unsigned)value;
    if (isdigit((unsigned char)*optarg) && !*end && !errno && value >= 1 &&
        value <= option->most)
        return true;
    message_print("option -%s takes a whole number from 1 to %u, not: %s", option->name,
                  option->most, optarg);
    return false;
}

static bool read_option(const struct live_option *option)
{
    if (option->number)
        return read_number(option);
    if (option->set)
        *option->set = true;
    if (option->text)
        option->text[option->count ? (*option->count)++ : 0] = optarg;
    return true;
}

int live_options_read(const struct live_option *options, const char *command,
                      const char *usage, int argc, char **argv)
{
    int count = 0, number;
    while (options[count].name)
        count++;
    BUF_OWN struct option *words = buf_alloc((size_t)(count + 1) * sizeof *words);
    for (int i = 0; i < count; i++)
        words[i] = (struct option){.name = options[i].name,
                                   .has_arg = options[i].argument ? required_argument
                                                                  : no_argument,
                                   .val = i};
    opterr = 0;
    while ((number = getopt_long_only(argc, argv, "+", words, NULL)) != -1) {
        if (number >= count) {
            message_print("%s: unknown option, or one without its argument: %s", command,
                          argv[optind - 1]);
            return 0;
        }
        const struct live_option *option = &options[number];
        if (!option->set && !option->text && !option->number)
            print_list(options, usage);
        if (!read_option(option))
            return 0;
    }
    return optind;
}
