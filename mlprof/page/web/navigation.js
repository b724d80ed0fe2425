// The bar of views in one line: where there is no room for all of them, those that are asked for least
// are in a menu at its end.

// In this order they give way.
const NAVIGATION_RARE = ['treemap', 'bottom', 'inverted', 'graph', 'dials', 'tree', 'callers', 'time', 'flame', 'changetree', 'difference', 'growth', 'load', 'tracks', 'regions', 'source'];

page.navigation = function () {
    const nav = document.getElementById('views');
    nav.append(...Object.entries(page.views).map(([name, view]) => page.make('button', {'data-view': name, title: view.key,
        on: {click: () => page.go({view: name, zoom: 0})}}, view.title)),
    page.make('select', {id: 'more', title: 'more views', hidden: true, on: {change: event => page.go({view: event.target.value, zoom: 0})}}));
};

page.navigation_fit = function () {
    const nav = document.getElementById('views'), more = document.getElementById('more');
    const buttons = Array.from(nav.querySelectorAll('button')), hidden = () => buttons.filter(button => button.hidden);
    for (const button of buttons) button.hidden = false;
    more.hidden = true;
    more.replaceChildren(page.make('option', {value: '', disabled: true}, 'more'));
    for (const name of NAVIGATION_RARE) {
        const button = buttons.find(other => other.dataset.view === name);
        if (nav.scrollWidth <= nav.clientWidth) break;
        if (!button) continue;
        button.hidden = true;
        more.hidden = false;
        more.replaceChildren(more.options[0], ...hidden().map(other =>
            page.make('option', {value: other.dataset.view}, other.textContent)));
    }
};

// Which view is shown.
page.navigation_mark = function (shown) {
    const more = document.getElementById('more');
    for (const button of document.querySelectorAll('nav button'))
        button.toggleAttribute('aria-current', page.views[button.dataset.view] === shown);
    const option = Array.from(more.options).find(other => other.value && page.views[other.value] === shown);
    more.value = option ? option.value : '';
    more.toggleAttribute('aria-current', Boolean(option));
};
