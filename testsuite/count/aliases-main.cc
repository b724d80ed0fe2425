// SPDX-License-Identifier: GPL-3.0-or-later
#include "aliases.h"

int here();

int main()
{
    int sum = here();
    for (int i = 0; i < 3; i++) {
        base *object = new derived(i);
        sum += by_alias(object->x);
        delete object;
    }
    base alone(sum);
    return by_alias(alone.x) == 0;
}
