import {
  END,
  HEX,
  LINE,
  LITERAL,
  PLAIN_FORM,
  PLAIN_LINE,
  QUOTED_WORDS,
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

export function templateOf(format: LineFormatName, profile: string): Uint8Array {
  return encoded(TEMPLATES[format](profile));
}

/** What a record gains: a field after `before`, and `after` it. */
export function fieldTemplate(format: 'hex' | 'u64', before: string, after: string): Uint8Array {
  return encoded([before, ...TEMPLATES[format](''), after]);
}

/** As assembly/text-lines/layout.ts describes it. */
function encoded(parts: readonly (number | string)[]): Uint8Array {
  return Uint8Array.from([
    ...parts.flatMap((part) => (typeof part === 'number' ? part : [LITERAL, part.length, ...Buffer.from(part)])),
    END,
  ]);
}

/** Do its lines hold the canonical form? */
export function hasForms(format: string): boolean {
  return TEMPLATES[format as LineFormatName]?.('').includes(PLAIN_FORM) === true;
}
