// What the views of boxes on a canvas have in common, the flame graph and the tree map: their
// tree's order, the one that is zoomed in on, the canvas, the colours.

import {matcher} from './names.js';
import {make, tip_show} from './elements.js';
import {name_colour} from './drawing.js';
import {state} from './state.js';

// The children of a node of a tree, those with the most first, or by their NAMEs if that is given.
export function boxes_children(tree, at, name) {
    const list = [];
    for (let child = tree.child[at]; child >= 0; child = tree.sibling[child])
        list.push(child);
    if (!name)
        return list.sort((a, b) => tree.weight[b] - tree.weight[a]);
    return list
        .map(child => [name(child), child])
        .sort(([a, i], [b, k]) => (a < b ? -1 : a > b ? 1 : i - k))
        .map(([, child]) => child);
}

// The node that is all there is to be seen: 0 is the whole.
export function boxes_zoom(tree) {
    const zoom = Number(state.zoom);
    return zoom > 0 && zoom < tree.parent.length ? zoom : 0;
}

export const boxes_name = (model, tree, at) =>
    at ? model.label(tree.function[at]) : model.data.title;

// A canvas for MAIN in pixels of the screen, to be drawn on in those of the page, as sharp as
// browsers let one of its height be; with its pen, the width of a letter, and the colours.
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
        // Of a box with the name of a function, or another colour; what is searched for stands out.
        fill: (name, found, other) =>
            found && matches && matches(name)
                ? dark
                    ? '#5a3fd0'
                    : '#b39dff'
                : other || name_colour(name, dark),
    };
}

// Calls FIND with each place of the pointer; it gives the box there, TELL its tip, OPEN goes there.
export function boxes_pointer(canvas, find, tell, open) {
    const at = function (event) {
        const where = canvas.getBoundingClientRect();
        return find(event.clientX - where.left, event.clientY - where.top);
    };
    canvas.onmousemove = function (event) {
        const box = at(event);
        tip_show(event, box && tell(box));
    };
    canvas.onmouseleave = event => tip_show(event, '');
    canvas.onclick = function (event) {
        const box = at(event);
        if (box)
            open(box);
    };
}
