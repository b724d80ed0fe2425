// What is shown, as the address of the page says it: #view=summary&sort=cur&...

page.state = {};

page.defaults = {view: 'summary', of: 'functions', sort: 'cur', search: '', change: '', f: '-1', file: '-1', line: '0',
    position: '-1', by: 'cur', zoom: '0', least: '1', asm: '0', part: '-1', insn: '-1', copy: '-1', dials: '', boxes: 'weight'};

page.state_read = function () {
    const words = new URLSearchParams(location.hash.slice(1));
    page.state = Object.assign({}, page.defaults);
    for (const [name, value] of words) if (Object.hasOwn(page.defaults, name)) page.state[name] = value;
};

// Changes the address; a new entry of the history unless it is REPLACED.
page.state_write = function (changes, replaced) {
    const next = Object.assign({}, page.state, changes), words = new URLSearchParams();
    for (const name of Object.keys(page.defaults))
        if (String(next[name]) !== page.defaults[name]) words.set(name, next[name]);
    const hash = '#' + words;
    if (replaced) history.replaceState(null, '', hash);
    else if (hash !== (location.hash || '#')) history.pushState(null, '', hash);
    page.state_read();
};

// Changes what is shown.
page.go = function (changes, replaced) {
    page.state_write(changes, replaced);
    page.render();
};
