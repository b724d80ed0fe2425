/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main program of ccprof-live: calls the subcommand. */

#include "live/live.h"
#include "live/message.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *help;
    live_command *run;
} commands[] = {
    {"push", "push profiles of a running process or of a folder to a server", push_run},
    {"serve", "serve profiles of a running process or of a folder over HTTP", serve_run},
};

#define COMMANDS (sizeof commands / sizeof *commands)

static void print_help(void)
{
    puts("usage: ccprof-live COMMAND [option ...] ...\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-10s%s\n", commands[i].name, commands[i].help);
    puts("\nccprof-live COMMAND -help prints the options of a command");
}

/* Returns whether WORD is the option NAME, with one dash or two. */
static bool is_option(const char *word, const char *name)
{
    return word[0] == '-' && strcmp(word + 1 + (word[1] == '-'), name) == 0;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    /* Writing to a connection that was cut must not end the program. */
    signal(SIGPIPE, SIG_IGN);
    /* If SIGCHLD is inherited as ignored, waitpid returns no status. */
    signal(SIGCHLD, SIG_DFL);
    if (is_option(word, "help")) {
        print_help();
        return EXIT_SUCCESS;
    }
    if (is_option(word, "version")) {
        puts("ccprof-live " CCPROF_VERSION);
        return EXIT_SUCCESS;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(word, commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return *word ? message_print("there is no command %s; ccprof-live -help lists them",
                                 word)
                 : message_print("no command is given; ccprof-live -help lists them");
}
