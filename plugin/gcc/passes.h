/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passes: makes passes for GCC's pass manager, and lists those of the plugin.  Each
   module with a pass defines the function that makes it; plugin/ccprof.cc places the
   passes.  */

#ifndef CCPROF_PASSES_H
#define CCPROF_PASSES_H

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

/* A new pass for GCC's pass manager, among the regular passes over the whole unit, that
   does nothing there.  At link time EXECUTE gets each function as soon as it has been
   read; the function is current, and no other pass has seen it.  */
opt_pass *pass_make_reader(const char *name, void (*execute)(function *fun));

/* The plugin's passes, in the order in which they run.  */

#define PASSES_MARK_NAME  "ccprof_mark"
#define PASSES_INFER_NAME "ccprof_infer"

opt_pass *passes_make_delay(void);            /* GIMPLE, before the CFG is built */
opt_pass *passes_make_statements(void);       /* likewise */
opt_pass *passes_make_count_prepare(void);    /* GIMPLE, before SSA form */
opt_pass *passes_make_branches_prepare(void); /* likewise, without counts */
opt_pass *passes_make_branches(void);         /* GIMPLE, before the first inlining */
opt_pass *passes_make_name(void);             /* GIMPLE, while the front end is there */
opt_pass *passes_make_alloc_type(void);       /* GIMPLE, in SSA form */
opt_pass *passes_make_blocktype(void);        /* likewise; reads only */
opt_pass *passes_make_count(void);            /* GIMPLE, before the first inlining */
opt_pass *passes_make_absent(void);       /* the whole unit, when all have been counted */
opt_pass *passes_make_targets_mark(void); /* GIMPLE, behind count */
opt_pass *passes_make_mark(void);         /* GIMPLE, before the first inlining */
opt_pass *passes_make_claim_returns(void);  /* GIMPLE, behind the first inlining */
opt_pass *passes_make_anchor(void);         /* GIMPLE, when the link has read it */
opt_pass *passes_make_hide_unit(void);      /* the whole unit, before gcov's notes */
opt_pass *passes_make_show_unit(void);      /* the whole unit, behind them */
opt_pass *passes_make_train(void);          /* the whole unit, where GCC counts arcs */
opt_pass *passes_make_joined(void);         /* GIMPLE, behind early inlining */
opt_pass *passes_make_condense(void);       /* GIMPLE, behind the last inlining */
opt_pass *passes_make_predict(void);        /* likewise, before condense */
opt_pass *passes_make_train_first(void);    /* likewise */
opt_pass *passes_make_hide(void);           /* GIMPLE, before loops are optimised */
opt_pass *passes_make_show(void);           /* GIMPLE, behind that */
opt_pass *passes_make_note_tailcalls(void); /* GIMPLE, before tail calls are marked */
opt_pass *passes_make_keep_tailcalls(void); /* GIMPLE, where tail calls are known */
opt_pass *passes_make_callback(void);       /* GIMPLE, when optimisation is over */
opt_pass *passes_make_alloc(void);          /* likewise, before the markers go */
opt_pass *passes_make_inclusive(void);      /* GIMPLE, likewise */
opt_pass *passes_make_stopwatch(void);      /* GIMPLE, likewise */
opt_pass *passes_make_quiet(void);          /* RTL, before label */
opt_pass *passes_make_hide_insns(void);     /* RTL, before loops are optimised */
opt_pass *passes_make_show_insns(void);     /* RTL, behind that */
opt_pass *passes_make_infer(void);          /* GIMPLE, when optimisation is over */
opt_pass *passes_make_count_late(void);     /* likewise, behind infer */
opt_pass *passes_make_storage(void);        /* likewise */
opt_pass *passes_make_targets(void);        /* GIMPLE, when optimisation is over */
opt_pass *passes_make_product_note(void);   /* RTL, before insns are combined */
opt_pass *passes_make_product_charge(void); /* RTL, behind that */
opt_pass *passes_make_moves_note(void);     /* RTL, before insns are combined late */
opt_pass *passes_make_moves_charge(void);   /* RTL, behind that */
opt_pass *passes_make_field(void);          /* RTL, when nothing moves insns any more */
opt_pass *passes_make_label(void);          /* RTL, before the lengths are computed */
opt_pass *passes_make_sites(void);          /* after the function's assembly */
opt_pass *passes_make_emit(void);           /* likewise */

#endif
