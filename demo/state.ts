import { FOLDS, type Fold } from '../src/core/url/page-rules.ts';
import type { Width } from '../src/index.ts';

/** The state of the page, as the fragment of its address says it: `url=…&line=2&mode=union`. */
export interface State extends FileOptions {
  readonly text: string;
  /** From 0. */
  readonly line: number;
  readonly panel: Panel;
  readonly profile: 'v5' | 'web-risk';
  readonly mode: 'spec' | 'browser' | 'union';
  readonly keep: readonly ('frag' | 'query')[];
  readonly excluded: 'reject' | 'escape';
  /** The seed of the benchmark's URLs. */
  readonly seed: number;
  readonly urls: number;
}

export const PANELS = ['url', 'safe-browsing', 'hashed-uri', 'hash-uri'] as const;
const FORM_SWITCHES = ['page-2026', 'exclude-fragment', 'tracking-2026', 'sort-params'] as const;

type Panel = (typeof PANELS)[number];
type FormSwitch = (typeof FORM_SWITCHES)[number];

/** Options of the canonical form, which docs/parameters.md defines. */
export interface FormChoice {
  readonly form: readonly FormSwitch[];
  readonly fold: readonly Fold[];
  /** Names with commas between them. */
  readonly drop: string;
  readonly only: string;
  /** The text of rules for sites. */
  readonly rules: string;
}

/** How a file is read, and what is written. */
export interface FileOptions extends FormChoice {
  /** The URL that relative URLs are resolved against; empty: none. */
  readonly base: string;
  readonly rows: 'lines' | 'csv' | 'json';
  /** The column of a table by name or number from 1, or the path of a field of JSON lines; empty for lines. */
  readonly column: string;
  /** The format of lines; records gain a field. */
  readonly format: 'text' | 'hex' | 'bin';
  readonly width: Width;
}

export const DEFAULT: State = {
  // each fits in a line of a phone; the last needs the preset
  text: [
    'HTTPS://Example.com:443/a/../news',
    'https:\\\\ex%61mple.com\\news',
    'https://EXAMPLE.COM/./news',
    'https://example.com:443/news',
    'https://example.com/news',
    'https://example.com/news?gclid=7',
  ].join('\n'),
  line: 0,
  panel: 'url',
  base: '',
  profile: 'v5',
  mode: 'spec',
  form: [],
  fold: [],
  drop: '',
  only: '',
  rules: '',
  keep: [],
  excluded: 'reject',
  rows: 'lines',
  column: '',
  format: 'text',
  width: 32,
  seed: 1,
  urls: 20_000,
};

/** All but the text and its line. */
const OPTIONS = Object.keys(DEFAULT).filter((name) => name !== 'text' && name !== 'line') as (keyof State)[];

/** Units of an address that chat and mail programs leave whole. */
const LONGEST_ADDRESS = 8000;

/** The fragment, with its `#`; undefined where it would be too long to be passed on. */
export function fragmentOf(state: State): string | undefined {
  if (state.text.length > LONGEST_ADDRESS) return undefined;
  const parameters = new URLSearchParams({ url: state.text });
  if (state.line > 0) parameters.set('line', String(state.line + 1));
  for (const name of OPTIONS)
    if (String(state[name]) !== String(DEFAULT[name])) parameters.set(name, String(state[name]));
  const fragment = `#${parameters}`;
  return fragment.length > LONGEST_ADDRESS ? undefined : fragment;
}

/** Reads what an address, or the controls, ask for; what they leave out, or misspell, is as by default. */
export function stateOf(parameters: URLSearchParams): State {
  const oneOf = <Choice extends string | number>(name: string, choices: readonly Choice[], other: Choice): Choice =>
    choices.find((choice) => String(choice) === parameters.get(name)) ?? other;
  const someOf = <Choice extends string>(name: string, choices: readonly Choice[]): Choice[] => {
    const given = parameters.get(name)?.split(',') ?? [];
    return choices.filter((choice) => given.includes(choice));
  };
  return {
    text: parameters.get('url') ?? DEFAULT.text,
    line: Math.max(0, Math.trunc(Number(parameters.get('line'))) - 1 || 0),
    panel: oneOf('panel', PANELS, DEFAULT.panel),
    base: parameters.get('base') ?? DEFAULT.base,
    profile: oneOf('profile', ['v5', 'web-risk'], DEFAULT.profile),
    mode: oneOf('mode', ['spec', 'browser', 'union'], DEFAULT.mode),
    form: someOf('form', FORM_SWITCHES),
    fold: someOf('fold', FOLDS),
    drop: parameters.get('drop') ?? DEFAULT.drop,
    only: parameters.get('only') ?? DEFAULT.only,
    rules: parameters.get('rules') ?? DEFAULT.rules,
    keep: someOf('keep', ['frag', 'query']),
    excluded: oneOf('excluded', ['reject', 'escape'], DEFAULT.excluded),
    rows: oneOf('rows', ['lines', 'csv', 'json'], DEFAULT.rows),
    column: parameters.get('column') ?? DEFAULT.column,
    format: oneOf('format', ['text', 'hex', 'bin'], DEFAULT.format),
    width: oneOf('width', [8, 16, 32], DEFAULT.width),
    seed: seedOf(parameters.get('seed')),
    urls: oneOf('urls', [2000, 20_000, 100_000], DEFAULT.urls),
  };
}

function seedOf(text: string | null): number {
  return text !== null && /^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 ? Number(text) : DEFAULT.seed;
}
