// What the reader makes of the stacks before they are added up. A transform is a letter and what it
// is about: `+main' keeps the stacks with a function that matches, `-main' those without, `.main'
// leaves functions that match out of the stacks and gives their time to their callers, `r' makes
// one of a function that calls itself, `l' leaves out functions whose files are in /usr/include,
// /usr/lib or /usr/share, `gfile' makes one of all functions of a file (groups.js), `@0.8-1.2'
// keeps what was sampled in that time (times.js).

import {matcher} from './names.js';

// The transforms of a state of the page (state.js).
export const transforms_of = words => (words.change ? words.change.split('\n') : []);

// By function, from -1 on, whether its name or its whole name matches.
function transforms_matches(model, typed) {
    const matches = matcher(typed);
    return Uint8Array.from({length: model.count + 1}, (_, i) =>
        matches(model.name(i - 1)) || matches(model.full(i - 1)) ? 1 : 0
    );
}

// By node, whether its samples are kept.
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

// Stands for a function that is left out of the stacks.
export const HIDDEN = -2;

// By function, from -1 on, the function that stands for it: itself, the first of its group, or
// HIDDEN.
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

// A function that says what is shown for F in a tree below AT; null: F is part of what is above.
export function transforms_show(model, transforms) {
    const stand = model.stand;
    const once = transforms.includes('r') || model.grouped;
    return function (f, tree, at) {
        const shown = stand[f + 1];
        return shown === HIDDEN || (once && tree.function[at] === shown && at > 0) ? null : shown;
    };
}
