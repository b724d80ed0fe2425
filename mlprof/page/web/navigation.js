// The list of the views, and the keys that work in all views. The bar has one line. If there is no
// room for all views, the bar ends with a menu of the views that are used least. Each view handles
// its own keys.

import {button_make, make, menu_make, table_plain} from './elements.js';
import {go, profile, show_again, state} from './state.js';
import {measure_go, measures_for, measures_next} from './measures.js';
import {summary_view} from './summary.js';
import {compare_view} from './compare.js';
import {growth_view} from './growth.js';
import {dials_view} from './callsites.js';
import {branches_view} from './lists.js';
import {source_view} from './source.js';
import {flame_view, inverted_view} from './flame.js';
import {bottom_view, tree_view} from './tree.js';
import {treemap_view} from './treemap.js';
import {callers_view, graph_view} from './callers.js';
import {time_view} from './time.js';
import {load_view} from './load.js';
import {regions_view} from './regions.js';
import {tracks_view} from './tracks.js';
import {heap_view} from './heap.js';
import {changetree_view, difference_view} from './difference.js';
import {transforms_of} from './transforms.js';
import {groups_next, transforms_add, transforms_chosen, transforms_set} from './transformbar.js';

// Each view has a title, a key, and a function SHOW, which fills an element and may return a key
// handler. Optional: ONLY says whether the data has something for the view, and NEEDS names a
// property that its measure must have (measures.js).
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

// If there is no room in the bar, views move to the menu in this order.
const NAVIGATION_RARE = (
    'treemap bottom inverted graph dials branches tree callers heap time ' +
    'flame changetree difference growth load tracks regions source'
).split(' ');

// Removes the views for which the page has no data.
export function navigation_remove_empty() {
    for (const [name, view] of Object.entries(views))
        if (!measures_for(view).length)
            delete views[name];
}

// Shows a view. If the view needs other data, chooses the first measure that it can show.
function view_go(name) {
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

// Marks the current view.
export function navigation_update(shown) {
    const more = document.getElementById('more');
    for (const button of document.querySelectorAll('nav button'))
        button.toggleAttribute('aria-current', views[button.dataset.view] === shown);
    const option = Array.from(more.options).find(
        other => other.value && views[other.value] === shown
    );
    more.value = option ? option.value : '';
    more.toggleAttribute('aria-current', Boolean(option));
}

const KEYS = [
    [
        '0 to 9',
        'the views; s the call sites, j the branches, w the regions, k ' +
            'their calls in time order, o the load of ranks or threads, v the heap, and of ' +
            'comparisons ' +
            'c, d, e and g, too',
    ],
    ['/', 'filter'],
    ['n, N', 'the next line of the source that the filter finds, the one before'],
    ['m, M', 'the next hottest line of the source, by what colours it, the one before'],
    ['t', 'dark or light'],
    ['f, i, h', 'focus on the chosen function, ignore stacks with it, make it part of its callers'],
    ['r', 'recursion as one'],
    [
        'arrows, with Shift',
        'in the view of time: along it or its range; choose one, move its end; ' +
            'Escape takes it back',
    ],
    [
        'arrows, Enter, + -, comma, full stop',
        'in the view of tracks: along the calls; zoom to one; closer and farther; ' +
            'before and behind; with Shift choose a range; Escape takes back',
    ],
    [
        'Left, Right, with Shift',
        'in the view of the heap: along its time or its range; choose one, move its end; ' +
            'Escape takes it back',
    ],
    ['l', 'libraries out of the stacks'],
    ['b', 'functions put together by file, class, module'],
    ['z', 'the next measure: time, calls, memory'],
    ['u', 'take the last of these back'],
    ['arrows, Enter', 'along the rows, open; in a tree Right opens, Left closes'],
    [
        'arrows',
        'in a flame graph: up to the caller, down to the first callee, to those ' +
            'beside; Enter zooms, Escape shows all, and again takes the cursor away',
    ],
    ['a', 'the machine code beside the source'],
    ['Escape', 'all of the flame graph; out of the filter, and none'],
    ['Enter', 'out of the filter'],
    ['Tab, arrows', 'to the dials of call sites, turn one'],
    ['Backspace, Alt+Left', 'back'],
    ['?', 'this list'],
];

export function keys_help() {
    const sheet = document.getElementById('sheet');
    sheet.replaceChildren(table_plain({class: 'keys'}, undefined, KEYS));
    if (sheet.open)
        sheet.close();
    else
        sheet.showModal();
}

export function dark_toggle() {
    document.body.classList.toggle('dark');
    show_again();
}

// Returns whether a key was pressed in the filter or in the name of a range. In these fields
// letters are text. Escape and Enter leave the field.
function keys_in_field(event) {
    const {target, key} = event;
    if (target.id !== 'search' && target.id !== 'range')
        return false;
    if (key !== 'Escape' && key !== 'Enter')
        return true;
    target.blur();
    if (target.id === 'search' && key === 'Escape')
        go({search: ''}, true);
    return true;
}

// Handles a key. VIEW_KEYS, if given, is the key handler of the view; it returns whether it has
// handled the key.
export function keys_pressed(event, view_keys) {
    const key = event.key;
    if (keys_in_field(event) || event.ctrlKey || event.altKey || event.metaKey)
        return;
    const found = Object.keys(views).find(name => views[name].key === key);
    if (found)
        view_go(found);
    else if (key === '/')
        document.getElementById('search').focus();
    else if (key === '?')
        keys_help();
    else if (key === 't')
        dark_toggle();
    else if ('fih'.includes(key))
        transforms_chosen('+-.'['fih'.indexOf(key)]);
    else if (key === 'r' || key === 'l')
        transforms_add(key);
    else if (key === 'b')
        groups_next();
    else if (key === 'z')
        measures_next();
    else if (key === 'u')
        transforms_set(transforms_of(state).slice(0, -1));
    else if (view_keys && view_keys(event)) /* done */ ;
    else if (key === 'Escape')
        go({zoom: 0});
    else if (key === 'Backspace')
        history.back();
    else
        return;
    event.preventDefault();
}
