// SPDX-License-Identifier: GPL-3.0-or-later
// name: looks at each function before the front end is taken away (GCC:
// ipa-free-lang-data.cc), for names: some functions only the front end can name.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/lambda.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/pass.h"
#include "plugin/gcc/passes.h"

static void execute(function *fun)
{
    names_prepare(fun->decl);
    filter_prepare(fun->decl);
    lambda_note();
}

opt_pass *passes_make_name(void)
{
    return pass_make("ccprof_name", PASS_CFG, execute);
}
