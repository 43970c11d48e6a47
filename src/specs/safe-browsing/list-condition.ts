/** The result of the `!#if` around lines of a filter list: true, false (for another blocker), or not known. */
export type Condition = 'holds' | 'fails' | 'unknown';

/**
 * Blockers, platforms and capabilities that filter lists ask for: a list of hosts and pages has none. `true` and
 * `false` are what they say.
 *
 * @see https://github.com/gorhill/uBlock/wiki/Static-filter-syntax#pre-parsing-directives
 * @see https://adguard.com/kb/general/ad-filtering/create-own-filters/#preprocessor-directives
 */
const FALSE_NAMES = new RegExp(
  `^(?:${[
    'false|ext_ublock|ext_ubol|ext_devbuild|ext_abp|adguard|adguard_(?:app|ext)_[a-z0-9_]+',
    'env_(?:chromium|edge|firefox|legacy|mobile|mv3|safari)',
    'cap_(?:html_filtering|user_stylesheet|ipaddress)',
  ].join('|')})$`,
);

/** The longest expression that is read, in characters: each parenthesis takes a call. */
const LENGTH_LIMIT = 1000;

/** Says whether an expression of `!#if` holds: names, `!`, `&&`, `||` and parentheses. */
export function conditionOf(expression: string): Condition {
  const tokens = expression.length > LENGTH_LIMIT ? null : expression.match(/[\w-]+|&&|\|\||[!()]|\S/g);
  if (tokens === null || tokens.some((token) => /\w/.test(token) && token !== 'true' && !FALSE_NAMES.test(token)))
    return 'unknown';
  const holds = anyOf(tokens);
  return holds === undefined || tokens.length > 0 ? 'unknown' : holds ? 'holds' : 'fails';
}

type Tokens = string[];

/** Takes `A || B` from the tokens; undefined where they are not an expression. && binds more closely. */
function anyOf(tokens: Tokens): boolean | undefined {
  let holds = allOf(tokens);
  while (holds !== undefined && tokens[0] === '||') {
    tokens.shift();
    const other = allOf(tokens);
    holds = other === undefined ? undefined : holds || other;
  }
  return holds;
}

function allOf(tokens: Tokens): boolean | undefined {
  let holds = one(tokens);
  while (holds !== undefined && tokens[0] === '&&') {
    tokens.shift();
    const other = one(tokens);
    holds = other === undefined ? undefined : holds && other;
  }
  return holds;
}

function one(tokens: Tokens): boolean | undefined {
  const token = tokens.shift();
  if (token === undefined) return undefined;
  if (/\w/.test(token)) return token === 'true';
  const holds = token === '!' ? one(tokens) : token === '(' ? anyOf(tokens) : undefined;
  if (holds === undefined || (token === '(' && tokens.shift() !== ')')) return undefined;
  return token === '!' ? !holds : holds;
}
