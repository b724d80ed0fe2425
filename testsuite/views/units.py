#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""units.py FILE: the units in its tables, read from doc/tables.md alone: a line
`file NAME HASH' for each file, and for each source a line
`source NAME | SYMBOL | FILE:LINE:COLUMN | FLAGS'."""

import struct
import subprocess
import sys
import tempfile

FLAGS = ((2, "artificial"), (4, "made"), (8, "part"), (16, "entry"))


def section(path, name):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["objcopy", "-O", "binary", "--only-section=" + name,
                        "--set-section-flags", name + "=alloc", path, out.name], check=True)
        return open(out.name, "rb").read()


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def bytes(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def u32(self):
        return struct.unpack("=I", self.bytes(4))[0]

    def uleb(self):
        value = shift = 0
        while True:
            byte = self.bytes(1)[0]
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value


def main():
    strings = section(sys.argv[1], ".ccprof.str")
    reader = Reader(section(sys.argv[1], ".ccprof.unit"))

    def string():
        offset = reader.u32()
        return strings[offset:strings.index(b"\0", offset)].decode()

    while reader.at < len(reader.data):
        length = reader.u32()
        end = reader.at + length
        version, _ = reader.bytes(2)
        assert version == 2, version
        string()
        files = ["?"]
        for _ in range(reader.uleb()):
            files.append(string())
            print("file", files[-1], reader.bytes(16).hex())
        for _ in range(reader.uleb()):
            name, flags = string(), reader.uleb()
            symbol = string() if flags & 1 else name
            place = files[reader.uleb()], reader.uleb(), reader.uleb()
            words = [word for bit, word in FLAGS if flags & bit]
            assert flags < 32, flags
            print("source %s | %s | %s:%d:%d | %s" % (name, symbol, *place, " ".join(words)))
        assert reader.at == end, (reader.at, end)


main()
