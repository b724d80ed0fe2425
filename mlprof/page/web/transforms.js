// Changes of the stacks by the reader before they are added up. A transform is a letter and its
// argument:
//   +main     keep only the stacks with a matching function
//   -main     remove the stacks with a matching function
//   .main     hide matching functions; their time belongs to their callers
//   r         show direct recursion as one call
//   l         hide functions whose files are in /usr/include, /usr/lib or /usr/share
//   gfile     show all functions of a file as one; also gclass, for classes and namespaces,
//             and gmodule, for the program and its libraries
//   @0.8-1.2  keep only samples from this range of time (times.js)

import {matcher} from './names.js';

export const groups_kinds = {
    '': 'functions',
    gfile: 'files',
    gclass: 'classes',
    gmodule: 'modules',
};

// Returns the class or namespace in a C++ name, without template arguments; '' if there is none.
function groups_class(name) {
    let depth = 0,
        end = -1,
        start = 0;
    for (let i = 0; i < name.length; i++) {
        if (depth === 0 && name.startsWith('operator', i) && (i === 0 || name[i - 1] === ':'))
            break;
        if ('<([{'.includes(name[i]))
            depth++;
        else if ('>)]}'.includes(name[i]))
            depth--;
        else if (depth === 0 && name[i] === ' ')
            start = i + 1; // a type precedes the name
        else if (depth === 0 && name.startsWith('::', i))
            end = i;
    }
    if (end <= start)
        return '';
    let bare = '';
    depth = 0;
    for (const letter of name.slice(start, end)) {
        if (letter === '<')
            depth++;
        if (!depth)
            bare += letter;
        if (letter === '>')
            depth--;
    }
    return bare;
}

// Returns the groups of functions, or null if the transforms have no groups: for each function the
// first function of its group, which identifies the group, and the group's name. A function without
// a group is its own group.
export function groups_of(model, transforms) {
    const grouping = transforms.find(t => t[0] === 'g');
    const data = model.data;
    if (!Object.hasOwn(groups_kinds, grouping || '-'))
        return null;
    const first = new Int32Array(model.count);
    const name = new Array(model.count);
    const known = new Map();
    const module = new Int32Array(model.count).fill(-1);
    data.copies.function.forEach((f, i) => {
        if (f >= 0 && module[f] < 0)
            module[f] = data.copies.module[i];
    });
    for (let f = 0; f < model.count; f++) {
        const path = model.path(data.functions.file[f]);
        const key =
            grouping === 'gfile'
                ? path
                : grouping === 'gclass'
                  ? groups_class(model.name(f))
                  : module[f] >= 0
                    ? data.modules[module[f]]
                    : '';
        name[f] = key ? (grouping === 'gclass' ? key : model.last(key)) : model.name(f);
        if (key && !known.has(key))
            known.set(key, f);
        first[f] = key ? known.get(key) : f;
    }
    return {first: first, name: name};
}

// Returns the list of transforms in WORDS, a state of the page (state.js).
export const transforms_of = words => (words.change ? words.change.split('\n') : []);

// Returns whether the name or the full name of a function matches. Index 0 is function -1.
function transforms_matches(model, typed) {
    const matches = matcher(typed);
    return Uint8Array.from({length: model.count + 1}, (_, i) =>
        matches(model.name(i - 1)) || matches(model.full(i - 1)) ? 1 : 0
    );
}

// Returns whether the samples of a node are kept.
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

// The value for a function that is hidden in the stacks.
export const HIDDEN = -2;

// Kinds of frames: `what' of copies and of keys, as in enum stacks_what of mlprof.
export const FRAME = {code: 0, phase: 1, thread: 2, process: 3};

// Returns the function that is shown for each function: itself, the first of its group, or HIDDEN.
// Index 0 is function -1.
export function transforms_shown_as(model, transforms) {
    const group = model.grouped;
    const shown_as = new Int32Array(model.count + 1).map((_, i) => i - 1);
    const library = /^\/usr\/(include|lib|share)\//;
    const hides = transforms
        .filter(t => t[0] === '.')
        .map(t => transforms_matches(model, t.slice(1)));
    const libraries = transforms.includes('l');
    // Stacks of threads and processes are merged unless the page is about them.
    const hidden = new Set();
    const {copies, by: page_key} = model.data;
    copies.what.forEach(function (what, i) {
        if (
            (what === FRAME.thread && page_key !== 'threads') ||
            (what === FRAME.process && page_key !== 'processes')
        )
            hidden.add(copies.function[i]);
    });
    for (let f = 0; f < model.count; f++) {
        if (group)
            shown_as[f + 1] = group.first[f];
        if (
            hidden.has(f) ||
            hides.some(matches => matches[f + 1]) ||
            (libraries && library.test(model.path(model.data.functions.file[f])))
        )
            shown_as[f + 1] = HIDDEN;
    }
    return shown_as;
}

// Returns a function of F, TREE and NODE. It returns the function that is shown instead of F in
// TREE below NODE, or null if F is merged into NODE.
export function transforms_show(model, transforms) {
    const shown_as = model.shown_as;
    const once = transforms.includes('r') || model.grouped;
    return function (f, tree, node) {
        const shown = shown_as[f + 1];
        const repeated = once && node > 0 && tree.function[node] === shown;
        return shown === HIDDEN || repeated ? null : shown;
    };
}
