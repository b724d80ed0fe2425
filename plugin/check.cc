// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "check.h"

void check_before_pass(void *, void *)
{
}
