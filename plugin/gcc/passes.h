/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plugin's passes, in the order in which they run.  */

#ifndef CCPROF_PASSES_H
#define CCPROF_PASSES_H

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
opt_pass *passes_make_returned(void);     /* GIMPLE, behind the first inlining */
opt_pass *passes_make_anchor(void);       /* GIMPLE, when the link has read it */
opt_pass *passes_make_hide_unit(void);    /* the whole unit, before gcov's notes */
opt_pass *passes_make_show_unit(void);    /* the whole unit, behind them */
opt_pass *passes_make_train(void);        /* the whole unit, where GCC counts arcs */
opt_pass *passes_make_joined(void);       /* GIMPLE, behind early inlining */
opt_pass *passes_make_condense(void);     /* GIMPLE, behind the last inlining */
opt_pass *passes_make_predict(void);      /* likewise, before condense */
opt_pass *passes_make_train_first(void);  /* likewise */
opt_pass *passes_make_hide(void);         /* GIMPLE, before loops are optimised */
opt_pass *passes_make_show(void);         /* GIMPLE, behind that */
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
