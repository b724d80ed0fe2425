// Controls for the transforms: keys, buttons and the mouse, the bar above the views that shows the
// transforms, and the menu of groups.

import {percent_text} from './numbers.js';
import {matcher_exact} from './names.js';
import {button_make, faint, make, menu_make} from './elements.js';
import {groups_kinds, transforms_of} from './transforms.js';
import {times_count, times_name, times_seconds, times_text} from './times.js';
import {go, go_staying, profile, state} from './state.js';

const transforms_words = {
    '+': 'focus',
    '-': 'ignore',
    '.': 'hide',
    r: 'recursion once',
    l: 'libraries hidden',
    g: 'by',
    '@': 'time',
};

export function transforms_set(transforms) {
    go({change: transforms.join('\n'), zoom: 0});
}

export function transforms_add(transform) {
    const all = transforms_of(state);
    if (!all.includes(transform))
        transforms_set(all.concat(transform));
}

// Adds a transform for the chosen function.
export function transforms_chosen(letter) {
    const f = Number(state.f);
    const model = profile();
    if (f >= 0 && f < model.count)
        transforms_add(letter + matcher_exact(model.name(f)));
}

// Returns the chosen function or, if none is chosen, the function with the greatest value.
export function chosen_function(model) {
    let f = Number(state.f);
    if (!(f >= 0 && f < model.count)) {
        const figures = model.functions();
        const most = g => (figures.get(g) || {cur: 0}).cur;
        f = Array.from(figures.keys()).reduce((best, g) => (most(g) > most(best) ? g : best), 0);
    }
    return model.shown_as[f + 1] >= 0 ? model.shown_as[f + 1] : f;
}

// Returns a button for each of KINDS (value, text, optional tip). It sets the WORD of the address
// and applies CHANGES.
export const choice_buttons = (word, kinds, chosen, changes) =>
    kinds.map(([kind, text, title]) =>
        button_make(
            () => go({[word]: kind, ...changes}),
            {['data-' + word]: kind, 'aria-current': kind === chosen, title: title},
            text
        )
    );

// Returns the field for the name of a range.
function range_field(transform) {
    const change = event => range_rename(transform, event.target.value);
    return make('input', {
        id: 'range',
        type: 'text',
        value: times_name(transform),
        size: 14,
        maxlength: 80,
        placeholder: 'name of the range',
        title: 'a name for this range: the address and what is copied have it',
        events: {change: change},
    });
}

function range_rename(transform, name) {
    const words = name
        .replace(/[\0-\x1f\x7f]/g, ' ')
        .trim()
        .slice(0, 80);
    const renamed = transform.split(' ')[0] + (words && ' ' + words);
    go({
        change: transforms_of(state)
            .map(other => (other === transform ? renamed : other))
            .join('\n'),
    });
}

// Fills the bar with the transforms, each with a button to remove it.
export function transforms_bar() {
    const all = transforms_of(state);
    const model = profile();
    const bar = document.getElementById('changes');
    const parts = all.flatMap(function (transform, i) {
        const is_range = transform[0] === '@';
        const text = is_range ? times_text(model.data, transform) : transform.slice(1);
        const take_back = () => transforms_set(all.filter((_, k) => k !== i));
        return [
            button_make(take_back, {title: 'take it back'},
                (transforms_words[transform[0]] || '') + ' ' + text + ' \u00d7'
            ),
            is_range ? range_field(transform) : '',
        ];
    });
    bar.hidden = !all.length;
    bar.replaceChildren(
        ...parts,
        // Transforms of stacks do not change counts.
        model.counts_alone
            ? all.some(transform => '+-@r'.includes(transform[0]))
                ? faint('counts have no stacks to go by: nothing changes')
                : ''
            : faint(percent_text(model.kept, model.whole) + ' of all is left')
    );
}

// Limits the views to the buckets from START to END (excluded), or removes the limit. If an entry
// of the browser's history is REPLACED, the range was moved and keeps its name.
export function range_choose(start, end, replaced) {
    const data = profile().data;
    const before = transforms_of(state);
    const all = before.filter(transform => transform[0] !== '@');
    const name = replaced ? times_name(before.find(transform => transform[0] === '@') || '') : '';
    if (end > start && (start > 0 || end < times_count(data)))
        all.push(
            '@' + times_seconds(data, start) + '-' + times_seconds(data, end) + (name && ' ' + name)
        );
    go_staying({change: all.join('\n'), zoom: 0}, replaced);
}

// Changes how functions are grouped.
function groups_go(key) {
    const others = transforms_of(state).filter(transform => transform[0] !== 'g');
    transforms_set(others.concat(key || []));
}

function groups_chosen() {
    return transforms_of(state).find(transform => transform[0] === 'g') || '';
}

export function groups_next() {
    const all = Object.keys(groups_kinds);
    groups_go(all[(all.indexOf(groups_chosen()) + 1) % all.length]);
}

// Adds the menu of groups before the filter.
export function groups_menu() {
    const menu = menu_make(
        groups_go,
        {id: 'group', title: 'what functions are put together by (b)'},
        Object.entries(groups_kinds).map(([key, words]) => [key, 'by ' + words])
    );
    document.querySelector('header label').before(menu);
}

export function groups_update() {
    document.getElementById('group').value = groups_chosen();
}
