# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by who asks for the processor; no more is defined here.

# The one that CC compiles for, as `gcc -dumpmachine' begins; the one that runs the tests but for
# `make check-cross'.
cpu=${TARGET:-$(uname -m)}
cpu=${cpu%%-*}
