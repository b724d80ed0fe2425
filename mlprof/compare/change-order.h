/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts changes into the order of a column that is asked for.  */

#ifndef MLPROF_CHANGE_ORDER_H
#define MLPROF_CHANGE_ORDER_H

#include "mlprof/compare/change.h"
#include "mlprof/view/view.h"

/* MATCH and SIDES are those of changes_find; ORDER is one of those that comparisons have,
   or the changes stay as they are.  */
void change_order_sort(struct changes *changes, const struct match *match,
                       const struct side *const sides[2], enum view_order order);

#endif
