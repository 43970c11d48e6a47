import {
  END,
  HEX,
  LINE,
  LITERAL,
  PLAIN_FORM,
  PLAIN_LINE,
  QUOTED_WORDS,
  TEMPLATE_BYTES,
  WORDS,
} from '../../../assembly/text-lines/layout.ts';

export type LineFormatName = 'text' | 'hex' | 'u64' | 'tsv' | 'ndjson';

/** The formats of one line per row: fields, and what stands between them. */
const TEMPLATES: Readonly<Record<LineFormatName, (profile: string) => readonly (number | string)[]>> = {
  text: () => [HEX, '  ', LINE],
  hex: () => [HEX],
  u64: () => [WORDS],
  tsv: (profile) => [PLAIN_LINE, '\t', PLAIN_FORM, '\t', HEX, `\t${profile}`],
  ndjson: (profile) => [
    '{"url":"',
    PLAIN_LINE,
    '","canonical":"',
    PLAIN_FORM,
    '","hash":"',
    HEX,
    '","u64":["',
    QUOTED_WORDS,
    `"],"profile":"${profile}"}`,
  ],
};

/** Undefined where it has no room in the module's memory: a profile names any number of parameters. */
export function templateOf(format: LineFormatName, profile: string): Uint8Array | undefined {
  const template = encoded(TEMPLATES[format](profile));
  return template.length > TEMPLATE_BYTES ? undefined : template;
}

/** What a record gains: a field after `before`, and `after` it. */
export function fieldTemplate(format: 'hex' | 'u64', before: string, after: string): Uint8Array {
  return encoded([before, ...TEMPLATES[format](''), after]);
}

/** As assembly/text-lines/layout.ts describes it. */
function encoded(parts: readonly (number | string)[]): Uint8Array {
  return Uint8Array.from([
    ...parts.flatMap((part) => (typeof part === 'number' ? part : literals(Buffer.from(part)))),
    END,
  ]);
}

function literals(bytes: Uint8Array): number[] {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, index) =>
    bytes.subarray(255 * index, 255 * (index + 1)),
  );
  return pieces.flatMap((piece) => [LITERAL, piece.length, ...piece]);
}

/** Do its lines hold the canonical form? */
export function hasForms(format: string): boolean {
  return TEMPLATES[format as LineFormatName]?.('').includes(PLAIN_FORM) === true;
}
