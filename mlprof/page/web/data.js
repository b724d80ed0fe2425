'use strict';
// The page's data: reads what mlprof has put into the file (mlprof/page/page-data.h).

var page = {};

// The data are compressed with gzip, in base64.
page.read = async function () {
    const text = atob(document.getElementById('data').textContent);
    const bytes = Uint8Array.from(text, c => c.charCodeAt(0));
    if (typeof DecompressionStream === 'undefined')
        throw new Error('this browser cannot decompress data; Chromium 80, Firefox 113, Safari 16.4 and later ones can');
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return JSON.parse(await new Response(stream).text());
};
