// SPDX-License-Identifier: GPL-3.0-or-later
// The shared object that paths.cc loads. Lines from 900 on are its own. What has the
// number 77 is the executable's.

#include "pathplug.h"

#include <pathlib.h>

#line 900
struct plugged : plug {
    void run() override
    {
        path_line = __LINE__ + 1;
        lib::call<200>([] {});
        path_line = __LINE__ + 1;
        lib::get<77>(2);
    }
    long end() override
    {
        path_line = __LINE__ + 1;
        return lib::tail<201>(2);
    }
};
static plugged object;
extern "C" {
plug *plug_object = &object;
}
