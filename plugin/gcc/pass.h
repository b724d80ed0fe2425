/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pass: makes a pass of a name, the form of the code that it needs and the function that
   does its work; for every module that has one (passes.h).  */

#ifndef CCPROF_PASS_H
#define CCPROF_PASS_H

/* The form in which the pass finds the code.  */
enum pass_form {
    PASS_LOWERED,    /* GIMPLE, a list of statements, no control flow graph yet */
    PASS_CFG,        /* GIMPLE with a control flow graph */
    PASS_SSA,        /* GIMPLE in SSA form; no new loads, stores or calls */
    PASS_SSA_MEMORY, /* GIMPLE in SSA form; virtual operands are updated behind it */
    PASS_RTL,
    PASS_UNIT, /* all functions of the compilation unit at once */
};

/* A new pass for GCC's pass manager, which owns it.  NAME lives as long as the compiler.
   EXECUTE gets the current function, of PASS_UNIT NULL.  */
opt_pass *pass_make(const char *name, enum pass_form form,
                    void (*execute)(function *fun));

/* A new pass for GCC's pass manager, among the regular ones over the whole unit, that
   does nothing there: at link time EXECUTE gets each function that is read, when it is
   current and has been seen by nobody else.  */
opt_pass *pass_make_reader(const char *name, void (*execute)(function *fun));

#endif
