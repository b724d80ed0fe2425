// The machine code of the copies of functions, with the samples that the transforms leave, for the
// view beside the source and for the texts about copies.

import {shorten} from './names.js';

// The code with the samples that the transforms leave; made once for each state of the transforms.
export function code_of(model) {
    if (model.code && model.code.counts_of === model.counts)
        return model.code;
    const code = model.data.code;
    const nodes = model.data.nodes;
    const copies = model.data.copies;
    const bodies = code.bodies;
    const size = code.insns.size;
    const first = [];
    const address = new Float64Array(size.length);
    const known = new Map();
    const counts = new Float64Array(size.length);
    for (let body = 0, i = 0; body < bodies.start.length; body++) {
        first.push(i);
        known.set(bodies.module[body] + ' ' + bodies.number[body], body);
        for (let at = bodies.start[body], end = i + bodies.insns[body]; i < end; at += size[i++])
            address[i] = at;
    }
    for (let i = 0; i < model.size; i++) {
        const body =
            model.counts[i] && nodes.address[i]
                ? known.get(copies.module[nodes.copy[i]] + ' ' + copies.number[nodes.copy[i]])
                : undefined;
        if (body === undefined)
            continue;
        let low = first[body];
        let high = low + bodies.insns[body];
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (address[middle] <= nodes.address[i])
                low = middle;
            else
                high = middle;
        }
        counts[low] += model.counts[i];
    }
    // What each copy has, with what is inlined into it.
    const amount = new Float64Array(code.parts.body.length);
    const insns = new Int32Array(amount.length);
    for (let i = 0; i < size.length; i++)
        for (let part = code.insns.part[i]; part >= 0; part = code.parts.parent[part]) {
            amount[part] += counts[i];
            insns[part]++;
        }
    return (model.code = {
        counts_of: model.counts,
        first: first,
        address: address,
        counts: counts,
        amount: amount,
        insns: insns,
    });
}

// The number in the page of a copy of the tables; -1: the page does not have its code.
export function code_part(model, module, number, copy) {
    const parts = model.data.code.parts;
    const bodies = model.data.code.bodies;
    if (!model.parts) {
        model.parts = new Map();
        parts.body.forEach((body, i) =>
            model.parts.set(
                bodies.module[body] + ' ' + bodies.number[body] + ' ' + parts.copy[i],
                i
            )
        );
    }
    const part = model.parts.get(module + ' ' + number + ' ' + copy);
    return part === undefined ? -1 : part;
}

export function code_name(model, part) {
    const parts = model.data.code.parts;
    return parts.function[part] >= 0
        ? model.name(parts.function[part])
        : model.data.texts[parts.name[part]];
}

// What GCC made of a copy, from the innermost function outwards; names are shortened to ROOM
// characters.
export function code_made(model, part, room) {
    const code = model.data.code;
    const parts = code.parts;
    const symbol = code.symbols[parts.body[part]] || '';
    const clone = /(\.(?:constprop|isra|part|cold)\b.*)/.exec(symbol);
    const told = [];
    if (parts.parent[part] < 0)
        return !clone
            ? 'own body'
            : clone[1] === '.cold'
              ? 'cold part'
              : (clone[1].startsWith('.part') ? 'split-off ' : 'clone ') + clone[1];
    for (let at = part; parts.parent[at] >= 0; at = parts.parent[at])
        told.push(
            'inlined in ' +
                shorten(code_name(model, parts.parent[at]), room || 400) +
                (parts.parent[parts.parent[at]] < 0 && clone ? clone[1] : '') +
                (parts.file[at] >= 0
                    ? ' at ' + model.last(model.path(parts.file[at])) + ':' + parts.line[at]
                    : '')
        );
    return told.length > 3
        ? told.slice(0, 2).join(', ') + ', \u2026, ' + told[told.length - 1]
        : told.join(', ');
}

// Whether an instruction belongs to a line: 2: itself; 1: by a call there that was inlined; 0: no.
export function code_is_of(model, insn, file, line) {
    const code = model.data.code;
    const place = code.insns.place[insn];
    if (place >= 0 && code.places.file[place] === file && code.places.line[place] === line)
        return 2;
    for (let part = code.insns.part[insn]; part >= 0; part = code.parts.parent[part])
        if (code.parts.file[part] === file && code.parts.line[part] === line)
            return 1;
    return 0;
}

// The copies of a file's functions or, if LINE is not 0, those that have instructions of the line.
// Those with the most samples come first, of the line if there is one.
export function code_copies(model, file, line) {
    const of = code_of(model);
    const code = model.data.code;
    const parts = code.parts;
    const found = new Map();
    const own = part =>
        parts.function[part] >= 0 && model.data.functions.file[parts.function[part]] === file;
    if (!line) {
        for (let part = 0; part < of.amount.length; part++)
            if (own(part) && of.insns[part])
                found.set(part, of.amount[part]);
    } else
        for (let i = 0; i < of.counts.length; i++) {
            const place = code.insns.place[i];
            let at =
                place >= 0 && code.places.file[place] === file && code.places.line[place] === line
                    ? code.insns.part[i]
                    : -1;
            // The copy that contains the inlined call on the line.
            for (let part = code.insns.part[i]; at < 0 && part >= 0; part = parts.parent[part])
                if (parts.file[part] === file && parts.line[part] === line)
                    at = parts.parent[part];
            if (at >= 0)
                found.set(at, (found.get(at) || 0) + of.counts[i]);
        }
    return Array.from(found).sort(
        (a, b) => b[1] - a[1] || of.amount[b[0]] - of.amount[a[0]] || a[0] - b[0]
    );
}

// The instructions of a copy with what is inlined into it, and the number of others' instructions
// in each gap.
export function code_rows(model, part) {
    const of = code_of(model);
    const code = model.data.code;
    const body = code.parts.body[part];
    const rows = [];
    const is_in = function (at) {
        while (at > part || (at >= 0 && at !== part))
            at = code.parts.parent[at];
        return at === part;
    };
    const end = of.first[body] + code.bodies.insns[body];
    const known = new Map();
    for (let i = of.first[body], gap = 0; i < end; i++) {
        const at = code.insns.part[i];
        if (!known.has(at))
            known.set(at, is_in(at));
        if (!known.get(at)) {
            gap++;
            continue;
        }
        if (gap && rows.length)
            rows.push({gap: gap});
        gap = 0;
        rows.push({insn: i});
    }
    return rows;
}
