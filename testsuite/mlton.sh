#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mlton.sh ARGUMENT...: mlprof, which prints MLton's tables if the arguments do not ask for others, for tests
# that read these.
exec "${MLPROF_ITSELF:?}" -layout mlton "$@"
