# SPDX-License-Identifier: GPL-3.0-or-later
"""How long names are shortened, in tables, trees and legends, and how numbers are rounded."""

import json
import re

from check import equal

ELLIPSIS = '\u2026'
CALLS = [
    # The function, its arguments, what comes of it.
    ('shorten_middle', ('engine::storage::Index<std::string, double>::remove_everything.lambda', 40),
     'engine::\u2026uble>::remove_everything.lambda'),
    ('shorten_middle', ('std::__unguarded_partition<std::iterator<double*>, std::vector<double>>', 40),
     'std::__unguarded_partition<std::i\u2026uble>>'),
    ('shorten_middle', ('std::__unguarded_partition<std::iterator<double*>>', 24), '__unguarded_partition'),
    ('shorten_middle', ('read_the_first_table_of_all', 14), 'read_th\u2026of_all'),
    ('shorten', ('std::map<int, std::pair<a, b>>::operator[]', 12), 'operator[]'),
    ('shorten', ('std::map<int, std::pair<a, b>>::operator[]', 15), 'map::operator[]'),
    ('shorten', ('std::map<int>::operator<', 12), 'operator<'),
    ('shorten', ('main.lambda (t.cc:22)', 12), 'main.lambda\u2026'),
    ('shorten', ('shop::Stock::sort.lambda', 18), 'Stock::sort.lambda'),
    ('shorten', ('field_types.saturation_pressure', 25), 'saturation_pressure'),
    ('shorten', ('json::(anonymous namespace)::Parser::value', 20), 'Parser::value'),
    ('shorten', ('(anonymous namespace)::add(int, (anonymous namespace)::list)', 12), 'add(int, (a\u2026'),
    ('shorten', ('a::b::operator->', 13), 'b::operator->'),
    ('shorten', ('f<int>', 3), 'f'),
    ('shorten', ('Box<int>::slab.<case true> (box.h:51)', 30), 'slab.<case true> (box.h:51)'),
    ('shorten', ('Box<int>::slab.<case true>', 12), 'slab.<case \u2026'),
    ('shorten', ('<outside>', 5), '<out\u2026'),
    ('shorten', ('std::function<double (int)>::operator()', 40), 'std::function<double (int)>::operator()'),
    ('groups_class', ('shop::Index<std::map<int, a::b>, V>::add',), 'shop::Index'),
    ('groups_class', ('std::operator<<<char>',), 'std'),
    ('groups_class', ('unsigned int std::__invoke<int (a::b)>(c::d)',), 'std'),
    ('groups_class', ('(anonymous namespace)::f',), '(anonymous namespace)'),
    ('groups_class', ('operator new',), ''),
    ('groups_class', ('x<y>::z<w>::f(a::b)',), 'x::z'),
    # As much of a path as tells files apart.
    ('places_names', (['/a/b/one.c', '/a/c/one.c', 'one.c', '/usr/two.h'],), ['b/one.c', 'c/one.c', 'one.c', 'two.h']),
    # Where what begins there in a line ends.
    ('places_end', ('if (a > (b)) c', 3), len('if (a > (b))')),
    ('places_end', ('near = 0', 0), len('near')),
    ('places_end', ('a + b', 2), len('a +')),
    ('places_end', ('f((x', 1), len('f((x')),
    # What may be code by its text.
    ('marks_code_lines', (['int x; // c', '/* a', 'b */ y();', '  }', '#if 0', 's = "/*"; z', '  // only', '/**/', '/* x */',
                      '/*/', 'k();', '*/', 'else', 'case 1: /* a */ f(); /* b', 'q */', 'c = \'"\';'], 'a.c', 1, 16),
     [1, 3, 6, 14, 16]),
]


def look_at_functions(browser, ray):
    browser.open(ray.page)
    got = browser.evaluate('%s.map(([name, words]) => page[name](...words))' % json.dumps([call[:2] for call in CALLS]))
    for (name, words, want), value in zip(CALLS, got):
        equal('%s of %s' % (name, words), value, want)
    # Numbers are rounded as C does.
    numbers = [(value, digits) for value in (6.25, 6.35, 31.25, 0.05, 18.75, 0.25, 100, 0.125, 2.5)
               for digits in (0, 1, 2)]
    equal('rounded',
          browser.evaluate('%s.map(([value, digits]) => page.fixed_text(value, digits))' % json.dumps(numbers)),
          ['%.*f' % (digits, value) for value, digits in numbers])


# What fit_names does to a table of so many pixels with a row for each name: the texts of the first cell, its tip,
# whether it has room, and the tip of the second cell, if there is one.
FIT = '''(function (names, width, front, cell, more) {
    const rows = names.map(name => page.make('tr', {}, page.make('td', {'class': cell}, ...front, name, ...more),
        page.make('td', {'class': 'name'}, name)));
    const table = page.make('table', {}, page.make('tbody', {}, ...rows));
    table.style.width = width + 'px';
    document.getElementById('main').replaceChildren(table);
    if (front.length || more.length) rows.forEach(row => row.cells[1].remove());
    page.fit_names(document.getElementById('main'));
    return rows.map(({cells: [cell, second]}) => [Array.from(cell.childNodes, part => part.textContent), cell.title,
        cell.scrollWidth <= cell.clientWidth, second ? second.title : '']);
})(%s, %d, %s, '%s', %s)'''
PLACE = "[page.make('span', {}, '  engine.hpp:54')]"


def look_at_cells(browser, ray):
    """Names that their cells have no room for are told apart."""
    browser.open(ray.page)

    def fit(names, width, front='[]', cell='name function', more='[]'):
        return browser.evaluate(FIT % (json.dumps(names), width, front, cell, more))
    ends = ['allocate', 'deallocate']
    names = ['std::__new_allocator<std::pair<std::string const, long>>::' + end for end in ends]
    equal('names that fit', [[re.sub('.*(?=_new)', '', parts[0]), *others] for parts, *others in fit(names, 440)],
          [['_new_allocator::' + end, name, True, ''] for end, name in zip(ends, names)])
    # In a tree, behind an indentation; the ends of names that are cut in the middle are seen.
    names += ['read_the_table_of_all_functions_with_the_name_%s' % end for end in ('before', 'after')]
    got = fit(names, 400, json.dumps([' ' * 20 + '\u25b8 ']), 'tree function middle')
    equal('what is in front of names', {parts[0] for parts, *_ in got}, {' ' * 20 + '\u25b8 '})
    equal('names are cut', [ELLIPSIS in parts[-1] for parts, *_ in got], [True] * 4)
    equal('ends of names', [re.search(r'::\w+$|_[a-z]*$', parts[-1]).group() for parts, *_ in got],
          ['::allocate', '::deallocate', '_before', '_after'])
    equal('they fit, and the tip has them', [row[1:3] for row in got], [[name, True] for name in names])
    # Instances of a template, with a place behind them: all that they give up is alike.
    names = ['eng::NodeC<eng::Bin<std::%s<void>>>::clone' % of for of in ('plus', 'minus', 'multiplies')]
    got = fit(names, 190, more=PLACE)
    equal('whole ones in the tip', [row[1:3] for row in got], [[name, True] for name in names])
    equal('their own names', [parts[0][-7:] for parts, *_ in got], ['::clone'] * 3)
    equal('what tells them apart', len({parts[0] for parts, *_ in got}), 3)


def look_at_legend(browser, ray):
    """A legend has no text twice."""
    browser.open(ray.page)
    names = (['eng::Mat<double, %dul, %dul>::operator*<%dul>' % (n, n, n) for n in (6, 5)] +
             ['std::make_unique<eng::Bin<std::%s<void>>, eng::Bin<std::%s<void>> const&>' % (of, of)
              for of in ('plus', 'minus')] +
             ['a::table<%s, std::allocator<std::pair<int, int>>, true>::probe' % of for of in ('int', 'char*')])
    shown, line = browser.evaluate("""(function (names) {
        const model = {name: f => names[f], full: f => names[f]};
        const legend = page.time_legend(model, {hot: names.map((_, f) => f), rank: new Map(), chosen: 2});
        const names_of = Array.from(legend.querySelectorAll('button'), e => [e.textContent, e.title]);
        return [names_of, legend.lastChild.textContent];
    })(%s)""" % json.dumps(names))
    equal('the legend', [text for text, _ in shown], [
        '\u2026l, 6ul>::operator*<6ul>', '\u2026l, 5ul>::operator*<5ul>',
        'make_unique\u2026plus<void>>\u2026', 'make_unique\u2026minus<void>\u2026',
        '\u2026int, std::alloc\u2026::probe', '\u2026char*, std::all\u2026::probe'])
    equal('the whole names', [title for _, title in shown], names)
    equal('the line', line, 'line: ' + shown[2][0] + ' on the stack')
