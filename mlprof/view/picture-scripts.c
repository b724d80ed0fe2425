/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/picture-scripts.h"
#include "mlprof/base/embed.h"

EMBED("picture_scripts_flame", "mlprof/view/flame.js");
EMBED("picture_scripts_graph", "mlprof/view/graph.js");
