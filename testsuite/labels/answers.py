# SPDX-License-Identifier: GPL-3.0-or-later
"""answers.py CPU MLPROF LANGUAGE LEVEL <DISASSEMBLY: whether mlprof -where and readers of DWARF say of each instruction
that carries a constant, the distance of a member, a variable or a function what ../truth says (source.py).

The programs: stripped.s, with the plugin; markers.s, with scopes=no; debug, with debug information. Into `results' goes
a line for each tool and class of instructions: LEVEL, LANGUAGE, tool, class, number, functions right, lines right, with
tabs between; into `misses' what ccprof has got wrong, and what the better reader of DWARF says of it."""

import collections
import re
import shutil
import subprocess
import sys

# The class of an instruction of a constant, or of a member or a variable: that of the first pattern.
CLASSES = {
    'x86_64': ([('imul', 'multiplication'), ('cmp|test', 'comparison'), (r'mov.*\)$', 'store'),
                ('mov|push', 'constant'), ('', 'arithmetic')],
               [('lea ', 'address'), ('imul', 'multiplied load'), ('cmp|test|bt', 'folded load'),
                (r'(i?mul|i?div|push|call|jmp)\S* ([^,]*|[^,(]*\([^)]*\))$', 'folded load'),
                (r'(mov|set).*\)$', 'store'), (r'.*\)$', 'update'), ('p?mov', 'load'), ('', 'folded load')]),
    'aarch64': ([('ld', 'load'), ('st', 'store'), ('(mul|mneg|[us]mull) ', 'multiplication'),
                 ('([us]?madd|[us]?msub)l? ', 'multiplication, added'), ('(cmp|cmn|ccmp|ccmn|tst) ', 'comparison'),
                 ('mov', 'constant'), ('', 'arithmetic')],
                [('ld', 'load'), ('st', 'store'), ('', 'address')]),
    'riscv64': ([('(l[bhw]u?|ld|fl[wd]) ', 'load'), ('(s[bhwd]|fs[wd]) ', 'store'), ('mul', 'multiplication'),
                 ('b|slt', 'comparison'), ('(li|lui|addiw?) ', 'constant'), ('', 'arithmetic')],
                [('(l[bhw]u?|ld|fl[wd]) ', 'load'), ('(s[bhwd]|fs[wd]) ', 'store'), ('', 'address')]),
}

Place = collections.namedtuple('Place', 'name plain file line')


class Carrier:
    """PLACES are two if what the instruction carries is of two places, and the one is as right as the other."""

    def __init__(self, address, text, kind, places):
        self.address, self.text, self.kind, self.places = address, text, kind, places


def read_truth():
    truth, accessors = {}, set()
    with open('../truth') as table:
        for row in table:
            form, name, plain, file, line, _, role = row.rstrip('\n').split('\t')
            truth[form] = Place(name, plain, file, line)
            if role == 'accessor':
                accessors.add(form)
    return truth, accessors


def carriers(code, cpu):
    truth, accessors = read_truth()
    for address, text in re.findall(r'^ *([0-9a-f]+):\t(.*)', code, re.M):
        text = re.sub(' +', ' ', text.replace('\t', ' '))
        forms = [form.strip('<>') for form in re.findall('0x[0-9a-f]+|<(?:glob|call)[0-9]+>', text)]
        # Distances are below 0x1000000, constants above.
        main = constant = None
        for form in filter(truth.get, forms):
            if form[0] in 'gc' or len(form) < 9:
                main = form
            else:
                constant = constant or form
        if main and constant and truth[main] != truth[constant] and not main.startswith('call'):
            yield Carrier(address, text, 'two places', [truth[main], truth[constant]])
        elif main or constant:
            patterns = CLASSES[cpu][main is not None]
            bare = re.sub(' *#.*', '', text) if cpu == 'x86_64' else text
            kind = next(kind for pattern, kind in patterns if re.match(pattern, bare))
            form = main or constant
            if form.startswith('call'):
                kind = 'call'
            kind += ' of a variable' if form.startswith('glob') else ''
            kind += ', accessor' if form in accessors else ''
            yield Carrier(address, text, kind, [truth[form]])


def own_name(name):
    """The function's own name, which is all that is kept, since some readers tell it with scopes, parameters and
    result, some without: `u32 a::b(u32)::c<int>::f<2>(u32, d<3>) const` is f<2>."""
    name = re.sub(r' \[clone [^]]*\]| \(\.[^)]*\)| inlined at .*', '', name)
    name = name.replace('operator()', 'operator@').replace('long unsigned int', 'unsigned long')
    name = re.sub(r'\.(constprop|isra|part|cold|lto_priv)\.?[0-9]*', '', name)
    depth, start, end = 0, 0, None
    for i, c in enumerate(name):
        if c in '<({[':
            if c == '(' and depth == 0:
                end = i
            depth += 1
        elif c in '>)}]':
            depth -= 1
        elif depth == 0 and (c == ':' or (c == ' ' and end is None)):
            start, end = i + 1, None
    return name[start:end].replace('@', '()')


def frame(name, place):
    """As function, file without folder, and line."""
    file, _, line = place.partition(' ')[0].partition(':')
    return name, file.rpartition('/')[2], line.partition(':')[0]


def ask(addresses, *command):
    return subprocess.run(command, input=''.join('0x%s\n' % a for a in addresses), stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def ask_mlprof(addresses, mlprof, program):
    """The innermost frame at each address."""
    answers = ask(addresses, mlprof, '-where', program).splitlines()
    lines = [line.partition(': ')[2].partition(' < ')[0] for line in answers]
    return [frame(*line.rpartition(' ')[::2]) if ' ' in line else (line, '', '') for line in lines]


def ask_reader(addresses, *command):
    """Two lines a frame; before each address that itself, or behind it an empty line."""
    groups = re.split('\n\n|(?:^|\n)0x[0-9a-f]+\n', ask(addresses, *command))
    return [frame(own_name(lines[0]), lines[1]) for lines in (group.split('\n') for group in groups) if lines[0]]


def is_right(answer, carrier, of_mlprof):
    return answer[0] in [place.name if of_mlprof else place.plain for place in carrier.places]


def main(cpu, mlprof, language, level):
    list_of = list(carriers(sys.stdin.read(), cpu))
    if not list_of:
        sys.exit('answers.py: no instruction carries a constant')
    addresses = [carrier.address for carrier in list_of]
    tools = {'ccprof': ask_mlprof(addresses, mlprof, 'stripped.s'),
             'markers alone': ask_mlprof(addresses, mlprof, 'markers.s'),
             'addr2line': ask_reader(addresses, 'addr2line', '-e', 'debug', '-a', '-f', '-C', '-i')}
    if shutil.which('llvm-symbolizer'):
        tools['llvm-symbolizer'] = ask_reader(addresses, 'llvm-symbolizer', '--functions=short', '-e', 'debug')
    elif shutil.which('eu-addr2line'):
        tools['eu-addr2line'] = ask_reader(addresses, 'eu-addr2line', '-e', 'debug', '-a', '-f', '-C', '-i')
    better = list(tools)[-1]
    with open('results', 'w') as results, open('misses', 'w') as misses:
        for tool, answers in tools.items():
            of_mlprof = tool in ('ccprof', 'markers alone')
            if len(answers) != len(list_of):
                sys.exit('answers.py: %s did not answer every address' % tool)
            sums = collections.defaultdict(lambda: [0, 0, 0])
            for carrier, answer in zip(list_of, answers):
                row = sums[carrier.kind]
                row[0] += 1
                row[1] += is_right(answer, carrier, of_mlprof)
                row[2] += answer[1:] in [(place.file, place.line) for place in carrier.places]
            for kind, row in sums.items():
                results.write('\t'.join([level, language, tool, kind] + list(map(str, row))) + '\n')
        for carrier, answer, other in zip(list_of, tools['ccprof'], tools[better]):
            if not is_right(answer, carrier, True):
                says = ('is right' if is_right(other, carrier, False) else
                        'says the same' if other[1:] == answer[1:] else 'says %s %s:%s' % other)
                misses.write('0x%s (%s) %s: expected %s %s:%s, got %s %s:%s; %s %s\n' % (
                    carrier.address, carrier.kind, carrier.text, carrier.places[0].name, carrier.places[0].file,
                    carrier.places[0].line, *answer, better, says))


main(*sys.argv[1:])
