// SPDX-License-Identifier: GPL-3.0-or-later
// What paths.cc calls in the shared object that it loads.

struct plug {
    virtual void run() = 0;
    virtual long end() = 0;
};
