# SPDX-License-Identifier: GPL-3.0-or-later
"""What programs that were compiled with --coverage leave: the counters of .gcda files and the functions of .gcno
files, as GCC 12 writes them (gcov-io.h; lengths are in bytes from that version on)."""
import array
import struct

FUNCTION, COUNTERS = 0x01000000, 0x01a10000


class Damaged(Exception):
    pass


def _records(data, magic, path):
    """The records of a file: a tag, where its content begins, and its length."""
    if data[:4] != magic:
        raise Damaged('%s: not %s' % (path, magic[::-1].decode()))
    if data[7:8] < b'B':
        raise Damaged('%s: of GCC %s; 12 and later are read' % (path, data[7:3:-1].decode()))
    at = 12
    if magic == b'oncg':
        at += 4
        at += 4 + struct.unpack_from('<I', data, at)[0] + 4
    else:
        at += 4
    while at + 8 <= len(data):
        tag, length = struct.unpack_from('<Ii', data, at)
        at += 8
        if not tag:
            return
        yield tag, at, length
        at += max(length, 0)


def counters(path):
    """The file's head, which tells of which compilation it is, and {function: the counts of its arcs}; a function is a
    number and two checksums, and those without a count are left out."""
    with open(path, 'rb') as file:
        data = file.read()
    found, function = {}, None
    for tag, at, length in _records(data, b'adcg', path):
        if tag == FUNCTION:
            function = struct.unpack_from('<3I', data, at) if length else None
        elif tag == COUNTERS and function and length > 0:
            counts = array.array('Q', data[at:at + length])
            if any(counts):
                found[function] = counts
    return data[:16], found


def functions(path):
    """{function: (source, first line, last line, name)}, as in counters()."""
    with open(path, 'rb') as file:
        data = file.read()
    found = {}
    for tag, at, length in _records(data, b'oncg', path):
        if tag != FUNCTION:
            continue
        function = struct.unpack_from('<3I', data, at)
        texts, at = [], at + 12
        for number in range(2):
            size = struct.unpack_from('<I', data, at)[0]
            texts.append(data[at + 4:at + 4 + size].rstrip(b'\0').decode())
            at += 4 + size
            if not number:
                at += 4  # made by the compiler
        first, _, last = struct.unpack_from('<3I', data, at)
        found[function] = (texts[1], first, last, texts[0])
    return found


def write(path, head, counts):
    """Writes a .gcda from what counters() returned."""
    with open(path, 'wb') as file:
        file.write(head)
        for function, arcs in counts.items():
            file.write(struct.pack('<Ii3I', FUNCTION, 12, *function))
            file.write(struct.pack('<Ii', COUNTERS, 8 * len(arcs)) + arcs.tobytes())
        file.write(b'\0' * 4)
