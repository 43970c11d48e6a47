/** What the page shows, as the fragment of its address says it: `url=…&line=2&mode=union`. */
export interface State {
  readonly text: string;
  /** From 0. */
  readonly line: number;
  readonly profile: 'v5' | 'web-risk';
  readonly mode: 'spec' | 'browser' | 'union';
  readonly keep: readonly ('frag' | 'query')[];
  readonly excluded: 'reject' | 'escape';
}

export const DEFAULT: State = {
  // every part of it changes in some specification, none rejects it, and the fragment is the code of a hash-URI
  text: "HTTPS://Example.org:443/a/../B?q='c'#FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk",
  line: 0,
  profile: 'v5',
  mode: 'spec',
  keep: [],
  excluded: 'reject',
};

/** Units of an address that chat and mail programs leave whole. */
const LONGEST_ADDRESS = 8000;

/** The fragment, with its `#`; undefined where it would be too long to be passed on. */
export function fragmentOf(state: State): string | undefined {
  if (state.text.length > LONGEST_ADDRESS) return undefined;
  const { text, line, profile, mode, keep, excluded } = state;
  const parameters = new URLSearchParams({ url: text });
  if (line > 0) parameters.set('line', String(line + 1));
  if (profile !== DEFAULT.profile) parameters.set('profile', profile);
  if (mode !== DEFAULT.mode) parameters.set('mode', mode);
  if (keep.length > 0) parameters.set('keep', keep.join(','));
  if (excluded !== DEFAULT.excluded) parameters.set('excluded', excluded);
  const fragment = `#${parameters}`;
  return fragment.length > LONGEST_ADDRESS ? undefined : fragment;
}

/** What an address asks for; what it leaves out, or misspells, is as by default. */
export function stateOf(fragment: string): State {
  const parameters = new URLSearchParams(fragment.slice(1));
  const oneOf = <Choice extends string>(name: string, choices: readonly Choice[], other: Choice): Choice =>
    choices.find((choice) => choice === parameters.get(name)) ?? other;
  const keep = parameters.get('keep')?.split(',') ?? [];
  return {
    text: parameters.get('url') ?? DEFAULT.text,
    line: Math.max(0, Math.trunc(Number(parameters.get('line'))) - 1 || 0),
    profile: oneOf('profile', ['v5', 'web-risk'], DEFAULT.profile),
    mode: oneOf('mode', ['spec', 'browser', 'union'], DEFAULT.mode),
    keep: (['frag', 'query'] as const).filter((part) => keep.includes(part)),
    excluded: oneOf('excluded', ['reject', 'escape'], DEFAULT.excluded),
  };
}
