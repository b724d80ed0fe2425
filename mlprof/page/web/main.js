// Opens the page: reads the data that mlprof has put into the file, and shows the view in the
// address. Whenever the address changes, shows its view again. This file has the list of the views
// and the keys that work in all views. The bar of the views has one line. If there is no room for
// all views, the bar ends with a menu of the views that are used least. Each view handles its own
// keys.

import {number_text} from './numbers.js';
import {fit_names, matcher_wrong, shorten_middle} from './names.js';
import {button_make, make, menu_make, table_plain, tip_show} from './elements.js';
import {transforms_of} from './transforms.js';
import {
    go,
    profile,
    show_again,
    state,
    state_default,
    state_on_change,
    state_read,
} from './state.js';
import {
    groups_menu,
    groups_next,
    groups_update,
    transforms_add,
    transforms_bar,
    transforms_chosen,
    transforms_set,
} from './transformbar.js';
import {
    measure_go,
    measure_unavailable,
    measures_apply,
    measures_for,
    measures_have_functions,
    measures_menu,
    measures_next,
    measures_note,
    measures_open,
    measures_update,
} from './measures.js';
import {summary_view} from './summary.js';
import {compare_view} from './compare.js';
import {growth_view} from './growth.js';
import {dials_view} from './callsites.js';
import {branches_view} from './lists.js';
import {source_view} from './source.js';
import {flame_view, inverted_view} from './flame.js';
import {bottom_view, tree_view} from './tree.js';
import {treemap_view} from './boxes.js';
import {callers_view, graph_view} from './callers.js';
import {time_view} from './time.js';
import {load_view} from './load.js';
import {regions_only, regions_view} from './regions.js';
import {tracks_view} from './tracks.js';
import {waits_view} from './waits.js';
import {heap_view} from './heap.js';
import {changetree_view, difference_view} from './difference.js';

// Each view has a title, a key, and a function SHOW, which fills an element and may return a key
// handler. Optional: ONLY says whether the data has something for the view, and NEEDS names a
// property that its measure must have (measures.js).
const views = Object.assign(Object.create(null), {
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
    waits: waits_view,
    tracks: tracks_view,
    difference: difference_view,
    changetree: changetree_view,
});

// If there is no room in the bar, views move to the menu in this order.
const NAVIGATION_RARE = (
    'treemap bottom inverted graph dials branches tree callers heap time ' +
    'flame changetree difference growth load tracks waits regions source'
).split(' ');

// Removes the views for which the page has no data. If only regions were measured, the views of
// functions have nothing to show.
function navigation_remove_empty(data) {
    const bare = regions_only(data) && !measures_have_functions();
    for (const [name, view] of Object.entries(views))
        if (!measures_for(view).length || (bare && !view.only))
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

function navigation_make() {
    const buttons = Object.entries(views).map(([name, view]) =>
        button_make(() => view_go(name), {'data-view': name, title: view.key}, view.title)
    );
    const more = menu_make(view_go, {id: 'more', title: 'more views', hidden: true}, []);
    document.getElementById('views').append(...buttons, more);
}

function navigation_fit() {
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
function navigation_update(shown) {
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
            'their calls or waits in time order, y the waits, o the load of ranks or threads, v the heap, and of ' +
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
        'in the view of tracks: along the calls or waits; zoom to one; closer and farther; ' +
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

function keys_help() {
    const sheet = document.getElementById('sheet');
    sheet.replaceChildren(table_plain({class: 'keys'}, undefined, KEYS));
    if (sheet.open)
        sheet.close();
    else
        sheet.showModal();
}

function dark_toggle() {
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

// What keys do in all views.
const keys_acts = {
    '/': () => document.getElementById('search').focus(),
    '?': keys_help,
    t: dark_toggle,
    f: () => transforms_chosen('+'),
    i: () => transforms_chosen('-'),
    h: () => transforms_chosen('.'),
    r: () => transforms_add('r'),
    l: () => transforms_add('l'),
    b: groups_next,
    z: measures_next,
    u: () => transforms_set(transforms_of(state).slice(0, -1)),
};

// Handles a key. VIEW_KEYS, if given, is the key handler of the view; it returns whether it has
// handled the key.
function keys_pressed(event, view_keys) {
    const key = event.key;
    if (keys_in_field(event) || event.ctrlKey || event.altKey || event.metaKey)
        return;
    const found = Object.keys(views).find(name => views[name].key === key);
    if (found)
        view_go(found);
    else if (Object.hasOwn(keys_acts, key))
        keys_acts[key]();
    else if (view_keys && view_keys(event)) /* done */ ;
    else if (key === 'Escape')
        go({zoom: 0});
    else if (key === 'Backspace')
        history.back();
    else
        return;
    event.preventDefault();
}

// Reads the data, which is compressed with gzip and encoded in base64.
async function data_read() {
    const text = atob(document.getElementById('data').textContent);
    const bytes = Uint8Array.from(text, c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return JSON.parse(await new Response(stream).text());
}

// The key handler of the current view, if it has one.
let keys_of_view;

function filter_show() {
    const search = document.getElementById('search');
    const wrong = document.getElementById('wrong');
    if (search.value !== state.search)
        search.value = state.search;
    wrong.textContent = matcher_wrong(state.search);
    wrong.hidden = !wrong.textContent;
    search.setAttribute('aria-invalid', !wrong.hidden);
}

function render() {
    const main = document.getElementById('main');
    const model = measures_apply();
    const view = views[state.view] || views[view_default(model.data)] || views.regions;
    tip_show(null, '');
    transforms_bar();
    model.arcs.turn(state.dials);
    main.onscroll = null;
    main.style.overflowY = '';
    main.replaceChildren();
    main.scrollTop = 0;
    filter_show();
    groups_update();
    notes_show(model);
    if (measures_update())
        navigation_fit();
    navigation_update(view);
    const none = measure_unavailable(view);
    keys_of_view = none ? main.append(none) : view.show(main, model);
    fit_names(main);
}

const command_text = data =>
    'started as: ' + data.command +
    (data.commands > 1 ? ', and ' + number_text(data.commands - 1) + ' more commands' : '');

// Shows the notes about the data below the view.
function notes_show({data}) {
    document.getElementById('notes').textContent =
        data.program + ', ' + data.made + ', ' + data.maker +
        (data.commands ? '; ' + command_text(data) : '') + '\n' + measures_note() +
        data.notes.replace(/^\n|\n(?=\n)/g, '');
}

// Shows the beginning and the end of the title if there is no room for all of it.
function title_fit() {
    const title = document.getElementById('title');
    const whole = title.dataset.whole;
    title.textContent = whole;
    for (let room = whole.length; title.scrollWidth > title.clientWidth && room > 4;)
        title.textContent = shorten_middle(whole, --room);
}

function title_show(model) {
    const data = model.data;
    const title = document.getElementById('title');
    title.dataset.whole = data.title === data.program ? model.last(data.title) : data.title;
    title_fit();
    title.title =
        data.title + '\n' + data.program + ', made ' + data.made + ' by ' + data.maker +
        (data.commands ? '\n' + command_text(data) : '');
}

function listen() {
    const search = document.getElementById('search');
    const address_changed = function () {
        state_read();
        render();
    };
    search.addEventListener('input', () => go({search: search.value}, true));
    document.getElementById('dark').addEventListener('click', dark_toggle);
    document.getElementById('help').addEventListener('click', keys_help);
    document.addEventListener('keydown', event => keys_pressed(event, keys_of_view));
    addEventListener('popstate', address_changed);
    addEventListener('hashchange', address_changed);
    addEventListener('resize', function () {
        title_fit();
        navigation_fit();
        render();
    });
}

// Returns the default view.
function view_default(data) {
    if (data.compare)
        return 'compare';
    if (data.growth)
        return 'growth';
    return regions_only(data) && !data.waits ? 'regions' : 'summary';
}

async function page_start() {
    const data = await data_read();
    state_read();
    measures_open(data);
    state_default('of', data.by);
    state_default('view', view_default(data));
    state_on_change(render);
    navigation_remove_empty(data);
    title_show(profile());
    navigation_make();
    groups_menu();
    measures_menu();
    listen();
    if (matchMedia('(prefers-color-scheme: dark)').matches)
        document.body.classList.add('dark');
    navigation_fit();
    state_read();
    render();
    document.body.dataset.ready = 'yes';
}

// If the browser cannot decompress data, older.js shows a message.
if (typeof DecompressionStream !== 'undefined')
    page_start().catch(error => {
        document.getElementById('main').textContent = String(error);
    });
