// Counts who looks at what could cost time or fail, while the entries given, `urlsum` first, are imported and after;
// prints both counts.
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
for (const entry of ENTRIES) entries.push(await import(entry));
const imported = [...seen];
entries[0].UrlHash.of('https://example.com/');
console.log(JSON.stringify({ imported, used: seen.slice(imported.length) }));
