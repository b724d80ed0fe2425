// SPDX-License-Identifier: GPL-3.0-or-later
// name: a pass over each function before the front end is taken away (GCC:
// ipa-free-lang-data.cc), for what only the front end can name.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/lambda.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/passes.h"

static const pass_data name_data = {
    GIMPLE_PASS, "ccprof_name", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

class name_pass : public gimple_opt_pass
{
  public:
    name_pass() : gimple_opt_pass(name_data, g)
    {
    }

    unsigned int execute(function *fun) final override
    {
        names_prepare(fun->decl);
        filter_prepare(fun->decl);
        lambda_note();
        return 0;
    }
};

opt_pass *passes_make_name(void)
{
    return new name_pass;
}
