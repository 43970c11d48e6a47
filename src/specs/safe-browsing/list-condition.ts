/** Whether lines of a filter list count: what stands above them holds, is for other blockers, or cannot be told. */
export type Condition = 'holds' | 'fails' | 'unknown';

/**
 * Blockers, platforms and capabilities that filter lists ask for: a list of hosts and pages has none. `true` and
 * `false` are what they say.
 *
 * @see https://github.com/gorhill/uBlock/wiki/Static-filter-syntax#pre-parsing-directives
 * @see https://adguard.com/kb/general/ad-filtering/create-own-filters/#preprocessor-directives
 */
const OF_OTHERS = new RegExp(
  `^(?:${[
    'false|ext_ublock|ext_ubol|ext_devbuild|ext_abp|adguard|adguard_(?:app|ext)_[a-z0-9_]+',
    'env_(?:chromium|edge|firefox|legacy|mobile|mv3|safari)',
    'cap_(?:html_filtering|user_stylesheet|ipaddress)',
  ].join('|')})$`,
);

/** Longer than any that somebody wrote; reducing it takes time in proportion to its square. */
const LENGTH_LIMIT = 1000;

/** Operators and what they are written as while an expression is reduced: each is one character. */
const OPERATORS: Readonly<Record<string, string>> = { '&&': '&', '||': '|', '!': '!', '(': '(', ')': ')' };

/** Parts that have a value whatever stands around them, by what binds more closely: parentheses and `!`, `&&`, `||`. */
const REDUCTIONS: readonly (readonly [part: RegExp, value: string])[] = [
  [/\(1\)|!0/, '1'],
  [/\(0\)|!1/, '0'],
  [/(?<!!)1&1/, '1'],
  [/(?<!!)(?:0&[01]|1&0)/, '0'],
  [/(?<![!&])0\|0(?!&)/, '0'],
  [/(?<![!&])(?:1\|[01]|0\|1)(?!&)/, '1'],
];

/** Says whether an expression of `!#if` holds: names, `!`, `&&`, `||` and parentheses. */
export function conditionOf(expression: string): Condition {
  const tokens = expression.length > LENGTH_LIMIT ? null : expression.match(/[\w-]+|&&|\|\||[!()]|\S/g);
  if (tokens === null || tokens.some((token) => /\w/.test(token) && token !== 'true' && !OF_OTHERS.test(token)))
    return 'unknown';
  let text = tokens
    .map((token) => (/\w/.test(token) ? String(Number(token === 'true')) : (OPERATORS[token] ?? '?')))
    .join('');
  for (let length = 0; length !== text.length; ) {
    length = text.length;
    text = REDUCTIONS.reduce((reduced, [part, value]) => reduced.replace(part, value), text);
  }
  return text === '1' ? 'holds' : text === '0' ? 'fails' : 'unknown';
}
