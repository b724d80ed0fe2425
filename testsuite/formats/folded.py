# SPDX-License-Identifier: GPL-3.0-or-later
"""What each function has of folded stacks: for the tests of the other formats."""


def read(path):
    """[(stack of names, outermost first; count)]"""
    stacks = []
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            stack, count = line.rstrip("\n").rsplit(" ", 1)
            stacks.append((stack.split(";"), int(count)))
    return stacks


def tops(stacks):
    """{name: (count as the innermost, count anywhere)}"""
    result = {}
    for stack, count in stacks:
        for name in set(stack):
            own, cumulative = result.get(name, (0, 0))
            own += count if stack[-1] == name else 0
            result[name] = (own, cumulative + count)
    return result


def own(stacks):
    """{name: (count as the innermost,)}"""
    return {name: counts[:1] for name, counts in tops(stacks).items()}


def calls(stacks):
    """{(caller, callee): count}: a stack counts for one call of each function on it, the one that is
    open in its innermost activation."""
    result = {}
    for stack, count in stacks:
        innermost = {name: number for number, name in enumerate(stack)}
        for name, number in innermost.items():
            if number + 1 < len(stack):
                pair = name, stack[number + 1]
                result[pair] = result.get(pair, 0) + count
    return result


def compare(got, want, what):
    """Fails unless both are the same; functions without anything do not count."""
    got = {name: value for name, value in got.items() if any(value)}
    want = {name: value for name, value in want.items() if any(value)}
    for name in sorted(set(got) | set(want)):
        if got.get(name) != want.get(name):
            raise SystemExit(f"{what}: {name}: {got.get(name)}, not {want.get(name)}")
    if not want:
        raise SystemExit(f"{what}: there is nothing to compare")
