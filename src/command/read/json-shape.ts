import { decodeLine } from '../../core/bytes/text.ts';
import { inSingleQuotes } from '../arguments/call.ts';
import { type Remedy, WrongKind } from './file-kind.ts';

/** At most this many bytes of a text are examined. */
const START_BYTES = 1 << 16;

/**
 * Whether a text that begins with these bytes is not JSON but perhaps lines of it; undefined if it takes more of the
 * text to tell.
 *
 * @param field the field of each object that is to be read
 * @throws {WrongKind} where it is one array or object
 */
export function mustNotBeWhole(start: Uint8Array, field?: string): true | undefined {
  const text = decodeLine(start.subarray(0, START_BYTES)).replace(/^[ \t\r\n]+/, '');
  const ifEnough = start.length >= START_BYTES ? true : undefined;
  if (text === '') return ifEnough;
  if (/^\{\s*"log"\s*:\s*\{/.test(text))
    throw new WrongKind('it is a HAR file, not one object per line', {
      program: jq('-c', '.log.entries[]'),
      options: ['--json', 'request.url'],
    });
  if (text.startsWith('[')) {
    const element = /^\[\s*(\S)/.exec(text)?.[1];
    if (element === undefined) return ifEnough;
    if (element === '"')
      throw new WrongKind('it is a JSON array of strings', { program: jq('-r', '.[]'), options: [] });
    if (element === '[') throw new WrongKind('it is a JSON array of arrays', remedyOfRows(text));
    if (element !== '{') return true;
    throw new WrongKind('it is a JSON array, not one object per line', remedyOf(text, '.[]', field));
  }
  const [, first, next] = /^(\{[^\n]*)\n\s*(\S?)/.exec(text) ?? [];
  if (first === undefined) return text.startsWith('{') ? ifEnough : true;
  if (!/[{[,]\s*$/.test(first)) return true;
  if (next === '') return ifEnough;
  if (next !== '"') return true;
  throw new WrongKind('it is JSON over several lines, not one object per line', remedyOf(text, '.', field));
}

/** The way to a value in JSON: names of members and indexes of elements. */
type Path = readonly (string | number)[];

/** Whether a text begins as an absolute URL does. */
export function isUrlLike(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** Returns the path to the first string that is like a URL in what may be the beginning of a JSON text. */
function pathOfUrl(text: string): Path | undefined {
  const path: (string | number)[] = [];
  for (const [token, , end, colon] of text.matchAll(/"((?:[^"\\]|\\.)*)("?)\s*(:?)|[[\]{},]/g)) {
    if (token === '{' || token === '[') path.push(token === '{' ? '' : 0);
    else if (token === '}' || token === ']') path.pop();
    else if (token === ',') path.push(nextOf(path.pop()));
    else if (end === '') return undefined;
    else if (colon === ':') path.splice(-1, 1, textIn(token.slice(0, -1)));
    else if (isUrlLike(textIn(token))) return path;
  }
  return undefined;
}

function nextOf(place: string | number | undefined): string | number {
  return typeof place === 'number' ? place + 1 : '';
}

function textIn(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return '';
  }
}

/** Returns what makes lines of the objects, or of the strings, among which the first URL is. */
function remedyOf(text: string, whole: string, field: string | undefined): Remedy | undefined {
  const path = pathOfUrl(text) ?? [];
  const last = path.findLastIndex((place) => typeof place === 'number');
  const names = path.slice(last + 1) as string[];
  const found = names.join('.');
  if (path.length > 0 && (field === undefined || field === found)) {
    const each = jqEach(path.slice(0, last + 1));
    if (names.length === 0) return { program: jq('-r', each), options: [] };
    if (names.length === 1 || !names.some((name) => name.includes('.')))
      return { program: jq('-c', each), options: ['--json', found] };
  }
  return field === undefined ? undefined : { program: jq('-c', whole), options: ['--json', field] };
}

/** Returns what reads JSON lines that begin with these bytes, by the field of the first URL. */
export function remedyOfLines(start: Uint8Array): Remedy | undefined {
  const path = pathOfUrl(decodeLine(start.subarray(0, START_BYTES))) ?? [];
  const isField = path.length > 0 && path.every((place) => typeof place === 'string');
  const isPlain = path.length === 1 || !path.some((place) => String(place).includes('.'));
  return isField && isPlain ? { options: ['--json', path.join('.')] } : undefined;
}

/** Returns an expression of jq for all elements of the arrays at a path. */
function jqEach(path: Path): string {
  let each = '';
  for (let at = 0, start = 0; at < path.length; at++)
    if (typeof path[at] === 'number') {
      each += `${at === start ? '' : jqPath(path.slice(start, at) as string[])}[]`;
      start = at + 1;
    }
  return each.startsWith('.') ? each : `.${each}`;
}

/** Returns what makes a table of an array of arrays, by the name of the column of URLs if the first array has names. */
function remedyOfRows(text: string): Remedy | undefined {
  const [row, column, ...rest] = pathOfUrl(text) ?? [];
  if (typeof row !== 'number' || typeof column !== 'number' || rest.length > 0) return undefined;
  const header = row === 0 ? [] : textsIn(/^\[\s*(\[[^\]]*\])/.exec(text)?.[1]);
  return {
    program: jq('-r', '.[] | @csv'),
    options: ['--csv', '-f', header[column] ?? String(column + 1)],
  };
}

function textsIn(json = '[]'): string[] {
  try {
    return (JSON.parse(json) as unknown[]).map(String);
  } catch {
    return [];
  }
}

/** Returns the command line of jq with an expression, which prints JSON, or texts as they are with the option -r. */
export function jq(option: '-c' | '-r', expression: string): string {
  const quoted = /^[\w.]+$/.test(expression) ? expression : inSingleQuotes(expression);
  return `jq ${option} ${quoted} FILE`;
}

/** Returns an expression of jq for what lies at a path of names. */
export function jqPath(names: readonly string[]): string {
  const spelled = names.map((name, at) => {
    const isWord = /^[A-Za-z_]\w*$/.test(name);
    return isWord ? `.${name}` : `${at === 0 ? '.' : ''}[${JSON.stringify(name)}]`;
  });
  return spelled.join('') || '.';
}
