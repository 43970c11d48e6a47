// Counts who looks at what could cost time or fail, while the entries given, `urlsum` first, are imported and after;
// prints what was looked at: for each entry, and after.
const ENTRIES = process.argv.slice(2);
const WATCHED = [
  ...['WebAssembly', 'SharedArrayBuffer', 'TextEncoder', 'TextDecoder', 'atob', 'URL', 'crypto'],
  ...['process', 'fetch', 'setTimeout', 'ReadableStream', 'TransformStream'],
];
const seen = [];
for (const name of WATCHED.filter((each) => each in globalThis)) {
  const value = globalThis[name];
  const get = () => {
    seen.push(name);
    return value;
  };
  Object.defineProperty(globalThis, name, { get });
}

const entries = [];
const imported = {};
for (const entry of ENTRIES) {
  entries.push(await import(entry));
  imported[entry] = seen.splice(0);
}
entries[0].UrlHash.of('https://example.com/');
console.log(JSON.stringify({ imported, used: seen }));
