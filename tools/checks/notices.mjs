// Writes THIRD-PARTY-NOTICES: whose code and data the files in dist/ hold, and under which
// licences.
// `node tools/checks/notices.mjs` writes it; with --check it only compares.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bundledFiles, packagesOf } from './bundled.mjs';

const FILE = 'THIRD-PARTY-NOTICES';
const licence = (name) => readFileSync(`tools/checks/licences/${name}.txt`, 'utf8');

/** Packages that come without the text of their licence. */
const TEXTS = {
  '@bufbuild/protobuf': () =>
    `Copyright 2021-2026 Buf Technologies, Inc.\n\n${licence('apache-2.0')}\n` +
    `Its reader and writer of variable-length numbers:\n\n${commentAtTopOf('@bufbuild/protobuf/dist/esm/wire/varint.js')}`,
  '@rubensworks/saxes': () => `Copyright Louis-Dominique Dubeau and contributors to saxes\n\n${licence('isc')}`,
};

/** Data that files among the inputs hold or were made from. */
const DATA = [
  {
    title: 'Unicode Character Database and UTS #46 tables (Unicode-3.0)',
    input: /tr46\/lib\/mappingTable|src\/core\/url\/unicode/,
    text: () => licence('unicode-3.0'),
  },
  {
    title: 'Public Suffix List (MPL-2.0)',
    input: /tldts\/dist\/.*trie|src\/specs\/safe-browsing\/.*public-suffix/,
    text: () =>
      'Its source form is at https://publicsuffix.org/list/public_suffix_list.dat, its licence at\n' +
      'https://mozilla.org/MPL/2.0/.\n',
  },
];

/** Code that the C library holds beside the module: urlsum.c includes it, and so do the packages that bring it. */
const OF_NATIVE = [
  { title: 'wasm2c runtime of WABT 1.0.42 (Apache-2.0), in the C library', licence: 'apache-2.0' },
  { title: 'SIMD Everywhere (MIT), in the C library', licence: 'simde' },
];

function commentAtTopOf(path) {
  const lines = readFileSync(`node_modules/${path}`, 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return `${lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n')}\n`;
}

function textOf({ name, folder }) {
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file !== undefined) return readFileSync(`${folder}/${file}`, 'utf8');
  if (name in TEXTS) return TEXTS[name]();
  throw new Error(`${name} comes without the text of its licence: tools/checks/notices.mjs must have it`);
}

function packageNotice(bundled) {
  const { name, version, license } = bundled;
  return notice(`${name} ${version} (${license.replaceAll(/[()]/g, '')})`, textOf(bundled));
}

const notice = (title, text) => `${'-'.repeat(80)}\n${title}\n\n${text.replaceAll('\r', '').trim()}\n`;

const files = await bundledFiles();
for (const { title, input } of DATA)
  if (!files.some((path) => input.test(path))) throw new Error(`no file holds the ${title}: is it bundled still?`);

const notices = [
  'The files of urlsum hold code and data of others. tools/checks/notices.mjs writes this list from what is bundled.\n',
  ...packagesOf(files).map(packageNotice),
  ...DATA.map(({ title, text }) => notice(title, text())),
  ...OF_NATIVE.map(({ title, licence: name }) => notice(title, licence(name))),
].join('\n');

if (!process.argv.includes('--check')) writeFileSync(FILE, notices);
else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== notices) {
  console.error(`${FILE} is not what is bundled: run \`node tools/checks/notices.mjs\``);
  process.exit(1);
}
