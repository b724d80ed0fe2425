// What functions are put together by: their files, the classes or namespaces that they are members
// of, or the modules (program, libraries) that they are in.

page.groups_kinds = {'': 'functions', gfile: 'files', gclass: 'classes', gmodule: 'modules'};

// The class or namespace in a name of C++, without its arguments; empty: there is none.
page.groups_class = function (name) {
    let depth = 0, end = -1, start = 0;
    for (let at = 0; at < name.length; at++) {
        if (depth === 0 && name.startsWith('operator', at) && (at === 0 || name[at - 1] === ':')) break;
        if ('<([{'.includes(name[at])) depth++;
        else if ('>)]}'.includes(name[at])) depth--;
        else if (depth === 0 && name[at] === ' ') start = at + 1; // what is in front is a type
        else if (depth === 0 && name.startsWith('::', at)) end = at;
    }
    if (end <= start) return '';
    let bare = '';
    depth = 0;
    for (const letter of name.slice(start, end)) {
        if (letter === '<') depth++;
        if (!depth) bare += letter;
        if (letter === '>') depth--;
    }
    return bare;
};

// Of the functions, if the transforms want them in groups: the first one of its group, by which it is
// known, and the name of the group.  What belongs to none is a group of its own.
page.groups_of = function (model, transforms) {
    const by = transforms.find(t => t[0] === 'g'), data = model.data;
    if (!Object.hasOwn(page.groups_kinds, by || '-')) return null;
    const first = new Int32Array(model.count), name = new Array(model.count), known = new Map(), module = new Int32Array(model.count).fill(-1);
    data.copies.function.forEach((f, i) => { if (f >= 0 && module[f] < 0) module[f] = data.copies.module[i]; });
    for (let f = 0; f < model.count; f++) {
        const path = model.path(data.functions.file[f]);
        const key = by === 'gfile' ? path : by === 'gclass' ? page.groups_class(model.name(f))
            : module[f] >= 0 ? data.modules[module[f]] : '';
        name[f] = key ? (by === 'gclass' ? key : model.last(key)) : model.name(f);
        if (key && !known.has(key)) known.set(key, f);
        first[f] = key ? known.get(key) : f;
    }
    return {first: first, name: name};
};

// Changes what functions are put together by.
page.groups_go = function (by) {
    const others = page.transforms_of(page.state).filter(t => t[0] !== 'g');
    page.go({change: others.concat(by || []).join('\n'), zoom: 0});
};

page.groups_next = function () {
    const all = Object.keys(page.groups_kinds), by = page.transforms_of(page.state).find(t => t[0] === 'g') || '';
    page.groups_go(all[(all.indexOf(by) + 1) % all.length]);
};
