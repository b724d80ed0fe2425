# SPDX-License-Identifier: GPL-3.0-or-later
"""An asker as doc/requests.md describes it, apart from mlprof's: what the tests of the runtime ask with."""

import ctypes
import fcntl
import os
import signal
import struct
import time

REPORT, SAMPLE, STOP, RATE, TIMES = 0, 1, 2, 3, 4
MARK, VERSION = 0xcca5, 1
SI_QUEUE = -1
SEALS = 0xf
SYS_PIDFD_SEND_SIGNAL = 424
F_GET_SEALS = 1034

libc = ctypes.CDLL(None, use_errno=True)


def value(operation, argument, deadline, mark=MARK, version=VERSION):
    """A request; DEADLINE in nanoseconds of CLOCK_REALTIME."""
    return mark << 48 | version << 44 | operation << 40 | argument << 24 | (deadline >> 26 & 0xffffff)


def send(pidfd, request, code=SI_QUEUE):
    """Sends SIGURG with the value. Returns False if the process has ended."""
    info = bytearray(128)
    struct.pack_into('iiiiiiQ', info, 0, signal.SIGURG, 0, code, 0, os.getpid(), os.getuid(), request)
    buffer = (ctypes.c_char * len(info)).from_buffer(info)
    if libc.syscall(SYS_PIDFD_SEND_SIGNAL, pidfd, signal.SIGURG, ctypes.byref(buffer), 0) == 0:
        return True
    if ctypes.get_errno() == 3:
        return False
    raise OSError(ctypes.get_errno(), 'pidfd_send_signal')


def answers(pid):
    """The answers that the process has open: descriptor, version, operation, argument, time."""
    found = []
    try:
        names = os.listdir(f'/proc/{pid}/fd')
    except (FileNotFoundError, ProcessLookupError):
        return found
    for name in names:
        try:
            link = os.readlink(f'/proc/{pid}/fd/{name}')
        except OSError:
            continue
        if link.startswith('/memfd:ccprof:') and link.endswith(' (deleted)'):
            found.append((name, *(int(part) for part in link.split(' ')[0].split(':')[2:])))
    return found


def read(pid, name):
    """The content of a complete answer; otherwise None."""
    try:
        fd = os.open(f'/proc/{pid}/fd/{name}', os.O_RDONLY)
    except OSError:
        return None
    with os.fdopen(fd, 'rb') as file:
        if fcntl.fcntl(fd, F_GET_SEALS) & SEALS != SEALS:
            return None
        return file.read().decode()


def ask(pid, operation=REPORT, argument=0, seconds=20.0):
    """The answer's text, or None if there is none before the deadline or the process has ended."""
    pidfd = os.pidfd_open(pid)
    try:
        first = time.clock_gettime_ns(time.CLOCK_REALTIME)
        end = time.monotonic() + seconds
        again, pause = 0.0, 0.02
        while time.monotonic() < end:
            if time.monotonic() >= again:
                deadline = time.clock_gettime_ns(time.CLOCK_REALTIME) + int((end - time.monotonic()) * 1e9)
                if not send(pidfd, value(operation, argument, deadline)):
                    return None
                again = time.monotonic() + pause
                pause = min(2 * pause, 0.25)
            for name, _, its_operation, its_argument, at in answers(pid):
                if (its_operation, its_argument) == (operation, argument) and at >= first:
                    text = read(pid, name)
                    if text is not None:
                        return text
            time.sleep(0.002)
        return None
    finally:
        os.close(pidfd)


def field(text, word):
    """The words after WORD on its line; None if there is no such line."""
    for line in text.split('\n'):
        if line.startswith(word + ' '):
            return line[len(word) + 1:]
    return None
