// Puts functions together by their files, by the classes or namespaces that they are members of, or
// by the modules (program, libraries) that they are in.

export const groups_kinds = {
    '': 'functions',
    gfile: 'files',
    gclass: 'classes',
    gmodule: 'modules',
};

// The class or namespace in a name of C++, without its arguments; empty: there is none.
function groups_class(name) {
    let depth = 0,
        end = -1,
        start = 0;
    for (let at = 0; at < name.length; at++) {
        if (depth === 0 && name.startsWith('operator', at) && (at === 0 || name[at - 1] === ':'))
            break;
        if ('<([{'.includes(name[at]))
            depth++;
        else if ('>)]}'.includes(name[at]))
            depth--;
        else if (depth === 0 && name[at] === ' ')
            start = at + 1; // a type stands in front
        else if (depth === 0 && name.startsWith('::', at))
            end = at;
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

// By function, if the transforms want groups: the first function of its group, by which the group
// is known, and the group's name. A function without a group is a group of its own. Null: the
// transforms want none.
export function groups_of(model, transforms) {
    const by = transforms.find(t => t[0] === 'g');
    const data = model.data;
    if (!Object.hasOwn(groups_kinds, by || '-'))
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
            by === 'gfile'
                ? path
                : by === 'gclass'
                  ? groups_class(model.name(f))
                  : module[f] >= 0
                    ? data.modules[module[f]]
                    : '';
        name[f] = key ? (by === 'gclass' ? key : model.last(key)) : model.name(f);
        if (key && !known.has(key))
            known.set(key, f);
        first[f] = key ? known.get(key) : f;
    }
    return {first: first, name: name};
}
