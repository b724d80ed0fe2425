// SPDX-License-Identifier: GPL-3.0-or-later

// Of the same name and symbol as another one.
static __attribute__((noipa)) int local(int x)
{
    return x + 4;
}

int other(int x)
{
    return local(x);
}
