// SPDX-License-Identifier: GPL-3.0-or-later
static int helper(int x)
{
    return x + 1;
}

int plugin(int x)
{
    int sum = 0;

    for (int i = 0; i < x; i++)
        sum += helper(i);
    return sum;
}
