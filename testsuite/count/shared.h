// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that several objects hold; constructors and destructors of several bodies.

inline int inlined(int x) { return x / 2 + 1; }

struct base {
    virtual ~base() {}
    virtual int value() const { return 1; }
};

struct derived : virtual base {
    int number;

    explicit derived(int n) : number(n) {}
    ~derived() override {}
    int value() const override { return inlined(number); }
};

struct most : derived {
    most() : derived(3) {}
};

int second(int n);
