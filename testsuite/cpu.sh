# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Defines only the names of processors. Sourced by scripts that need nothing else.

# The processor that CC compiles for: the first word of `gcc -dumpmachine'. Except with
# `make check-cross' it also runs the tests.
cpu=${TARGET:-$(uname -m)}
cpu=${cpu%%-*}
