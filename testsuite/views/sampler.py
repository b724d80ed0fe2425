# SPDX-License-Identifier: GPL-3.0-or-later
"""sampler.py ADDRESSES COMMAND [ARGUMENTS...]: where a program of one thread spends its time, found without ccprof,
signals to the program, or the kernel's tick: stops it through ptrace after random times and writes the address at each
stop; `-' if that is not in the program's own file. For a program that neither sleeps nor waits that is its CPU time.
The program is one with -no-pie. The exit status is the program's."""

import ctypes
import os
import random
import signal
import sys
import time

SHORTEST, LONGEST = 0.0005, 0.0035
SEIZE, INTERRUPT, CONT, GET_SYSCALL_INFO = 0x4206, 0x4207, 7, 0x420E
TRACE_EXEC, EXIT_KILL, EVENT_EXEC = 0x10, 0x100000, 4
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def ptrace(request, pid, address=0, data=0):
    result = libc.ptrace(request, pid, address, data)
    if result < 0:
        sys.exit("sampler: ptrace: " + os.strerror(ctypes.get_errno()))
    return result


def start(command):
    """The child, when it has come to rest in its new program."""
    child = os.fork()
    if child == 0:
        os.kill(os.getpid(), signal.SIGSTOP)
        os.execvp(command[0], command)
    os.waitpid(child, os.WUNTRACED)
    ptrace(SEIZE, child, 0, TRACE_EXEC | EXIT_KILL)
    os.kill(child, signal.SIGCONT)
    while True:
        _, status = os.waitpid(child, 0)
        if not os.WIFSTOPPED(status):
            sys.exit("sampler: the program does not start")
        if status >> 8 == signal.SIGTRAP | EVENT_EXEC << 8:
            return child
        ptrace(CONT, child)


def code_of(child):
    """From where to where the program's code is."""
    file = os.readlink("/proc/%d/exe" % child)
    with open("/proc/%d/maps" % child) as maps:
        fields = next(words for words in map(str.split, maps) if "x" in words[1] and words[5:] == [file])
    return [int(text, 16) for text in fields[0].split("-")]


def main(path, *command):
    child = start(command)
    low, high = code_of(child)
    info = ctypes.create_string_buffer(88)
    with open(path, "w") as out:
        while True:
            ptrace(CONT, child)
            time.sleep(random.uniform(SHORTEST, LONGEST))
            libc.ptrace(INTERRUPT, child, 0, 0)
            _, status = os.waitpid(child, 0)
            if not os.WIFSTOPPED(status):
                return os.waitstatus_to_exitcode(status)
            ptrace(GET_SYSCALL_INFO, child, len(info), ctypes.addressof(info))
            counter = int.from_bytes(info[8:16], sys.byteorder)
            print(hex(counter) if low <= counter < high else "-", file=out)


sys.exit(main(*sys.argv[1:]))
