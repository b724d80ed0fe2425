/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the page in a browser, for -open: tries the commands in $BROWSER, then
   xdg-open. The page is a temporary file unless -html names a file. */

#define _GNU_SOURCE
#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/files.h"
#include "mlprof/commands/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A program that runs longer than this has succeeded: it may be a browser that does
   not exit. */
#define PATIENCE_MS 2000
#define STEP_MS     20

static const char **page_path(struct options *options)
{
    for (size_t i = 0; i < export_format_count; i++)
        if (strcmp(export_formats[i]->name, "html") == 0)
            return &options->exports.paths[i];
    return NULL;
}

/* Creates a temporary file that only the user can write to. */
static bool make_file(struct opener *opener, struct fault *fault)
{
    static const char ending[] = ".html";
    const char *folder = getenv("TMPDIR");
    opener->path =
        buf_format("%s/mlprof-XXXXXX%s", folder && *folder ? folder : "/tmp", ending);
    int file = mkostemps(opener->path, (int)strlen(ending), O_CLOEXEC);
    if (file < 0)
        return fault_set(fault, FAULT_FILE, opener->path, "%s", strerror(errno));
    close(file);
    opener->temporary = true;
    return true;
}

bool opener_begin(struct opener *opener, struct options *options, struct fault *fault)
{
    const char **page = page_path(options);
    if (!options->open)
        return true;
    if (!*page) {
        if (!make_file(opener, fault))
            return false;
        *page = opener->path;
        return true;
    }
    if (save_is_output(*page))
        return fault_set(fault, FAULT_MISMATCH, "-open",
                         "the page is standard output: name a file after -html");
    if (gzip_is_wanted(*page))
        return fault_set(fault, FAULT_MISMATCH, "-open",
                         "browsers do not show a page that is compressed: %s", *page);
    opener->path = buf_copy(*page);
    return true;
}

/* Waits for the program that opens the page. Returns false if it fails within
   PATIENCE_MS. */
static bool has_shown(pid_t child)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    int status;
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (ended < 0 && errno != EINTR)
            return false;
        nanosleep(&step, NULL);
    }
    return true;
}

/* Runs a program without a shell. Its standard output is discarded, so that it is not
   mixed with mlprof's output. */
static bool run(char *const *words)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    if (!words[0] || posix_spawn_file_actions_init(&actions))
        return false;
    int error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                                 O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                                 O_WRONLY, 0);
    if (!error)
        error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return !error && has_shown(child);
}

/* Returns WORD with each %s replaced by PATH. The caller frees the result. Sets *PUT
   if WORD contains a %s. */
static char *put_path(const char *word, const char *path, bool *put)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    for (const char *cursor = word; *cursor; cursor++) {
        if (strncmp(cursor, "%s", 2) != 0) {
            putc(*cursor, out);
            continue;
        }
        fputs(path, out);
        *put = true;
        cursor++;
    }
    buf_close(out);
    return text;
}

/* Runs COMMAND, an element of $BROWSER. Each %s in COMMAND is replaced by PATH. If
   there is no %s, PATH is the last argument. The text of COMMAND is overwritten. */
static bool run_command(char *command, const char *path)
{
    size_t count = 0, most = strlen(command) + 3;
    char **words = buf_alloc(most * sizeof *words), *rest;
    bool put = false;
    for (char *word = strtok_r(command, " \t", &rest); word;
         word = strtok_r(NULL, " \t", &rest))
        words[count++] = put_path(word, path, &put);
    if (count && !put)
        words[count++] = buf_copy(path);
    bool good = run(words);
    for (size_t i = 0; i < count; i++)
        free(words[i]);
    free(words);
    return good;
}

bool opener_show(const struct opener *opener, struct fault *fault)
{
    if (!opener->path)
        return true;
    progress_end();
    char *path = realpath(opener->path, NULL), *rest;
    if (!path)
        return fault_set(fault, FAULT_FILE, opener->path, "%s", strerror(errno));
    const char *browser = getenv("BROWSER");
    char *commands = buf_copy(browser ? browser : ""), usual[] = "xdg-open";
    bool good = false;
    for (char *command = strtok_r(commands, ":", &rest); command && !good;
         command = strtok_r(NULL, ":", &rest))
        good = run_command(command, path);
    good = good || run_command(usual, path) ||
           fault_set(fault, FAULT_FILE, path,
                     "the page is there, but neither $BROWSER nor xdg-open shows it");
    free(commands);
    free(path);
    return good;
}

void opener_end(struct opener *opener, bool written)
{
    if (opener->temporary && !written)
        unlink(opener->path);
    free(opener->path);
    *opener = (struct opener){0};
}
