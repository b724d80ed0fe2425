// Opens the page: reads the data that mlprof has put into the file, and shows the view in the
// address. Whenever the address changes, shows its view again.

import {number_text} from './numbers.js';
import {fit_names, matcher_wrong, shorten_middle} from './names.js';
import {tip_show} from './elements.js';
import {go, profile, state, state_default, state_read, state_on_change} from './state.js';
import {groups_update, groups_menu, transforms_bar} from './transformbar.js';
import {
    measure_unavailable,
    measures_apply,
    measures_update,
    measures_menu,
    measures_note,
    measures_open,
} from './measures.js';
import {regions_only} from './regions.js';
import {
    dark_toggle,
    keys_help,
    keys_pressed,
    navigation_fit,
    navigation_make,
    navigation_update,
    navigation_remove_empty,
    views,
} from './navigation.js';

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
    const view = views[state.view] || views.summary;
    const model = measures_apply();
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
    return regions_only(data) ? 'regions' : 'summary';
}

async function page_start() {
    const data = await data_read();
    state_read();
    measures_open(data);
    state_default('of', data.by);
    state_default('view', view_default(data));
    state_on_change(render);
    navigation_remove_empty();
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
