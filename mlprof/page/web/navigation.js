// The list of the views, and the bar of them in one line. If there is no room for all, those that
// are asked for least are in a menu at its end.

import {button_make, make, menu_make} from './elements.js';
import {go, profile} from './state.js';
import {measure_go, measures_for} from './measures.js';
import {summary_view} from './summary.js';
import {compare_view} from './compare.js';
import {growth_view} from './growth.js';
import {dials_view} from './callsites.js';
import {allocations_view, branches_view} from './lists.js';
import {source_view} from './source.js';
import {flame_view, inverted_view} from './flame.js';
import {bottom_view, tree_view} from './tree.js';
import {treemap_view} from './treemap.js';
import {callers_view} from './callers.js';
import {graph_view} from './callgraph.js';
import {time_view} from './time.js';
import {load_view} from './load.js';
import {regions_view} from './regions.js';
import {tracks_view} from './tracks.js';
import {heap_view} from './heap.js';
import {changetree_view, difference_view} from './difference.js';

// Each view has a title, a key, and a function SHOW, which fills an element and may return a
// function for keys. If there is one, ONLY says whether data have something for the view, and NEEDS
// of what a measure must be known (measures.js).
export const views = Object.assign(Object.create(null), {
    summary: summary_view,
    source: source_view,
    flame: flame_view,
    inverted: inverted_view,
    tree: tree_view,
    bottom: bottom_view,
    callers: callers_view,
    treemap: treemap_view,
    graph: graph_view,
    dials: dials_view,
    branches: branches_view,
    allocations: allocations_view,
    heap: heap_view,
    time: time_view,
    load: load_view,
    compare: compare_view,
    growth: growth_view,
    regions: regions_view,
    tracks: tracks_view,
    difference: difference_view,
    changetree: changetree_view,
});

// The views in the order in which they give way.
const NAVIGATION_RARE = (
    'treemap bottom inverted graph dials branches allocations tree callers heap time ' +
    'flame changetree difference growth load tracks regions source'
).split(' ');

// Removes the views that the page has nothing for.
export function navigation_only() {
    for (const [name, view] of Object.entries(views))
        if (!measures_for(view).length)
            delete views[name];
}

// Shows a view; one that is of another page of data with its first measure.
export function view_go(name) {
    const {data} = profile();
    const [first] = measures_for(views[name]);
    if (views[name].only && !views[name].only(data))
        measure_go(first.word, {view: name});
    else
        go({view: name, zoom: 0});
}

export function navigation_make() {
    const buttons = Object.entries(views).map(([name, view]) =>
        button_make(() => view_go(name), {'data-view': name, title: view.key}, view.title)
    );
    const more = menu_make(view_go, {id: 'more', title: 'more views', hidden: true}, []);
    document.getElementById('views').append(...buttons, more);
}

export function navigation_fit() {
    const nav = document.getElementById('views');
    const more = document.getElementById('more');
    const buttons = Array.from(nav.querySelectorAll('button'));
    for (const button of buttons)
        button.hidden = false;
    more.hidden = true;
    more.replaceChildren(make('option', {value: '', disabled: true}, 'more'));
    for (const name of NAVIGATION_RARE) {
        const button = buttons.find(other => other.dataset.view === name);
        if (nav.scrollWidth <= nav.clientWidth)
            break;
        if (!button)
            continue;
        button.hidden = true;
        more.hidden = false;
        const hidden = buttons.filter(other => other.hidden);
        more.replaceChildren(
            more.options[0],
            ...hidden.map(other => make('option', {value: other.dataset.view}, other.textContent))
        );
    }
}

// Marks the view that is shown.
export function navigation_mark(shown) {
    const more = document.getElementById('more');
    for (const button of document.querySelectorAll('nav button'))
        button.toggleAttribute('aria-current', views[button.dataset.view] === shown);
    const option = Array.from(more.options).find(
        other => other.value && views[other.value] === shown
    );
    more.value = option ? option.value : '';
    more.toggleAttribute('aria-current', Boolean(option));
}
