import { type HashUri, isPotentialTrustyUri } from '../../src/entries/hash-uri.ts';
import { partsOf } from '../../src/specs/hash-uri/hash-uri.ts';
import { type Child, element } from '../widgets/element.ts';
import { code, folded, visible } from '../widgets/text.ts';
import { rows, value } from '../widgets/value.ts';

/** The definition looks at so many characters, and at nothing before them. */
const TAIL_LENGTH = 25;

/** Shows whether a URI is a potential hash-URI, which characters say so, and its parts. */
export function hashUriView(uri: string): HTMLElement[] {
  const parts = partsOf(uri);
  return [
    element('p', { class: 'verdict' }, verdict(parts)),
    tailView(uri),
    ...(parts === undefined ? [] : [partsView(parts)]),
  ];
}

function verdict(parts: HashUri | undefined): string {
  if (parts === undefined) return 'Not a potential hash-URI.';
  return parts.extension === undefined ? 'A potential hash-URI.' : 'A potential hash-URI with an extension.';
}

/** The last 25 characters; those that Base64 does not have are marked. */
function tailView(uri: string): HTMLElement {
  const tail = uri.slice(-TAIL_LENGTH);
  const shown = Array.from(
    tail,
    (character): Child =>
      /[A-Za-z0-9_-]/.test(character) || tail.length < TAIL_LENGTH
        ? character
        : element('mark', { class: 'other' }, ...visible(character)),
  );
  const before =
    uri.length > TAIL_LENGTH ? element('span', { class: 'faded' }, ...folded(uri.slice(0, -TAIL_LENGTH))) : undefined;
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
    : `Of its last ${TAIL_LENGTH} characters, ${others} ${others === 1 ? 'is not a Base64 character' : 'are not Base64 characters'}.`;
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
