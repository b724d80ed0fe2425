// SPDX-License-Identifier: GPL-3.0-or-later
struct base {
    int x;
    base(int n);
    virtual ~base();
};
struct derived : base {
    derived(int n);
    ~derived();
};
extern "C" int by_alias(int x);
