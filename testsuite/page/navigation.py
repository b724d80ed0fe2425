# SPDX-License-Identifier: GPL-3.0-or-later
"""What is around the views: the bar that leads to them, keys of all views, and what old browsers are told."""

import re

import inside
from check import equal


def bar(browser):
    return browser.each('nav > :not([hidden])', '[e.offsetTop, e.textContent]')


def look_at_bar(browser, ray):
    """The bar of views has one line, whatever the title and the window leave it."""
    titles = 'Object.values(page.views).map(view => view.title)'
    browser.open('marks-time.html')
    equal('all views fit', [name for _, name in bar(browser)], browser.evaluate(titles))
    browser.open(ray.page)
    names = browser.evaluate("""(function () {
        document.getElementById('title').textContent = 'a long title: compared with another one, 20 runs';
        page.views.difference = {title: 'Difference', show: () => undefined};
        document.getElementById('views').replaceChildren();
        page.navigation_make();
        page.navigation_fit();
        page.render();
        return %s;
    })()""" % titles)
    # It has been changed: who wants it next loads it anew.
    browser.page = None
    equal('in one line', len({top for top, _ in bar(browser)}), 1)
    fits = browser.evaluate('(views => views.scrollWidth <= views.clientWidth)(document.getElementById("views"))')
    menu = browser.texts('#more option')
    equal('the others in a menu', [fits, menu[0], sorted(menu[1:] + [name for _, name in bar(browser)[:-1]])],
          [True, 'more', sorted(names)])
    browser.evaluate("""(function () {
        const more = document.getElementById('more');
        more.value = 'treemap';
        more.dispatchEvent(new Event('change'));
        document.getElementById('title').dataset.whole = 'a_program_whose_name_is_much_too_long_for_the_bar';
        page.title_fit();
    })()""")
    equal('which lead there', [browser.state('view'), browser.evaluate('more.selectedOptions[0].textContent'),
                               browser.count('nav > [aria-current]:not([hidden])')], ['treemap', 'Tree map', 1])
    equal('a name that is too long loses its middle',
          bool(re.fullmatch('a_prog\\w*\u2026\\w*the_bar', browser.texts('#title')[0])), True)


def look_at_keys(browser, ray):
    browser.open(ray.page)
    browser.key('?')
    equal('the help', browser.evaluate('document.getElementById("sheet").open'), True)
    browser.key('Escape')
    browser.evaluate('document.getElementById("sheet").close()')
    dark = browser.evaluate('document.body.classList.contains("dark")')
    browser.key('t')
    equal('dark is light', browser.evaluate('document.body.classList.contains("dark")'), not dark)
    browser.key('t')


def look_in_older_browsers(browser, ray):
    """Browsers of before 2023 are told what they cannot do, those that have no modules, too."""
    def without_streams(text):
        return inside.in_older_browser(text, True)

    def without_modules(text):
        return inside.in_older_browser(text, False)
    for change in without_streams, without_modules:
        browser.page = None
        browser.load('about:blank')
        browser.load('file://' + browser.copy(ray.page, change))
        browser.wait('document.readyState === "complete"')
        browser.wait_frame()
        equal(change.__name__, browser.texts('#main'), ['Error: this browser cannot decompress data; '
                                                        'Chromium 80, Firefox 113, Safari 16.4 and later ones can'])
        equal('no more',
              browser.evaluate('[document.body.dataset.ready || "", document.getElementById("title").textContent]'),
              ['', ''])
