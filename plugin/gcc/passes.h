/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passes: makes passes for GCC's pass manager, and lists the passes of the plugin.
   Each module with a pass defines a function that makes it. plugin/ccprof.cc places
   the passes among those of GCC. */

#ifndef CCPROF_PASSES_H
#define CCPROF_PASSES_H

/* The form of the code that the pass reads. */
enum pass_form {
    PASS_LOWERED,    /* GIMPLE as a list of statements, without a control flow graph */
    PASS_CFG,        /* GIMPLE with a control flow graph */
    PASS_SSA,        /* GIMPLE in SSA form; adds no loads, stores or calls */
    PASS_SSA_MEMORY, /* GIMPLE in SSA form; GCC updates virtual operands afterwards */
    PASS_RTL,
    PASS_UNIT, /* all functions of the compilation unit at once */
};

/* Returns a new pass, which GCC's pass manager owns. NAME must stay valid. EXECUTE
   gets the current function; it gets NULL if FORM is PASS_UNIT. */
opt_pass *pass_make(const char *name, enum pass_form form,
                    void (*execute)(function *fun));

/* Returns a new pass for the list of regular passes over the whole unit, which GCC's
   pass manager owns. The pass has an effect only at link time: EXECUTE gets each
   function as soon as the function has been read. The function is current then, and no
   other pass has seen it. */
opt_pass *pass_make_reader(const char *name, void (*execute)(function *fun));

/* The plugin's passes, in the order in which they run. */

#define PASSES_MARK_NAME  "ccprof_mark"
#define PASSES_INFER_NAME "ccprof_infer"

opt_pass *passes_make_delay(void);            /* GIMPLE, before the CFG is built */
opt_pass *passes_make_statements(void);       /* GIMPLE, before the CFG is built */
opt_pass *passes_make_count_prepare(void);    /* GIMPLE, before SSA form */
opt_pass *passes_make_branches_prepare(void); /* GIMPLE, before SSA form */
opt_pass *passes_make_branches(void);         /* GIMPLE, before the first inlining */
opt_pass *passes_make_name(void);             /* GIMPLE, while the front end exists */
opt_pass *passes_make_alloc_type(void);       /* GIMPLE, in SSA form */
opt_pass *passes_make_blocktype(void);        /* GIMPLE, in SSA form; only reads */
opt_pass *passes_make_count(void);            /* GIMPLE, before the first inlining */
opt_pass *passes_make_absent(void);           /* the whole unit, after count */
opt_pass *passes_make_targets_mark(void);     /* GIMPLE, after count */
opt_pass *passes_make_mark(void);             /* GIMPLE, before the first inlining */
opt_pass *passes_make_claim_returns(void);    /* GIMPLE, after the first inlining */
opt_pass *passes_make_anchor(void);      /* GIMPLE, when the link has read the function */
opt_pass *passes_make_hide_unit(void);   /* the whole unit, before gcov's notes */
opt_pass *passes_make_show_unit(void);   /* the whole unit, after gcov's notes */
opt_pass *passes_make_train(void);       /* the whole unit, where GCC counts arcs */
opt_pass *passes_make_joined(void);      /* GIMPLE, after early inlining */
opt_pass *passes_make_condense(void);    /* GIMPLE, after the last inlining */
opt_pass *passes_make_predict(void);     /* GIMPLE, before condense */
opt_pass *passes_make_train_first(void); /* GIMPLE, after the last inlining */
opt_pass *passes_make_loops(void);       /* GIMPLE, before loops are optimised */
opt_pass *passes_make_unseen(void);      /* GIMPLE, before loops are vectorized */
opt_pass *passes_make_hide(void);        /* GIMPLE, before loops are optimised */
opt_pass *passes_make_show(void);        /* GIMPLE, after loops are optimised */
opt_pass *passes_make_note_tailcalls(void); /* GIMPLE, before tail calls are marked */
opt_pass *passes_make_keep_tailcalls(void); /* GIMPLE, after tail calls are marked */
opt_pass *passes_make_callback(void);       /* GIMPLE, after the last optimisation */
opt_pass *passes_make_alloc(void);          /* GIMPLE, before infer */
opt_pass *passes_make_inclusive(void);      /* GIMPLE, after the last optimisation */
opt_pass *passes_make_stopwatch(void);      /* GIMPLE, after the last optimisation */
opt_pass *passes_make_quiet(void);          /* RTL, before label */
opt_pass *passes_make_hide_insns(void);     /* RTL, before loops are optimised */
opt_pass *passes_make_show_insns(void);     /* RTL, after loops are optimised */
opt_pass *passes_make_unrolled(void);       /* RTL, after loops are unrolled */
opt_pass *passes_make_infer(void);          /* GIMPLE, after the last optimisation */
opt_pass *passes_make_count_late(void);     /* GIMPLE, after infer */
opt_pass *passes_make_storage(void);        /* GIMPLE, after count_late */
opt_pass *passes_make_targets(void);        /* GIMPLE, after the last optimisation */
opt_pass *passes_make_product_note(void);   /* RTL, before insns are combined */
opt_pass *passes_make_product_charge(void); /* RTL, after insns are combined */
opt_pass *passes_make_moves_note(void);     /* RTL, before insns are combined late */
opt_pass *passes_make_moves_charge(void);   /* RTL, after insns are combined late */
opt_pass *passes_make_field(void);   /* RTL, after the last pass that moves insns */
opt_pass *passes_make_machine(void); /* RTL, before the CFG is freed */
opt_pass *passes_make_label(void);   /* RTL, before the lengths are computed */
opt_pass *passes_make_machine_segments(void); /* RTL, after label */
opt_pass *passes_make_machine_text(void);     /* before the assembly is written */
opt_pass *passes_make_machine_amounts(void);  /* directly after it is written */
opt_pass *passes_make_machine_emit(void); /* after the function's assembly is written */
opt_pass *passes_make_sites(void);        /* after the function's assembly is written */
opt_pass *passes_make_remarks(void);      /* after the function's assembly is written */
opt_pass *passes_make_emit(void);         /* after the function's assembly is written */

#endif
