// UTS #46 with the tables of a pinned Unicode version: most of this package's size, so bundled once for all runtimes,
// and loaded when the first domain comes that needs them.

interface Uts46 {
  toASCII(domain: string, options: Readonly<Record<string, boolean>>): string | null;
  toUnicode(domain: string, options: Readonly<Record<string, boolean>>): { readonly domain: string };
}
declare function require(name: 'tr46'): Uts46;

export function uts46(): Uts46 {
  return require('tr46');
}
