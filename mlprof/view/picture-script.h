/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the script in a graph's picture: the wheel zooms, dragging moves; keys do both.
 */

#ifndef MLPROF_PICTURE_SCRIPT_H
#define MLPROF_PICTURE_SCRIPT_H

extern const char picture_script[];

#endif
