/* SPDX-License-Identifier: MIT */
/* Chooses the name of the run's file, and knows what the file says about the process: the
   machine, the rank, and the command.  */

#ifndef CCPROF_OUTPUT_H
#define CCPROF_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the pattern ends with a slash: then it is a folder, in which each
   process has a file with a unique name, PROGRAM.PID.TIME.mlmon, where TIME is the start
   of the process in nanoseconds since 1970.  */
bool ccprof_output_collects(const char *pattern);

/* Makes the name, which is an absolute path, since the program may change its folder.
   PATTERN, which must stay, may hold %p (the number of the process), %e (the program's
   name), %h (the host's name), %r (the rank, or 0) and %%; it is relative to the current
   folder.  NULL stands for mlmon.out, followed by a dot and the rank if there is one.
   Constructor, after ccprof_output_read_launcher.  */
void ccprof_output_start(const char *pattern);

/* Makes the name for the child of a fork, with the child's number where the pattern has a
   number, and otherwise appended.  */
void ccprof_output_child(void);

/* In a folder, makes the name of the next file, with the current time.  For the writer of
   the run's files.  Async-signal-safe, as are all functions below, except where a comment
   says otherwise.  */
void ccprof_output_next(void);

/* Returns the path; it is valid until the process ends or the next name is made.  */
const char *ccprof_output_path(void);

/* Return the name without its folder, and the folder.  */
const char *ccprof_output_name(void);
const char *ccprof_output_folder(void);

/* Makes the folder if the pattern is one and its parent exists.  Returns 0 or an errno
   value.  */
int ccprof_output_make_folder(void);

/* Reads the name of the machine, and from the environment the rank that a launcher of MPI
   (mpirun, mpiexec, srun) has given to the process.  Later changes of the environment
   have no effect.  Constructor.  Sources: Open MPI, orte/mca/schizo; PMIx standard, 3.4;
   MPICH, src/pm/hydra; srun(1).  */
void ccprof_output_read_launcher(void);

/* Returns the name of the machine, uname(2); "" if it is not known.  */
const char *ccprof_output_host(void);

/* Returns the rank in decimal; "" if there is none.  */
const char *ccprof_output_rank(void);

/* Returns the number of processes of the job in decimal, from the same launcher; "" if it
   is not known, or if it is not greater than the rank.  */
const char *ccprof_output_ranks(void);

/* The most bytes of the command in the file, where backslashes are doubled.  Arguments
   that do not fit become ` ...'.  */
#define CCPROF_COMMAND_MOST 1000

/* Bytes of the text with the dots and NUL.  */
#define CCPROF_COMMAND_SIZE (CCPROF_COMMAND_MOST + sizeof " ...")

/* Asks libc, or the kernel, for the command that started the process, for the line
   `command' of mlmon.out(5).  Constructor: later the program may have overwritten its
   arguments, or have another root.  Without WHOLE the text is the program's name, with
   ` ...' for arguments.  */
void ccprof_command_start(bool whole);

/* Returns the command as a person would type it; empty if it is not known.  */
const char *ccprof_command(void);

/* Writes SIZE bytes of ARGUMENTS to TEXT, which has room for CCPROF_COMMAND_SIZE bytes,
   so that a shell would read the same arguments: without control characters, and in
   UTF-8.  Each argument ends with NUL unless it was cut off.  */
void ccprof_command_show(char *text, const char *arguments, size_t size);

#endif
