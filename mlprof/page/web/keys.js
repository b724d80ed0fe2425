// What keys do in all views, and the list of all keys. A view handles its own keys.

import {table_plain} from './elements.js';
import {transforms_of} from './transforms.js';
import {go, show_again, state} from './state.js';
import {measures_next} from './measures.js';
import {groups_next, transforms_add, transforms_chosen, transforms_set} from './chosen.js';
import {view_go, views} from './navigation.js';

const KEYS = [
    [
        '0 to 9',
        'the views; s the call sites, j the branches, p the allocations, w the regions, k ' +
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

// Whether a key was pressed in the filter or in the name of a range, where letters are letters.
// Escape and Enter leave the field.
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

// Does what a key is for. VIEW_KEYS, if given, handles the keys of the view, and returns whether
// the key was one of these.
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
