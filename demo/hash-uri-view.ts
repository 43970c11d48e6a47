import { type HashUri, isPotentialHashUri, isPotentialTrustyUri, parse } from '../src/hash-uri/index.ts';
import { type Child, element } from './element.ts';
import { code, visible } from './text.ts';
import { rows, value } from './value.ts';

/** The definition looks at so many characters, and at nothing before them. */
const TAIL_LENGTH = 25;

/** Is it a potential hash-URI, which characters say so, and what would its parts be? */
export function hashUriView(uri: string): HTMLElement[] {
  const isPotential = isPotentialHashUri(uri);
  const parts = parse(uri);
  return [
    element('p', { class: 'verdict' }, verdict(isPotential, parts)),
    tailView(uri),
    ...(parts === undefined ? [] : [partsView(parts)]),
  ];
}

function verdict(isPotential: boolean, parts: HashUri | undefined): string {
  if (isPotential) return 'A potential hash-URI.';
  if (parts !== undefined) return `A potential hash-URI behind which stands the extension ${parts.extension}.`;
  return 'No potential hash-URI.';
}

/** The last 25 characters; those that Base64 does not have are marked. */
function tailView(uri: string): HTMLElement {
  const tail = uri.slice(-TAIL_LENGTH);
  const shown = Array.from(
    tail,
    (character): Child =>
      /[A-Za-z0-9_-]/.test(character) || tail.length < TAIL_LENGTH
        ? character
        : element('mark', { class: 'other' }, visible(character)),
  );
  const before =
    uri.length > TAIL_LENGTH ? element('span', { class: 'faded' }, visible(uri.slice(0, -TAIL_LENGTH))) : undefined;
  return element(
    'div',
    {},
    element('p', { class: 'given' }, code(before, ...shown)),
    element('p', { class: 'remark' }, tailNote(tail)),
  );
}

function tailNote(tail: string): string {
  const others = tail.match(/[^A-Za-z0-9_-]/gu)?.length ?? 0;
  if (tail.length < TAIL_LENGTH) return `It has ${tail.length} characters, fewer than ${TAIL_LENGTH}.`;
  return others === 0
    ? `Its last ${TAIL_LENGTH} characters are Base64 characters.`
    : `Of its last ${TAIL_LENGTH} characters, ${others} ${others === 1 ? 'is no Base64 character' : 'are no Base64 characters'}.`;
}

function partsView({ uri, identifier, type, version, data, hash, extension }: HashUri): HTMLElement {
  return rows(
    ['hash-URI', value('hash-URI', uri)],
    [
      'identifier',
      value('identifier', identifier),
      element('p', { class: 'remark' }, `type ${type}, version ${version}`),
    ],
    ['data', value('data', data)],
    hash === undefined ? undefined : ['hash', value('hash', hash)],
    extension === undefined ? undefined : ['extension', value('extension', extension)],
    [
      'trusty URI',
      element(
        'p',
        {},
        isPotentialTrustyUri(uri)
          ? 'may be one: 45 characters of a known module'
          : 'no: not 45 characters that begin with FA, RA or RB',
      ),
    ],
  );
}
