// What the reader makes of the stacks before they are added up: only some of them, or with
// functions left out. A transform is a letter and what it is about: `+main' keeps the stacks with a
// function that matches, `-main' those without, `.main' leaves it out of the stacks, its time then
// being its callers', `r' makes one of a function that calls itself, `l' leaves out what is not in
// the user's own files, `gfile' makes one of all functions of a file (groups.js), `@0.8-1.2' keeps
// what was sampled in that time (times.js).

import {matcher} from './names.js';

// Those that a state of the page (state.js) has.
export const transforms_of = words => (words.change ? words.change.split('\n') : []);

// By function, from -1 on, whether its name, or its whole name, matches.
function transforms_matches(model, typed) {
    const matches = matcher(typed);
    return Uint8Array.from({length: model.count + 1}, (_, i) =>
        matches(model.name(i - 1)) || matches(model.full(i - 1)) ? 1 : 0
    );
}

// By node whether its samples are kept.
export function transforms_keep(model, transforms) {
    const keep = new Uint8Array(model.size).fill(1);
    const parent = model.data.nodes.parent;
    for (const transform of transforms) {
        if (transform[0] !== '+' && transform[0] !== '-')
            continue;
        const matches = transforms_matches(model, transform.slice(1));
        const has = new Uint8Array(model.size);
        for (let i = 0; i < model.size; i++) {
            has[i] = matches[model.function_of(i) + 1] | (parent[i] >= 0 ? has[parent[i]] : 0);
            keep[i] &= transform[0] === '+' ? has[i] : 1 - has[i];
        }
    }
    return keep;
}

// Instead of a function: it is left out of the stacks.
export const HIDDEN = -2;

// By function, from -1 on, which function stands for it: itself, the one of its group that all are
// known by, or HIDDEN.
export function transforms_stand(model, transforms) {
    const group = model.grouped;
    const stand = new Int32Array(model.count + 1).map((_, i) => i - 1);
    const library = /^\/usr\/(include|lib|share)\//;
    const hides = transforms
        .filter(t => t[0] === '.')
        .map(t => transforms_matches(model, t.slice(1)));
    const libraries = transforms.includes('l');
    for (let f = 0; f < model.count; f++) {
        if (group)
            stand[f + 1] = group.first[f];
        if (
            hides.some(matches => matches[f + 1]) ||
            (libraries && library.test(model.path(model.data.functions.file[f])))
        )
            stand[f + 1] = HIDDEN;
    }
    return stand;
}

// Which function is shown for F in a tree below AT; null: none, it is part of what is above.
export function transforms_show(model, transforms) {
    const stand = model.stand;
    const once = transforms.includes('r') || model.grouped;
    return function (f, tree, at) {
        const shown = stand[f + 1];
        return shown === HIDDEN || (once && tree.function[at] === shown && at > 0) ? null : shown;
    };
}
