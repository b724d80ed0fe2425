# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests in Python read a data file with (mlmon.out(5))."""

import os
import subprocess

LEAVE_OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'runtime', 'leave-own.awk')


def of_program(path):
    """The words of each line, as if no sample had been taken in ccprof's own code."""
    run = subprocess.run(['awk', '-f', LEAVE_OWN, path], capture_output=True, encoding='utf-8', check=True)
    return [line.split(' ') for line in run.stdout.split('\n')[:-1]]
