// SPDX-License-Identifier: GPL-3.0-or-later
// Makes passes of GCC's classes that call one function each.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/passes.h"

namespace
{
// KIND is one of GCC's classes of passes (tree-pass.h).
template <typename kind> class made_pass : public kind
{
  public:
    made_pass(const pass_data &data, void (*work)(function *)) : kind(data, g), work(work)
    {
    }

    unsigned int execute(function *fun) final override
    {
        work(fun);
        return 0;
    }

    // GCC clones a pass that is placed several times.
    opt_pass *clone() final override
    {
        return new made_pass(*this, work);
    }

  private:
    void (*work)(function *);
};

class reader : public ipa_opt_pass_d
{
  public:
    reader(const pass_data &data)
        : ipa_opt_pass_d(data, g, NULL, NULL, NULL, NULL, NULL, fix, 0, NULL, NULL)
    {
    }

    static void (*work)(function *);

  private:
    // LTO sets locations later than it reads statements, so set them now.
    static void fix(cgraph_node *, gimple **)
    {
        if (lto_location_cache::current_cache)
            lto_location_cache::current_cache->apply_location_cache();
        work(cfun);
    }
};

void (*reader::work)(function *);
} // namespace

opt_pass *pass_make(const char *name, enum pass_form form, void (*execute)(function *fun))
{
    static const struct {
        enum opt_pass_type type;
        unsigned needs;
        unsigned afterwards;
    } forms[] = {
        {GIMPLE_PASS, PROP_gimple_lcf, 0},
        {GIMPLE_PASS, PROP_cfg, 0},
        {GIMPLE_PASS, PROP_cfg | PROP_ssa, 0},
        {GIMPLE_PASS, PROP_cfg | PROP_ssa, TODO_update_ssa_only_virtuals},
        {RTL_PASS, 0, 0},
        {SIMPLE_IPA_PASS, 0, 0},
    };
    const pass_data data = {
        forms[form].type,       name, OPTGROUP_NONE, TV_NONE, forms[form].needs, 0, 0, 0,
        forms[form].afterwards,
    };

    switch (data.type) {
    case GIMPLE_PASS:
        return new made_pass<gimple_opt_pass>(data, execute);
    case RTL_PASS:
        return new made_pass<rtl_opt_pass>(data, execute);
    default:
        return new made_pass<simple_ipa_opt_pass>(data, execute);
    }
}

opt_pass *pass_make_reader(const char *name, void (*execute)(function *fun))
{
    const pass_data data = {IPA_PASS, name, OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

    reader::work = execute;
    return new reader(data);
}
