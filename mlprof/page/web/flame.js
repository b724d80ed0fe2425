// The flame graph and the inverted flame graph on a canvas: the width of a box is its share. Keys
// move a cursor over the boxes.

import {amount_text, number_text, percent_text} from './numbers.js';
import {shorten} from './names.js';
import {draw, make} from './elements.js';
import {go, state, state_write} from './state.js';
import {choice_buttons} from './transformbar.js';
import {folded_button, picture_button} from './clipboard.js';
import {
    boxes_canvas,
    boxes_children,
    boxes_matched,
    boxes_name,
    boxes_empty,
    boxes_pointer,
    boxes_zoom,
} from './boxes.js';

const BOX = 20;

// Returns the visible boxes of a tree that is WIDTH pixels wide and zoomed to the node ZOOM.
// CHILDREN returns the children of a node in their order.
function flame_boxes(tree, zoom, width, children) {
    // The ancestors of the zoomed node have the full width.
    const ancestors = new Set();
    for (let node = zoom; node >= 0; node = tree.parent[node])
        ancestors.add(node);
    const boxes = [];
    const waiting = [{node: 0, left: 0, depth: 0}];
    while (waiting.length) {
        const box = waiting.pop();
        const is_ancestor = ancestors.has(box.node);
        box.width = is_ancestor
            ? width
            : (tree.weight[box.node] / (tree.weight[zoom] || 1)) * width;
        if (box.width < 0.3)
            continue;
        box.faded = is_ancestor && box.node !== zoom;
        boxes.push(box);
        let left = box.left;
        for (const child of children(box.node)) {
            if (box.faded && !ancestors.has(child))
                continue;
            waiting.push({node: child, left: left, depth: box.depth + 1});
            left += ancestors.has(child)
                ? width
                : (tree.weight[child] / (tree.weight[zoom] || 1)) * width;
        }
    }
    return boxes;
}

// Returns the visible box to which KEY moves from the box CURRENT. Returns CURRENT if there is no
// such box.
function flame_step(tree, boxes, current, key) {
    const parent = node => tree.parent[node];
    const row = list => list.sort((a, b) => a.left - b.left);
    if (key === 'ArrowUp')
        return boxes.find(box => box.node === parent(current.node)) || current;
    if (key === 'ArrowDown')
        return row(boxes.filter(box => parent(box.node) === current.node))[0] || current;
    const siblings = row(boxes.filter(box => parent(box.node) === parent(current.node)));
    return siblings[siblings.indexOf(current) + (key === 'ArrowLeft' ? -1 : 1)] || current;
}

// Returns the boxes as an SVG picture. TIP_OF returns the tip of a box.
function flame_svg(boxes, width, height, colours, tip_of) {
    const svg = draw('svg', {
        width: width,
        height: height,
        viewBox: '0 0 ' + width + ' ' + height,
        'font-family': 'ui-monospace, monospace',
        'font-size': 12,
    },
        draw('rect', {width: width, height: height, fill: colours.ground})
    );
    for (const box of boxes) {
        const part = draw(
            'g',
            box.faded ? {opacity: 0.5} : {},
            draw('title', {}, tip_of(box)),
            draw('rect', {
                x: box.left,
                y: box.depth * BOX,
                width: Math.max(0.3, box.width - 0.6),
                height: BOX - 1,
                fill: box.fill,
            })
        );
        if (box.found)
            part.append(
                draw('rect', {
                    x: box.left,
                    y: box.depth * BOX + BOX - 4,
                    width: Math.max(0.3, box.width - 0.6),
                    height: 3,
                    fill: colours.ink,
                })
            );
        if (box.label)
            part.append(
                draw('text', {x: box.left + 4, y: box.depth * BOX + 14, fill: colours.ink},
                    box.label
                )
            );
        svg.append(part);
    }
    return svg;
}

// Returns the function that shows a view. LOOK, if given, replaces the tree of calls by another
// tree and supplies its colours and tips.
export function flame_show(from_root, look) {
    return function (main, model) {
        const tree = look ? look.tree(main, model) : model.tree(from_root);
        if (!look && !tree.weight[0]) {
            main.append(boxes_empty(model));
            return undefined;
        }
        const zoom = boxes_zoom(tree);
        const name = node =>
            node && look ? look.name(model, tree, node) : boxes_name(model, tree, node);
        const tip_of = box =>
            name(box.node) +
            '\n' +
            (look
                ? look.tip(model, tree, box.node)
                : percent_text(tree.weight[box.node], model.total) +
                  ', ' +
                  amount_text(model, tree.weight[box.node]) +
                  (model.measure.sampled
                      ? ', ' + number_text(tree.weight[box.node]) + ' samples'
                      : '') +
                  (from_root ? '; itself ' + amount_text(model, tree.count[box.node]) : ''));
        const row = node => (!node ? -1 : look ? look.row(model, tree, node) : tree.function[node]);
        const order = state.boxes === 'name' ? 'name' : 'weight';
        const status = make('span', {id: 'told', role: 'status'});
        const bar =
            main.querySelector('.bar-of') || main.appendChild(make('div', {class: 'bar-of'}));
        bar.classList.add('stays');
        bar.append(
            make('span', {},
                'order ',
                ...choice_buttons(
                    'boxes',
                    [
                        ['weight', 'weight', 'those with the most on the left'],
                        ['name', 'name', 'children from A to Z'],
                    ],
                    order
                )
            ),
            picture_button(
                () => flame_svg(boxes, width, height, colours, tip_of),
                'flame.svg',
                'svg'
            ),
            look ? '' : folded_button(model),
            boxes_matched(model, tree, name, look),
            status
        );
        main.style.overflowY = 'scroll';
        const width = main.clientWidth;
        const boxes = flame_boxes(tree, zoom, width, node =>
            boxes_children(tree, node, order === 'name' && name)
        );
        const depth = boxes.reduce((most, box) => Math.max(most, box.depth), 0);
        const height = Math.max(main.clientHeight - 4 - bar.offsetHeight, (depth + 1) * BOX);
        const colours = boxes_canvas(main, width, height, '12px ui-monospace, monospace');
        const {canvas, pen, letter} = colours;
        pen.textBaseline = 'middle';
        for (const box of boxes) {
            const y = box.depth * BOX;
            box.name = name(box.node);
            box.weight = tree.weight[box.node];
            box.fill = colours.fill(box.name, box.node, look && look.colour(tree, box.node));
            pen.globalAlpha = box.faded ? 0.5 : 1;
            pen.fillStyle = box.fill;
            pen.fillRect(box.left, y, Math.max(0.3, box.width - 0.6), BOX - 1);
            // Matching or changed boxes have a mark in addition to their colour.
            const mark = look ? look.mark(tree, box.node) : '';
            box.found = box.node && colours.found(box.name);
            if (box.found) {
                pen.fillStyle = colours.ink;
                pen.fillRect(box.left, y + BOX - 4, Math.max(0.3, box.width - 0.6), 3);
            }
            if (mark && box.width >= letter + 2 && box.width < 4 * letter) {
                box.label = mark;
                pen.fillStyle = colours.ink;
                pen.fillText(mark, box.left + 1, y + BOX / 2);
            }
            if (box.width < 4 * letter)
                continue;
            const room = Math.floor((box.width - 8) / letter);
            const whole =
                box.name + '  ' +
                (look ? look.brief(model, tree, box.node) : percent_text(box.weight, model.total));
            box.label =
                whole.length <= room
                    ? whole
                    : mark
                      ? mark + shorten(box.name, room - 1)
                      : shorten(box.name, room);
            pen.fillStyle = colours.ink;
            pen.fillText(box.label, box.left + 4, y + BOX / 2);
        }
        const open = function (box) {
            tree.cursor = box.node;
            go({zoom: box.node, f: row(box.node)});
        };
        boxes_pointer(
            canvas,
            (x, y) =>
                boxes.find(
                    box =>
                        box.depth === Math.floor(y / BOX) &&
                        x >= box.left &&
                        x < box.left + box.width
                ),
            tip_of,
            open
        );
        canvas.boxes = boxes;
        const cursor = main.appendChild(make('div', {id: 'cursor'}));
        const point = function (box) {
            cursor.hidden = !box;
            status.textContent = box
                ? tip_of(box).replace('\n', ': ').replace(/\n/g, '; ')
                : 'arrows: along the boxes';
            if (!box)
                return;
            cursor.style.left = canvas.offsetLeft + box.left + 'px';
            cursor.style.top = canvas.offsetTop + box.depth * BOX + 'px';
            cursor.style.width = Math.max(3, box.width) + 'px';
            cursor.scrollIntoView({block: 'nearest'});
        };
        const chosen = () =>
            tree.cursor === undefined ? undefined : boxes.find(box => box.node === tree.cursor);
        point(chosen());
        return function (event) {
            const current = chosen();
            if (event.key === 'Enter' && current && !event.target.closest('button'))
                open(current);
            else if (event.key === 'Escape' && current && !zoom) {
                tree.cursor = undefined;
                point();
            } else if (event.key.startsWith('Arrow')) {
                const next = current
                    ? flame_step(tree, boxes, current, event.key)
                    : boxes.find(box => box.node === zoom);
                tree.cursor = next.node;
                state_write({f: row(next.node)}, true);
                point(next);
            } else
                return false;
            return true;
        };
    };
}

export const flame_view = {
    title: 'Flame graph',
    key: '3',
    needs: 'stacks',
    show: flame_show(true),
};

export const inverted_view = {
    title: 'Inverted',
    key: '4',
    needs: 'stacks',
    show: flame_show(false),
};
