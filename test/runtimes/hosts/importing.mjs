// Counts who looks at what could cost time or fail, while the entries are imported and after; prints both counts.
const WATCHED = ['WebAssembly', 'TextEncoder', 'TextDecoder', 'atob', 'URL', 'crypto', 'process', 'fetch', 'setTimeout', 'ReadableStream', 'TransformStream', 'SharedArrayBuffer', 'Worker'];
const seen = [];
for (const name of WATCHED.filter((each) => each in globalThis)) {
  const value = globalThis[name];
  Object.defineProperty(globalThis, name, { get: () => (seen.push(name), value) });
}

const entries = [];
for (const name of ['urlsum', 'urlsum/slim', 'urlsum/stream', 'urlsum/safe-browsing', 'urlsum/hashed-uri', 'urlsum/hash-uri', 'urlsum/inline', 'urlsum/js']) {
  entries.push(await import(name));
}
const imported = [...seen];
entries[0].UrlHash.of('https://example.com/');
console.log(JSON.stringify({ imported, used: seen.slice(imported.length) }));
