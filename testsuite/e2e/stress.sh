#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Some seconds of `make stress'.
# alone
# show: 8
exec "$SRC/testsuite/stress/stress.sh" 8
