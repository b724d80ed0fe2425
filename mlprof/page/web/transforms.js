// What the reader makes of the stacks before they are added up: only some of them, or with
// functions left out.  A transform is a letter and what it is about: `+main' keeps the stacks
// with a function that matches, `-main' those without, `.main' leaves it out of the stacks, its time
// then being its callers', `r' makes one of a function that calls itself, `l' leaves out what is not in
// the user's own files, `gfile' makes one of all functions of a file (groups.js), `@0.8-1.2' keeps what
// was sampled in that time (times.js).

page.transforms_words = {'+': 'focus', '-': 'ignore', '.': 'hide', 'r': 'recursion once', 'l': 'libraries hidden',
    'g': 'by', '@': 'time'};

// By function, from -1 on, whether its name, or its whole name, matches.
page.transforms_matches = function (model, typed) {
    const matches = page.matcher(typed);
    return Uint8Array.from({length: model.count + 1}, (_, i) => matches(model.name(i - 1)) || matches(model.full(i - 1)) ? 1 : 0);
};

// By node whether its samples are kept.
page.transforms_keep = function (model, transforms) {
    const keep = new Uint8Array(model.size).fill(1), parent = model.data.nodes.parent;
    for (const transform of transforms) {
        if (transform[0] !== '+' && transform[0] !== '-') continue;
        const matches = page.transforms_matches(model, transform.slice(1)), has = new Uint8Array(model.size);
        for (let i = 0; i < model.size; i++) {
            has[i] = matches[model.function_of(i) + 1] | (parent[i] >= 0 ? has[parent[i]] : 0);
            keep[i] &= transform[0] === '+' ? has[i] : 1 - has[i];
        }
    }
    return keep;
};

// By function, from -1 on, which function stands for it: itself, the one of its group that all are
// known by, or HIDDEN.
const HIDDEN = -2;

page.transforms_stand = function (model, transforms) {
    const group = model.grouped, stand = new Int32Array(model.count + 1).map((_, i) => i - 1);
    const library = /^\/usr\/(include|lib|share)\//;
    const hides = transforms.filter(t => t[0] === '.').map(t => page.transforms_matches(model, t.slice(1))), libraries = transforms.includes('l');
    for (let f = 0; f < model.count; f++) {
        if (group) stand[f + 1] = group.first[f];
        if (hides.some(matches => matches[f + 1]) ||
            (libraries && library.test(model.path(model.data.functions.file[f])))) stand[f + 1] = HIDDEN;
    }
    return stand;
};

// Which function is shown for F in a tree below AT; null: none, it is part of what is above.
page.transforms_show = function (model, transforms) {
    const stand = model.stand, once = transforms.includes('r') || model.grouped;
    return function (f, tree, at) {
        const shown = stand[f + 1];
        return shown === HIDDEN || (once && tree.function[at] === shown && at > 0) ? null : shown;
    };
};

page.transforms_of = state => state.change ? state.change.split('\n') : [];

page.transforms_add = function (transform) {
    const all = page.transforms_of(page.state);
    if (!all.includes(transform)) page.go({change: all.concat(transform).join('\n'), zoom: 0});
};

// The transforms that hold, each with a way to take it back.
page.transforms_bar = function () {
    const all = page.transforms_of(page.state), bar = document.getElementById('changes');
    bar.hidden = !all.length;
    bar.replaceChildren(...all.flatMap((transform, i) => [page.make('button', {title: 'take it back',
        on: {click: () => page.go({change: all.filter((_, k) => k !== i).join('\n'), zoom: 0})}},
    (page.transforms_words[transform[0]] || '') + ' ' +
        (transform[0] === '@' ? page.times_text(page.data.data, transform) : transform.slice(1)) + ' \u00d7'),
    transform[0] === '@' ? page.times_field(transform) : '']),
    page.make('span', {'class': 'faint'}, page.percent(page.data.kept, page.data.data.total) + ' of all is left'));
};
