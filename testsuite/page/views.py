# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks around in a page of the ray tracer as a person would: views.py PAGE MLPROF PROGRAM DATA MISSING
PAGE PROGRAM DATA PAGE DATA: MISSING is a page of a program whose source is gone, the last five are for times.py.
What it finds must agree with the tables of mlprof, and with itself."""

import json
import os
import re
import sys

import contrast
import counts
import dials
import fortran
import inside
import lists
import marks
import sources
import times
import transforms
import trees
from browser import window
from looks import equal, heads_told, number_of, percent, state, summary
from ray import Ray

ray, timed = Ray(*sys.argv[1:6]), sys.argv[6:9]
seldom, seldom_data = sys.argv[9:]


def try_summary(browser, ray):
    equal('how the program was started', browser.evaluate("""document.getElementById('notes').textContent.split('\\n')[0].split('; ')[1]"""),
          'started as: ./prog 300 3')
    equal('the foot is seen from its first line', browser.evaluate('document.getElementById("notes").firstChild && '
          '(range => { range.selectNodeContents(notes); return range.getBoundingClientRect().top >= notes.getBoundingClientRect().top; })(document.createRange())'), True)
    functions = ray.table()
    most = max(functions.values(), key=lambda row: int(row['samples']))
    equal('the first row', summary(browser)[0], (most['function'], percent(most['share'])))
    tip = browser.evaluate('''(function () {
        const heads = Array.from(document.querySelectorAll('#summary th'), e => e.dataset.sort), row = document.querySelector('#summary tr[data-row]');
        return ['stack', 'amount'].map(id => row.cells[heads.indexOf(id)].title);
    })()''')
    seconds = sum(int(row['time_ns']) for row in functions.values()) / 1e9
    equal('the ranges of stack and of seconds', tip, ['95%% range %.1f-%.1f%%' % tuple(100 * float(most['stack_share_' + end]) for end in ('least', 'most')),
          '95%% range %.2f-%.2f s' % tuple(seconds * float(most['share_' + end]) for end in ('least', 'most'))])
    with open(os.path.join(os.path.dirname(__file__), '../../doc/mlprof.schema.json'), encoding='utf-8') as schema:
        columns = json.load(schema)['properties']['groups']['items']['properties']
    tips = browser.evaluate("Object.fromEntries(Array.from(document.querySelectorAll('#summary th'), e => [e.dataset.sort, e.title.split('; a click')[0]]))")
    equal('tips of heads that mlprof has, too', {name: tips[name] for name in ('cur', 'stack', 'calls')},
          {name: columns[of]['description'] for name, of in (('cur', 'share'), ('stack', 'stack_share'))} |
          {'calls': 'how often it was called, or what it is was executed'})
    heads_told(browser)
    equal('heights of rows', browser.evaluate('''Array.from(new Set(Array.from(
        document.querySelectorAll('#summary tr[data-row]'), e => e.getBoundingClientRect().height)))'''), [24])
    browser.click('th[data-sort=calls]')
    most = max(functions.values(), key=lambda row: int(row['calls'] or 0))
    equal('sorted by calls', summary(browser)[0][0], most['function'])
    browser.click('th[data-sort=name]')
    equal('sorted by name', [name for name, _ in summary(browser)][:5], sorted(functions)[:5])
    browser.evaluate('history.back()')
    browser.wait('page.state.sort === "calls"')
    equal('back', summary(browser)[0][0], most['function'])
    browser.key('/')
    browser.type('vec_')
    equal('filtered', sorted(name for name, _ in summary(browser)), sorted(n for n in functions if 'vec_' in n))
    browser.evaluate('document.getElementById("search").value = ""')
    browser.type('/^box_(hit|slab)$/')
    equal('by a regular expression', sorted(name for name, _ in summary(browser)), ['box_hit', 'box_slab'])
    equal('nothing is wrong with it', browser.evaluate('document.getElementById("wrong").hidden'), True)
    address = browser.evaluate('location.hash')
    browser.evaluate('page.go({search: "/box_("})')
    equal('what is wrong is told', browser.texts('#wrong:not([hidden])')[0].startswith('nothing matches: '), True)
    browser.open(ray.page, address)
    equal('the address again', sorted(name for name, _ in summary(browser)), ['box_hit', 'box_slab'])
    browser.open(ray.page)
    browser.click('button[data-of=modules]')
    # A sample may be in libc.
    equal('modules', [share for _, share in summary(browser)], [percent(row['share']) for row in ray.rows_of('-by', 'module')])
    browser.evaluate('page.go({of: "functions"})')


def try_callers(browser, ray):
    browser.open(ray.page, '#view=callers&f=' + number_of(browser, 'blocked_below'))
    callers = {}
    total = sum(int(row['samples']) for row in ray.table().values())
    for row in ray.rows_of('-callers', '^blocked_below'):
        callers[row['caller'] or '<outside>'] = (percent(int(row['samples']) / total), '{:,}'.format(int(row['calls'])) if row['calls'] else '-')
    rows = browser.evaluate('''Array.from(document.querySelectorAll('.split > div:first-child tbody tr'), row =>
        Array.from(row.cells, c => c.textContent))''')
    equal('callers', {row[2]: (row[0], row[1]) for row in rows}, callers)
    browser.click('.split > div:first-child tbody tr:last-child')
    equal('gone to the caller', browser.evaluate('page.profile().name(Number(page.state.f))'), rows[-1][2])


def try_graph(browser, ray):
    browser.open(ray.page, '#view=graph&least=0&f=' + number_of(browser, 'blocked_below'))
    callers = {row['caller'] for row in ray.rows_of('-callers', '^blocked_below') if row['caller']}
    shown = set(browser.evaluate('''Array.from(document.querySelectorAll('#graph g.box'),
        g => page.profile().name(Number(g.dataset.f)))'''))
    equal('callers in the graph', sorted(callers & shown), sorted(callers))
    before = len(shown)
    browser.evaluate('page.go({least: "10"})')
    shown = browser.evaluate('''Array.from(document.querySelectorAll('#graph g.box'),
        g => page.profile().name(Number(g.dataset.f)))''')
    equal('fewer from 10 % on', len(shown) < before, True)
    stack = ray.table()
    small = [name for name in shown if float(stack[name]['stack_share']) < 0.1]
    equal('none of them less', small, [])
    name = next(n for n in shown if n != 'blocked_below')
    browser.click('#graph g.box[data-f="%s"]' % number_of(browser, name))
    equal('gone to', browser.evaluate('page.profile().name(Number(page.state.f))'), name)


def try_edges(browser, page, f, least):
    """Each arrow has its figures, and no box lies on one."""
    browser.open(page, '#view=graph&least=%s&f=%s' % (least, f))
    arrows = browser.evaluate('''Array.from(document.querySelectorAll('#graph .arrow'), path => {
        const length = path.getTotalLength(), points = Array.from({length: 101}, (_, i) => path.getPointAtLength(i * length / 100));
        const boxes = Array.from(document.querySelectorAll('#graph g.box'), g => [g, g.transform.baseVal[0].matrix, g.firstChild.getBBox()]);
        const is = other => other.dataset.from === path.dataset.from && other.dataset.to === path.dataset.to;
        return [page.profile().label(Number(path.dataset.from)) + ' ' + page.profile().label(Number(path.dataset.to)),
            path.textContent.split(': ').pop().split(', ').map(text => text.replace(/ calls.*/, '')),
            Array.from(document.querySelectorAll('#graph text.figure')).filter(is).map(text => text.textContent.replace('~', '')),
            boxes.filter(([, at, box]) => points.some(p => p.x > at.e + 1 && p.x < at.e + box.width - 1 && p.y > at.f + 1 && p.y < at.f + box.height - 1))
                .map(([g]) => page.profile().label(Number(g.dataset.f)))];
    })''')
    equal('several arrows', len(arrows) > 4, True)
    # Of counts alone the calls are all.
    equal('their figures', {name: shown for name, told, shown, _ in arrows if not shown or shown not in (told, told[1:])}, {})
    equal('boxes on arrows', {name: boxes for name, _, _, boxes in arrows if boxes}, {})


def try_names(browser):
    for name, room, want in (('engine::storage::Index<std::string, double>::remove_everything.lambda', 40, 'engine::\u2026uble>::remove_everything.lambda'),
                             ('std::__unguarded_partition<std::iterator<double*>, std::vector<double>>', 40, 'std::__unguarded_partition<std::i\u2026uble>>'),
                             ('std::__unguarded_partition<std::iterator<double*>>', 24, '__unguarded_partition'), ('main', 8, 'main'),
                             ('read_the_first_table_of_all', 14, 'read_th\u2026of_all')):
        equal('%s in %d, cut in the middle' % (name, room), browser.evaluate('page.shorten_middle(%s, %d)' % (json.dumps(name), room)), want)
    for name, room, want in (('std::map<int, std::pair<a, b>>::operator[]', 12, 'operator[]'),
                             ('std::map<int, std::pair<a, b>>::operator[]', 15, 'map::operator[]'),
                             ('std::map<int>::operator<', 15, 'map::operator<'), ('std::map<int>::operator<', 12, 'operator<'),
                             ('main.lambda (t.cc:22)', 12, 'main.lambda\u2026'),
                             ('shop::Stock::sort.lambda', 18, 'Stock::sort.lambda'), ('shop::Stock::sort.lambda', 12, 'sort.lambda'),
                             ('field_types.saturation_pressure', 25, 'saturation_pressure'), ('solver.step.laplacian', 15, 'step.laplacian'),
                             ('json::(anonymous namespace)::Parser::value', 20, 'Parser::value'),
                             ('(anonymous namespace)::add(int, (anonymous namespace)::list)', 12, 'add(int, (a\u2026'),
                             ('a::b::operator->', 13, 'b::operator->'), ('f<int>', 3, 'f'), ('<outside>', 5, '<out\u2026'),
                             ('std::function<double (int)>::operator()', 40, 'std::function<double (int)>::operator()')):
        equal('%s in %d' % (name, room), browser.evaluate('page.shorten(%s, %d)' % (json.dumps(name), room)), want)


def try_fit(browser, ray):
    """Names that their cells have no room for are told apart."""
    browser.open(ray.page)
    names = ['std::__new_allocator<std::pair<std::string const, long>>::' + end for end in ('allocate', 'deallocate')]
    got = browser.evaluate("""(function () {
        const rows = %s.map(name => page.make('tr', {}, page.make('td', {'class': 'name function'}, name), page.make('td', {'class': 'name'}, name)));
        const table = page.make('table', {}, page.make('tbody', {}, ...rows));
        table.style.width = '440px';
        document.getElementById('main').replaceChildren(table);
        page.fit_names(document.getElementById('main'));
        return rows.map(row => [row.cells[0].textContent.replace(/.*(?=_new)/, ''), row.cells[0].title, row.cells[0].scrollWidth <= row.cells[0].clientWidth, row.cells[1].title]);
    })()""" % json.dumps(names))
    equal('names that fit', got, [['_new_allocator::allocate', names[0], True, ''], ['_new_allocator::deallocate', names[1], True, '']])
    # Instances of a template, with a place behind them: all that they give up is alike.
    names = ['eng::NodeC<eng::Bin<std::%s<void>>>::clone' % of for of in ('plus', 'minus', 'multiplies')]
    got = browser.evaluate("""(function () {
        const rows = %s.map(name => page.make('tr', {}, page.make('td', {'class': 'name function'}, name, page.make('span', {}, '  engine.hpp:54'))));
        const table = page.make('table', {}, page.make('tbody', {}, ...rows));
        table.style.width = '190px';
        document.getElementById('main').replaceChildren(table);
        page.fit_names(document.getElementById('main'));
        return rows.map(row => [row.cells[0].firstChild.data, row.cells[0].title, row.cells[0].scrollWidth <= row.cells[0].clientWidth]);
    })()""" % json.dumps(names))
    equal('whole ones in the tip', [row[1:] for row in got], [[name, True] for name in names])
    equal('their own names', [text[-7:] for text, *_ in got], ['::clone'] * 3)
    equal('what tells them apart', len({text for text, *_ in got}), 3)


def try_fit_tree(browser, ray):
    """In a tree, names behind an indentation fit, too, and their ends are seen where the middle is cut."""
    browser.open(ray.page)
    names = ['std::__new_allocator<std::pair<std::string const, long>>::' + end for end in ('allocate', 'deallocate')]
    names += ['read_the_table_of_all_functions_with_the_name_%s' % end for end in ('before', 'after')]
    got = browser.evaluate("""(function () {
        const rows = %s.map(name => page.make('tr', {}, page.make('td', {'class': 'tree function middle'}, ' '.repeat(20) + '\u25b8 ', name)));
        const table = page.make('table', {}, page.make('tbody', {}, ...rows));
        table.style.width = '400px';
        document.getElementById('main').replaceChildren(table);
        page.fit_names(document.getElementById('main'));
        return rows.map(row => [row.cells[0].firstChild.data, row.cells[0].lastChild.data, row.cells[0].title, row.cells[0].scrollWidth <= row.cells[0].clientWidth]);
    })()""" % json.dumps(names))
    equal('what is in front of names', {front for front, *_ in got}, {' ' * 20 + '\u25b8 '})
    equal('names are cut', ['\u2026' in shown for _, shown, *_ in got], [True] * 4)
    equal('ends of names', [re.search(r'::\w+$|_[a-z]*$', shown).group() for _, shown, *_ in got], ['::allocate', '::deallocate', '_before', '_after'])
    equal('they fit, and the tip has them', [row[2:] for row in got], [[name, True] for name in names])


def try_legend(browser, ray):
    """A legend has no text twice."""
    browser.open(ray.page)
    names = (['eng::Mat<double, %dul, %dul>::operator*<%dul>' % (n, n, n) for n in (6, 5, 4)] +
             ['std::make_unique<eng::Bin<std::%s<void>>, eng::Bin<std::%s<void>> const&>' % (of, of) for of in ('plus', 'minus')] +
             ['a::table<%s, std::allocator<std::pair<int, int>>, true>::probe' % of for of in ('int', 'char', 'char*')])
    got = browser.evaluate("""(function (names) {
        const model = {name: f => names[f], full: f => names[f]};
        const legend = page.time_legend(model, {hot: names.map((_, f) => f), rank: new Map(), chosen: 3});
        return [Array.from(legend.querySelectorAll('button'), e => [e.textContent, e.title]), legend.lastChild.textContent];
    })(%s)""" % json.dumps(names))
    equal('the legend', [text for text, _ in got[0]], [
        '\u2026l, 6ul>::operator*<6ul>', '\u2026l, 5ul>::operator*<5ul>', '\u2026l, 4ul>::operator*<4ul>',
        'make_unique\u2026plus<void>>\u2026', 'make_unique\u2026minus<void>\u2026',
        '\u2026int, std::alloc\u2026::probe', '\u2026char, std::allo\u2026::probe', '\u2026char*, std::all\u2026::probe'])
    equal('the whole names', [title for _, title in got[0]], names)
    equal('the line', got[1], 'line: ' + got[0][3][0] + ' on the stack')


def try_numbers(browser):
    for value in 6.25, 6.35, 31.25, 0.05, 18.75, 0.25, 100, 0.125, 2.5:
        for digits in 0, 1, 2:
            if browser.evaluate('page.fixed_text(%r, %d)' % (value, digits)) != '%.*f' % (digits, value):
                sys.exit('%r with %d decimals is %s' % (value, digits, browser.evaluate('page.fixed_text(%r, %d)' % (value, digits))))
    print('numbers are rounded as C does')


def try_navigation(browser, ray):
    """The bar of views has one line, whatever the title and the window leave it."""
    def bar():
        return browser.evaluate("""Array.from(document.querySelectorAll('nav > :not([hidden])'), e => [e.offsetTop, e.textContent])""")
    titles = 'Object.values(page.views).map(view => view.title)'
    browser.open('marks-time.html')
    equal('all views fit', [name for _, name in bar()], browser.evaluate(titles))
    browser.open(ray.page)
    names = browser.evaluate(titles)
    browser.evaluate("""(function () {
        document.getElementById('title').textContent = 'a long title: compared with another one, 20 runs';
        page.views.difference = {title: 'Difference', show: () => undefined};
        document.getElementById('views').replaceChildren();
        page.navigation_make();
        page.navigation_fit();
        page.render();
    })()""")
    equal('in one line', len({top for top, _ in bar()}), 1)
    browser.evaluate("""(function () {
        document.getElementById('title').dataset.whole = 'a_program_whose_name_is_much_too_long_for_the_bar';
        page.title_fit();
    })()""")
    equal('a name that is too long loses its middle', bool(re.fullmatch('a_prog\\w*\u2026\\w*the_bar', browser.texts('#title')[0])), True)
    inside = browser.evaluate('document.getElementById("views").scrollWidth <= document.getElementById("views").clientWidth')
    menu = browser.texts('#more option')
    equal('the others in a menu', [inside, menu[0], sorted(menu[1:] + [name for _, name in bar()[:-1]])], [True, 'more', sorted(names + ['Difference'])])
    browser.evaluate("""(function () {
        const more = document.getElementById('more');
        more.value = 'treemap';
        more.dispatchEvent(new Event('change'));
    })()""")
    equal('which lead there', [state(browser, 'view'), browser.evaluate('document.getElementById("more").selectedOptions[0].textContent'),
          browser.evaluate('document.querySelectorAll("nav > [aria-current]:not([hidden])").length')], ['treemap', 'Tree map', 1])


def try_habits(browser):
    browser.key('?')
    equal('the help', browser.evaluate('document.getElementById("sheet").open'), True)
    browser.key('Escape')
    browser.evaluate('document.getElementById("sheet").close()')
    dark = browser.evaluate('document.body.classList.contains("dark")')
    browser.key('t')
    equal('dark is light', browser.evaluate('document.body.classList.contains("dark")'), not dark)


def try_older(browser, ray):
    """Browsers of before 2023 are told what they cannot do, those that have no modules, too."""
    def without_streams(text):
        return inside.in_older_browser(text, True)

    def without_modules(text):
        return inside.in_older_browser(text, False)
    for change in without_streams, without_modules:
        browser.load('about:blank')
        browser.load('file://' + browser.copy(ray.page, change))
        browser.wait('document.readyState === "complete"')
        browser.wait_frame()
        equal(change.__name__, browser.texts('#main'), ['Error: this browser cannot decompress data; '
                                                        'Chromium 80, Firefox 113, Safari 16.4 and later ones can'])
        equal('no more', browser.evaluate('[document.body.dataset.ready || "", document.getElementById("title").textContent]'), ['', ''])


with window() as browser:
    try_navigation(browser, ray)
    browser.open(ray.page)
    try_summary(browser, ray)
    sources.try_source(browser, ray)
    sources.try_assembly(browser, ray)
    sources.try_metrics(browser, ray)
    sources.try_executed(browser, ray)
    sources.try_files(browser)
    sources.try_words(browser, ray)
    trees.try_flame(browser, ray)
    try_callers(browser, ray)
    trees.try_found(browser, ray)
    trees.try_matched(browser, ray)
    trees.try_areas(browser, ray)
    try_graph(browser, ray)
    for name in 'blocked_below', 'trace', 'scene_hit':
        browser.open(ray.page)
        try_edges(browser, ray.page, number_of(browser, name), 0)
    browser.open('queens.html')
    try_edges(browser, 'queens.html', number_of(browser, 'try_column'), 1)
    browser.open(ray.page)
    transforms.try_transforms(browser, ray)
    transforms.try_groups(browser, ray)
    transforms.try_hidden(browser, ray)
    try_names(browser)
    try_fit(browser, ray)
    try_fit_tree(browser, ray)
    try_legend(browser, ray)
    sources.try_ends(browser)
    try_numbers(browser)
    try_habits(browser)
    try_older(browser, ray)
    dials.try_dials(browser)
    dials.try_source(browser)
    dials.try_queens(browser)
    counts.try_counts(browser)
    contrast.try_contrast(browser, ray.page, '', '#of=lines', '#view=source', '#view=callers', '#view=tree')
    contrast.try_contrast(browser, 'queens.html', '#view=source', '#view=dials', '#view=branches')
    contrast.try_contrast(browser, 'marks.html', '#view=source')
    # Lines that are coloured as a whole.
    contrast.try_contrast(browser, 'queens.html', '#view=source&by=calls')
    if os.path.exists('strings.html'):
        lists.try_lists(browser, ray.mlprof)
    if os.path.exists('heat.html'):
        fortran.try_fortran(browser)
    marks.try_marks(browser)
    times.look(browser, *timed)
    times.look_at_nothing(browser, seldom, timed[1], seldom_data)
    equal('complaints of the browser', browser.complaints(), [])
