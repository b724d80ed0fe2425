// Common parts of the views that draw boxes on a canvas, the flame graph and the tree map: the
// order of children, the zoomed box, the canvas with its colours, and the pointer.

import {amount_text, percent_text, plural_text} from './numbers.js';
import {matcher} from './names.js';
import {make, tip_on} from './elements.js';
import {name_colour} from './drawing.js';
import {state} from './state.js';

// Returns the children of a node of a tree: by decreasing weight, or by name if the function NAME
// is given.
export function boxes_children(tree, node, name) {
    const list = [];
    for (let child = tree.child[node]; child >= 0; child = tree.sibling[child])
        list.push(child);
    if (!name)
        return list.sort((a, b) => tree.weight[b] - tree.weight[a]);
    return list
        .map(child => [name(child), child])
        .sort(([a, i], [b, k]) => (a < b ? -1 : a > b ? 1 : i - k))
        .map(([, child]) => child);
}

// Returns the zoomed node; 0 is the root.
export function boxes_zoom(tree) {
    const zoom = Number(state.zoom);
    return zoom > 0 && zoom < tree.parent.length ? zoom : 0;
}

export const boxes_name = (model, tree, node) =>
    node ? model.label(tree.function[node]) : model.data.title;

// Returns the message for a tree without boxes or lines.
export const boxes_empty = model =>
    make('div', {class: 'empty'},
        model.whole
            ? 'Nothing is left of the stacks: what is chosen above leaves none (u takes it back).'
            : model.measure.sampled
              ? 'There are no stacks, since there are no samples.'
              : 'There are no stacks, since nothing was ' +
                model.what + '.'
    );

// Returns an element with the result of the filter in a tree, or '' if there is no filter. The
// result has the number of different names that match, and the weight of all matching nodes. A
// matching node inside another matching node is not added again. NAME returns the name of a node.
// The weight is shown as a share of the measured total or, if IS_WIDTH, of the tree.
export function boxes_matched(model, tree, name, is_width) {
    if (!state.search)
        return '';
    const matches = matcher(state.search);
    const names = new Set();
    const is_inner = new Uint8Array(tree.parent.length);
    let weight = 0;
    for (let node = 1; node < tree.parent.length; node++) {
        is_inner[node] = is_inner[tree.parent[node]];
        if (!tree.weight[node] || !matches(name(node)))
            continue;
        names.add(name(node));
        weight += is_inner[node] ? 0 : tree.weight[node];
        is_inner[node] = 1;
    }
    return make('span', {id: 'matched', title: 'what the filter finds, in each stack once'},
        'filter: ' + plural_text(names.size, 'function') + ', ' +
            percent_text(weight, is_width ? tree.weight[0] : model.total) +
            (is_width ? ' of the width' : ', ' + amount_text(model, weight))
    );
}

// Adds a canvas to MAIN. It has the resolution of the screen, within the height limit of browsers,
// but drawing uses CSS pixels. Returns the canvas, its pen, the width of a letter, and the colours.
export function boxes_canvas(main, width, height, font) {
    const ratio = Math.min(devicePixelRatio || 1, 32000 / height);
    const dark = document.body.classList.contains('dark');
    const canvas = make('canvas', {tabindex: 0, width: width * ratio, height: height * ratio});
    const pen = canvas.getContext('2d');
    const matches = state.search ? matcher(state.search) : null;
    canvas.style.width = width + 'px';
    canvas.style.height = height + 'px';
    main.append(canvas);
    pen.scale(ratio, ratio);
    pen.font = font;
    return {
        canvas: canvas,
        pen: pen,
        letter: pen.measureText('x').width,
        ink: dark ? '#fff' : '#111',
        ground: dark ? '#16181d' : '#fff',
        found: name => matches !== null && matches(name),
        // Returns the colour for a box by its name, or the colour OTHER if given. Boxes that match
        // the filter get a distinct colour.
        fill: (name, found, other) =>
            found && matches && matches(name)
                ? dark
                    ? '#5a3fd0'
                    : '#b39dff'
                : other || name_colour(name, dark),
    };
}

// Handles the pointer. FIND returns the box at a position, TIP_OF returns the tip of a box, and
// OPEN is called with a clicked box.
export function boxes_pointer(canvas, find, tip_of, open) {
    const box_under = function (event) {
        const where = canvas.getBoundingClientRect();
        return find(event.clientX - where.left, event.clientY - where.top);
    };
    tip_on(canvas, function (event) {
        const box = box_under(event);
        return box && tip_of(box);
    });
    canvas.onclick = function (event) {
        const box = box_under(event);
        if (box)
            open(box);
    };
}
