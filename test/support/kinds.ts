import type { random } from './seed.ts';

type Next = ReturnType<typeof random>;

const one = <T>(next: Next, items: readonly T[]): T => items[next(items.length)]!;
const some = (next: Next, most: number, make: () => string): string =>
  Array.from({ length: next(most + 1) }, make).join('');

const WORDS = ['shop', 'news', 'blog', 'a', 'item-7', 'archive', 'index.html', 'x_y', '2026', 'search', 'p', 'en'];
const word = (next: Next) => `${one(next, WORDS)}${next(3) === 0 ? next(100_000) : ''}`;
const host = (next: Next) => `${some(next, 2, () => `${word(next).replaceAll('.', '')}.`)}example${next(997)}.com`;
const path = (next: Next) => some(next, 4, () => `/${word(next)}`);
const rest = (next: Next) =>
  `/${word(next)}${next(2) === 0 ? `?${word(next)}=${next(9999)}&q=${word(next)}` : ''}${next(8) === 0 ? `#${word(next)}` : ''}`;
const beyond = (next: Next) => one(next, ['ü', 'é', 'ページ', 'привет', '한국', '😀', 'नमस्ते', 'ß', '中文']);
const label = (next: Next) =>
  one(next, ['bücher', 'münchen', 'faß', '日本語', 'пример', 'παράδειγμα', '한국', 'añejo', 'čeština']);
/** Labels each of whose letters is mapped to one at the most. */
export const MAPPED_LABELS = ['BÜCHER', 'مثال', 'דוגמה', 'उदाहरण', 'ตัวอย่าง', 'việt', '１２', 'ab\u00adc', '日本。語'];
const mappedLabel = (next: Next) => one(next, [...MAPPED_LABELS, 'ﬁn', 'Ⅷ', 'e\u0301']);
const piece = (next: Next) => one(next, ['0', '1', 'ff', 'AB', '0db8', 'CDEF', '00']);

function ipv6(next: Next): string {
  if (next(2) === 0) return Array.from({ length: 8 }, () => piece(next)).join(':');
  const before = next(5);
  return `${Array.from({ length: before }, () => piece(next)).join(':')}::${Array.from({ length: next(6 - before) + 1 }, () => piece(next)).join(':')}`;
}

function ipv4(next: Next): string {
  const number = (below: number) => {
    const value = next(below);
    return one(next, [String(value), `0x${value.toString(16)}`, `0X${value.toString(16)}`, `0${value.toString(8)}`]);
  };
  const parts = next(4);
  return [...Array.from({ length: parts }, () => number(256)), number(256 ** (4 - parts))].join('.');
}

/** Lines that are URLs, by what must be done to them: each kind takes one step of the standard that others lack. */
export const KINDS: Readonly<Record<string, (next: Next) => string>> = {
  plain: (next) => `https://${host(next)}${path(next)}${rest(next)}`,
  'bare host': (next) => `https://${host(next)}`,
  space: (next) => `https://${host(next)}${path(next)}/a b${rest(next)}`,
  'path beyond ASCII': (next) => `https://${host(next)}${path(next)}/${beyond(next)}${rest(next)}`,
  'upper case': (next) => `${one(next, ['HTTP', 'Https', 'https'])}://WWW.${host(next)}${path(next)}${rest(next)}`,
  'default port': (next) =>
    `${one(next, ['http://@:80', 'https://@:443', 'ws://@:80']).replace('@', host(next))}${rest(next)}`,
  'one of 400 hosts beyond ASCII': (next) => `https://${label(next)}${next(44)}.example${path(next)}${rest(next)}`,
  'new host beyond ASCII': (next) => `https://${label(next)}${next(1e9)}.example${path(next)}${rest(next)}`,
  'one of 400 hosts that are mapped': (next) =>
    `https://${mappedLabel(next)}.${label(next)}${next(4)}.example${rest(next)}`,
  'new host that is mapped': (next) => `https://${mappedLabel(next)}.${label(next)}${next(1e9)}.example${rest(next)}`,
  'dot segments': (next) =>
    `https://${host(next)}${path(next)}/${one(next, ['..', '.', '../../..'])}${path(next)}${rest(next)}`,
  'escaped dot segments': (next) =>
    `https://${host(next)}${path(next)}/${one(next, ['%2e', '%2E.', '.%2e', '%2e%2E'])}${path(next)}${rest(next)}`,
  user: (next) =>
    `https://${one(next, ['user', 'u:p', 'a%20b:c', "o'neil:pass word", ':p'])}@${host(next)}${rest(next)}`,
  IPv4: (next) => `http://${ipv4(next)}${rest(next)}`,
  IPv6: (next) => `http://[${ipv6(next)}]${rest(next)}`,
  file: (next) =>
    `${one(next, ['file:///c|', 'file:///C:', 'FILE://', 'file://localhost', 'file:\\\\', `file://${host(next)}`])}/${word(next)}/..${path(next)}${rest(next)}`,
  opaque: (next) => `mailto:${word(next)}@${host(next)}?subject=${word(next)}`,
};
