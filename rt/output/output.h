/* SPDX-License-Identifier: MIT */
/* The room rt/output: the data files. It knows their names and their format, but not
   the run: rt/process decides when a file is written.

     output.h    the name of the run's file
     datafile.h  opens a file safely, and replaces an earlier file
     mlmon.h     the lines of a file
     slice.h     the totals of earlier slices, and the size of their folder

   This header chooses the name of the run's file, and provides facts about the process
   for the file: the machine, the rank, and the command. */

#ifndef CCPROF_OUTPUT_H
#define CCPROF_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the pattern ends with a slash and so names a folder. In the folder,
   each process has a file with a unique name, PROGRAM.PID.TIME.mlmon. TIME is the
   start of the process in nanoseconds since 1970. */
bool ccprof_output_is_folder(const char *pattern);

/* Makes the name of the run's file. The name is an absolute path, since the program
   may change its working directory. PATTERN may contain %p (process number), %e
   (program name), %h (host name), %r (rank, or 0) and %%, and is relative to the
   working directory. The caller keeps PATTERN valid. Null means mlmon.out, followed
   by a dot and the rank if the process has a rank. Called by the constructor, after
   ccprof_output_read_launcher. */
void ccprof_output_start(const char *pattern);

/* Makes the name for the child of a fork. If the pattern does not contain the process
   number, it is appended. */
void ccprof_output_child(void);

/* If the pattern is a folder, makes the name of the next file, with the current time.
   Called by the writer of the run's files. Async-signal-safe, like all functions
   below, except where a comment says otherwise. */
void ccprof_output_next(void);

/* Returns the path of the run's file. It is valid until the next name is made. */
const char *ccprof_output_path(void);

/* Return the file name without its folder, and the folder. */
const char *ccprof_output_name(void);
const char *ccprof_output_folder(void);

/* If the pattern is a folder, and its parent folder exists, creates the folder.
   Returns 0 or an errno value. */
int ccprof_output_make_folder(void);

/* Reads the name of the machine, and the rank that an MPI launcher (mpirun, mpiexec,
   srun) set in the environment. Later changes of the environment have no effect.
   Called by the constructor. Sources: Open MPI, orte/mca/schizo; PMIx standard, 3.4;
   MPICH, src/pm/hydra; srun(1). */
void ccprof_output_read_launcher(void);

/* Returns the name of the machine, uname(2); "" if it is not known. */
const char *ccprof_output_host(void);

/* Returns the rank as a decimal number; "" if the process has no rank. */
const char *ccprof_output_rank(void);

/* Returns the number of processes of the job as a decimal number, from the same
   launcher; "" if it is not known or not greater than the rank. */
const char *ccprof_output_ranks(void);

/* Maximum number of bytes of the command in the file, where backslashes are doubled.
   Arguments that do not fit are replaced by ` ...'. */
#define CCPROF_COMMAND_MOST 1000

/* Size of the command's text, including ` ...' and NUL. */
#define CCPROF_COMMAND_SIZE (CCPROF_COMMAND_MOST + sizeof " ...")

/* Reads the command that started the process from libc or the kernel, for the line
   `command' of mlmon.out(5). Called by the constructor: later the program may have
   overwritten its arguments or changed its root. Unless WHOLE is true, only the
   program's name is kept, and ` ...' if there were arguments. */
void ccprof_command_start(bool whole);

/* Returns the command in the syntax of a shell; empty if it is not known. */
const char *ccprof_command(void);

/* Returns the name of the process as the kernel knows it now, which is the name of its
   first thread; "?" if /proc is not mounted. */
const char *ccprof_process_name(void);

/* Returns the title that the program has written over its first argument; empty if it
   has written none. Call this after ccprof_command_start. */
const char *ccprof_process_title(void);

/* Writes the SIZE bytes of ARGUMENTS to TEXT in a form from which a shell reads the
   same arguments: in UTF-8, without control characters. TEXT has room for
   CCPROF_COMMAND_SIZE bytes. Each argument ends with NUL; an argument without NUL was
   cut off. */
void ccprof_command_show(char *text, const char *arguments, size_t size);

#endif
