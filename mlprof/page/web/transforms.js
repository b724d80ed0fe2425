// What the reader makes of the stacks before they are added up: only some of them, or with
// functions left out.  A transform is a letter and what it is about: `+main' keeps the stacks
// with a function that matches, `-main' those without, `.main' leaves it out of the stacks, `r'
// makes one of a function that calls itself, `l' leaves out what is not in the user's own files,
// `@0.8-1.2' keeps what was sampled in that time (times.js).

page.transforms_words = {'+': 'focus', '-': 'ignore', '.': 'hide', 'r': 'recursion once', 'l': 'libraries hidden',
    '@': 'time'};

// By node whether its samples are kept.
page.transforms_keep = function (model, transforms) {
    const keep = new Uint8Array(model.size).fill(1), parent = model.data.nodes.parent;
    for (const transform of transforms) {
        if (transform[0] !== '+' && transform[0] !== '-') continue;
        const matches = page.matcher(transform.slice(1)), has = new Uint8Array(model.size);
        const known = new Int8Array(model.count + 1).fill(-1);
        for (let i = 0; i < model.size; i++) {
            const f = model.function_of(i);
            if (known[f + 1] < 0) known[f + 1] = matches(model.name(f)) || matches(model.full(f)) ? 1 : 0;
            has[i] = known[f + 1] | (parent[i] >= 0 ? has[parent[i]] : 0);
            keep[i] &= transform[0] === '+' ? has[i] : 1 - has[i];
        }
    }
    return keep;
};

// Which function stands for F in a tree below AT: another one never; null: none, it is left out.
page.transforms_show = function (model, transforms) {
    const hidden = new Uint8Array(model.count + 1), once = transforms.includes('r');
    const library = /^\/usr\/(include|lib|share)\//;
    for (let f = 0; f < model.count; f++)
        for (const transform of transforms) {
            if (transform[0] === '.') {
                const matches = page.matcher(transform.slice(1));
                if (matches(model.name(f)) || matches(model.full(f))) hidden[f + 1] = 1;
            } else if (transform === 'l') {
                if (library.test(model.path(model.data.functions.file[f]))) hidden[f + 1] = 1;
            }
        }
    return (f, tree, at) => hidden[f + 1] || (once && tree.function[at] === f && at > 0) ? null : f;
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
    bar.replaceChildren(...all.map((transform, i) => page.make('button', {title: 'take it back',
        on: {click: () => page.go({change: all.filter((_, k) => k !== i).join('\n'), zoom: 0})}},
    (page.transforms_words[transform[0]] || '') + ' ' +
        (transform[0] === '@' ? page.times_text(page.data.data, transform) : transform.slice(1)) + ' \u00d7')),
    page.make('span', {'class': 'faint'}, page.percent(page.data.kept, page.data.data.total) + ' of all is left'));
};
