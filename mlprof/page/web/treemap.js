// The tree map. A function is an area in proportion to its share, and the areas of its callees are
// inside it. The tree map is drawn on a canvas.

import {make} from './elements.js';
import {percent_text} from './numbers.js';
import {shorten} from './names.js';
import {go} from './state.js';
import {
    boxes_canvas,
    boxes_children,
    boxes_matched,
    boxes_name,
    boxes_empty,
    boxes_pointer,
    boxes_zoom,
} from './boxes.js';

// Divides a rectangle among weights, which are sorted by decreasing size, so that the parts are
// nearly square (Bruls, Huizing, van Wijk, "Squarified treemaps", 2000). Calls PLACE with the index
// and the part.
function treemap_divide(weights, left, top, width, height, place) {
    let sum = weights.reduce((a, b) => a + b, 0);
    for (let first = 0; first < weights.length && sum > 0 && width > 0 && height > 0;) {
        const side = Math.min(width, height);
        const area = (width * height) / sum;
        const worst = (row, least, most) =>
            Math.max(
                (side * side * most) / (row * row * area),
                (row * row * area) / (side * side * least)
            );
        let end = first + 1;
        let row = weights[first];
        while (
            end < weights.length &&
            worst(row + weights[end], weights[end], weights[first]) <=
                worst(row, weights[end - 1], weights[first])
        )
            row += weights[end++];
        const thick = (row * area) / side;
        for (let i = first, offset = 0; i < end; i++) {
            const long = (weights[i] / row) * side;
            if (width >= height)
                place(i, left, top + offset, thick, long);
            else
                place(i, left + offset, top, long, thick);
            offset += long;
        }
        if (width >= height) {
            left += thick;
            width -= thick;
        } else {
            top += thick;
            height -= thick;
        }
        sum -= row;
        first = end;
    }
}

const EDGE = 15;

export const treemap_view = {
    title: 'Tree map',
    key: '8',
    needs: 'stacks',
    show: function (main, model) {
        const tree = model.tree(true);
        if (!tree.weight[0]) {
            main.append(boxes_empty(model));
            return;
        }
        const zoom = boxes_zoom(tree);
        const boxes = [];
        const matched = boxes_matched(model, tree, node => boxes_name(model, tree, node));
        const bar = matched && main.appendChild(make('div', {class: 'bar-of'}, matched));
        const width = main.clientWidth;
        const height = main.clientHeight - 4 - (bar ? bar.offsetHeight : 0);
        const {canvas, pen, letter, ink, ground, fill, found} = boxes_canvas(
            main,
            width,
            height,
            '11px system-ui, sans-serif'
        );
        pen.textBaseline = 'top';
        const waiting = [{node: zoom, left: 0, top: 0, width: width, height: height}];
        while (waiting.length) {
            const box = waiting.pop();
            const name = boxes_name(model, tree, box.node);
            boxes.push(Object.assign({name: name, weight: tree.weight[box.node]}, box));
            pen.fillStyle = fill(name, box.node);
            pen.fillRect(box.left, box.top, box.width, box.height);
            pen.strokeStyle = ground;
            pen.strokeRect(box.left + 0.5, box.top + 0.5, box.width - 1, box.height - 1);
            // Mark matches by more than their colour: with a frame in the margin around the inner
            // boxes.
            if (box.node && found(name)) {
                pen.strokeStyle = ink;
                pen.lineWidth = 2;
                pen.strokeRect(
                    box.left + 1,
                    box.top + 1,
                    Math.max(0, box.width - 2),
                    Math.max(0, box.height - 2)
                );
                pen.lineWidth = 1;
            }
            const room = Math.floor((box.width - 6) / letter);
            if (room >= 3 && box.height >= EDGE) {
                const share = '  ' + percent_text(tree.weight[box.node], model.total);
                pen.fillStyle = ink;
                pen.fillText(
                    name.length + share.length <= room ? name + share : shorten(name, room),
                    box.left + 3,
                    box.top + 2
                );
            }
            // Leave room for the name and for the function's self time.
            const inner = {
                left: box.left + 2,
                top: box.top + EDGE,
                width: box.width - 4,
                height: box.height - EDGE - 2,
            };
            const children = boxes_children(tree, box.node);
            const part =
                children.reduce((sum, child) => sum + tree.weight[child], 0) /
                (tree.weight[box.node] || 1);
            if (inner.width < 4 || inner.height < 4)
                continue;
            treemap_divide(
                children.map(child => tree.weight[child]),
                inner.left,
                inner.top,
                inner.width >= inner.height ? inner.width * part : inner.width,
                inner.width >= inner.height ? inner.height : inner.height * part,
                function (i, left, top, wide, high) {
                    if (wide >= 2 && high >= 2)
                        waiting.push({
                            node: children[i],
                            left: left,
                            top: top,
                            width: wide,
                            height: high,
                        });
                }
            );
        }
        // Search from the end, because the innermost box was drawn last.
        boxes_pointer(
            canvas,
            (x, y) =>
                boxes.findLast(
                    b => x >= b.left && x < b.left + b.width && y >= b.top && y < b.top + b.height
                ),
            box =>
                box.name + '\n' + percent_text(box.weight, model.total) + ', itself ' +
                percent_text(tree.count[box.node], model.total),
            box =>
                go({
                    zoom: box.node === zoom ? Math.max(0, tree.parent[box.node]) : box.node,
                    f: box.node ? tree.function[box.node] : -1,
                })
        );
        canvas.boxes = boxes;
    },
};
