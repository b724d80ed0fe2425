/* SPDX-License-Identifier: MIT */
/* Owns the temporary file.  Called where the run ends: any thread, handlers of
   fatal signals included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>

#include "format.h"
#include "mlmon.h"
#include "sys.h"
#include "text.h"

/* Going through the points: first to count them, then to write them.  */
struct mlmon_pass {
    uint64_t points;
    uint64_t samples;
    const struct ccprof_modules *modules;
    struct ccprof_text *text;
};

static int mlmon_count(void *context, const struct ccprof_point *point)
{
    struct mlmon_pass *pass = context;
    pass->points++;
    pass->samples += point->count;
    return 0;
}

static int mlmon_point(void *context, const struct ccprof_point *point)
{
    struct mlmon_pass *pass = context;
    int module = ccprof_modules_find(pass->modules, point->pc);
    uint64_t bias = module < 0 ? 0 : pass->modules->module[module].bias;

    ccprof_text_string(pass->text, "0 ");
    if (module < 0)
        ccprof_text_char(pass->text, '-');
    else
        ccprof_text_decimal(pass->text, (uint64_t)module);
    ccprof_text_char(pass->text, ' ');
    ccprof_text_hex(pass->text, point->pc - bias);
    ccprof_text_char(pass->text, ' ');
    ccprof_text_decimal(pass->text, point->count);
    ccprof_text_char(pass->text, '\n');
    pass->points++;
    return pass->text->error;
}

static void mlmon_number(struct ccprof_text *text, const char *word, uint64_t number)
{
    ccprof_text_string(text, word);
    ccprof_text_char(text, ' ');
    ccprof_text_decimal(text, number);
    ccprof_text_char(text, '\n');
}

static void mlmon_module(struct ccprof_text *text, unsigned number,
                         const struct ccprof_module *module)
{
    ccprof_text_string(text, "module ");
    ccprof_text_decimal(text, number);
    ccprof_text_char(text, ' ');
    if (module->id_size)
        ccprof_text_bytes(text, module->id, module->id_size);
    else
        ccprof_text_char(text, '-');
    ccprof_text_char(text, ' ');
    ccprof_text_hex(text, module->bias);
    ccprof_text_char(text, ' ');
    ccprof_text_path(text, module->path);
    ccprof_text_char(text, '\n');
}

static int mlmon_put(const struct ccprof_mlmon *mlmon, struct ccprof_text *text)
{
    struct mlmon_pass counted = {0, 0, NULL, NULL};
    struct mlmon_pass written = {0, 0, mlmon->modules, text};
    uint64_t samples = atomic_load(&mlmon->table->samples);
    unsigned modules = atomic_load(&mlmon->modules->count);

    ccprof_table_each(mlmon->table, mlmon_count, &counted);
    /* What cannot be read any more is not counted, and so is lost.  */
    ccprof_log_each(mlmon->log, mlmon_count, &counted);

    mlmon_number(text, CCPROF_MLMON_MAGIC, CCPROF_MLMON_VERSION);
    ccprof_text_string(text, "kind time\nengine ");
    ccprof_text_string(text, mlmon->engine);
    ccprof_text_string(text, "\nclock ");
    ccprof_text_string(text, mlmon->clock);
    ccprof_text_char(text, '\n');
    mlmon_number(text, "rate", mlmon->rate);
    mlmon_number(text, "cpu", mlmon->cpu);
    mlmon_number(text, "wall", mlmon->wall);
    mlmon_number(text, "threads", mlmon->threads);
    mlmon_number(text, "waits", mlmon->waits);
    mlmon_number(text, "samples", samples);
    mlmon_number(text, "lost", samples - counted.samples);
    for (unsigned i = 0; i < modules; i++)
        mlmon_module(text, i, &mlmon->modules->module[i]);
    mlmon_number(text, "counts", counted.points);
    ccprof_table_each(mlmon->table, mlmon_point, &written);
    ccprof_log_each(mlmon->log, mlmon_point, &written);
    ccprof_text_string(text, "end\n");
    if (ccprof_text_flush(text) == 0 && written.points != counted.points)
        return EIO;
    return text->error;
}

/* Opens the temporary file that goes with PATH, whose name is put into
   TEMPORARY (PATH_MAX bytes).  Returns the descriptor, or -1.  */
static int mlmon_open(const char *path, char *temporary)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    struct ccprof_text text;
    int fd;

    ccprof_text_open(&text, temporary, PATH_MAX, -1);
    ccprof_text_string(&text, path);
    ccprof_text_char(&text, '.');
    ccprof_text_decimal(&text, (uint64_t)ccprof_sys_getpid());
    ccprof_text_string(&text, ".tmp");
    errno = ccprof_text_end(&text);
    if (errno)
        return -1;
    fd = ccprof_sys_open(AT_FDCWD, temporary, flags, 0666);
    /* Left by a process that had our number and was killed.  */
    if (fd < 0 && errno == EEXIST && ccprof_sys_unlink(temporary) == 0)
        fd = ccprof_sys_open(AT_FDCWD, temporary, flags, 0666);
    return fd;
}

/* Opens what is there without waiting, for somebody to read it, say.  */
static int mlmon_open_there(const char *path)
{
    int fd =
        ccprof_sys_open(AT_FDCWD, path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
    if (fd >= 0)
        ccprof_sys_fcntl(fd, F_SETFL, 0);
    return fd;
}

int ccprof_mlmon_write(const struct ccprof_mlmon *mlmon, const char *path, char *buffer,
                       size_t size)
{
    char temporary[PATH_MAX];
    struct ccprof_text text;
    struct stat there;
    bool straight = ccprof_sys_stat(path, &there) == 0 && !S_ISREG(there.st_mode);
    int fd, error;

    if (straight)
        fd = mlmon_open_there(path);
    else
        fd = mlmon_open(path, temporary);
    if (fd < 0)
        return errno;
    ccprof_text_open(&text, buffer, size, fd);
    error = mlmon_put(mlmon, &text);
    /* Some file systems tell only now that the disk is full.  */
    if (ccprof_sys_close(fd) != 0 && !error)
        error = errno;
    if (straight)
        return error;
    if (!error && ccprof_sys_rename(temporary, path) != 0)
        error = errno;
    if (error)
        ccprof_sys_unlink(temporary);
    return error;
}
