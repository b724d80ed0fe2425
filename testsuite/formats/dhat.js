// SPDX-License-Identifier: GPL-3.0-or-later
// dhat.js DH_VIEW FILE: what valgrind's viewer builds of the file, after its checks: a line
// `DEPTH BYTES BLOCKS FRAME' for each frame of its tree. Its page is not there, only its code.

"use strict";
const fs = require("fs");
const vm = require("vm");

const element = new Proxy(function () {}, {
    get: (target, name) => (name === Symbol.toPrimitive ? () => "" : name === "childNodes" ? [] : element),
    set: () => true,
    apply: () => element,
});
const context = vm.createContext({ document: element, window: {}, console, Intl, performance });
vm.runInContext(fs.readFileSync(process.argv[2], "utf8"), context);
context.text = fs.readFileSync(process.argv[3], "utf8");
const lines = vm.runInContext(`
    gData = JSON.parse(text);
    gSelect = { childNodes: gSelectData.map(() => ({})), selectedIndex: 0 };
    buildTree();
    (function walk(node, depth, lines) {
        node._frames.forEach((frame, i) => {
            lines.push([depth + i, node._totalBytes, node._totalBlocks, gData.ftbl[frame]].join(" "));
        });
        for (const kid of node._kids || [])
            walk(kid, depth + node._frames.length, lines);
        return lines;
    })(gRoot, 0, []);
`, context);
console.log(lines.join("\n"));
