import { usageFault } from '../../fault.ts';
import { APACHE, NGINX } from './escaping.ts';
import { type Field, type Grammar, grammarOf, type Piece, plainField, type Role, textField } from './grammar.ts';
import { NAMED_FORMATS } from './known-formats.ts';

// `--log-format`: what the configuration of nginx or Apache says of a log, or the name of a format.

/** Makes the grammar of a format. @throws {Fault} where it does not tell the URL of a request for certain */
export function logFormat(text: string): Grammar {
  const named = NAMED_FORMATS.get(text.trim().toLowerCase());
  if (named !== undefined) return named();
  try {
    return grammarOf(withOneRequest(/\$\{?[a-z_]/i.test(text) ? nginxPieces(text) : apachePieces(text)));
  } catch (error) {
    throw usageFault(`--log-format: ${(error as Error).message}`);
  }
}

/**
 * Leaves the request to the field that has it as a whole, and to the first of several, since the others may then hold
 * anything. Where the target stands alone, it lacks the host of a request for a whole URL, which Host need not name.
 */
function withOneRequest(format: readonly Piece[]): readonly Piece[] {
  const fields = format.filter((piece): piece is Field => typeof piece === 'object');
  const fieldOf = (role: Role) => fields.find((field) => field.role === role);
  const [whole, target] = [fieldOf('request'), fieldOf('target')];
  if (whole === undefined && target === undefined)
    throw new Error('the format has no request: $request of nginx or %r of Apache is one');
  if (whole === undefined && fieldOf('host') === undefined)
    throw new Error(`${target!.name} lacks the host of a request for a whole URL: log $request, or $host beside it`);
  const needless: readonly Role[] = whole === undefined ? ['authority', 'server'] : ['method', 'target'];
  return format.map((piece) => {
    if (typeof piece === 'string' || piece.role === undefined) return piece;
    const isNeeded = !needless.includes(piece.role) && fieldOf(piece.role) === piece;
    return isNeeded ? piece : { ...piece, role: undefined };
  });
}

const WORD = '^\\0- "';
const NUMBER = '\\d.-';
const ADDRESS = '\\w.:%\\[\\]-';

/** Variables of nginx that hold what the server says, or what it has examined. All others hold any text, escaped. */
const NGINX_FIELDS: Readonly<Record<string, readonly [bytes: string, role?: Role]>> = {
  ...Object.fromEntries(
    (
      'body_bytes_sent bytes_sent request_length request_time msec connection connection_requests ' +
      'connection_time pid remote_port gzip_ratio limit_rate realip_remote_port'
    )
      .split(' ')
      .map((name) => [name, [NUMBER]]),
  ),
  ...Object.fromEntries(
    'remote_addr server_addr realip_remote_addr hostname'.split(' ').map((name) => [name, [ADDRESS]]),
  ),
  status: ['\\d-', 'status'],
  server_port: ['\\d-', 'port'],
  scheme: ['a-z-', 'scheme'],
  https: ['on-', 'tls'],
  pipe: ['p.'],
  time_local: ['\\w/: +-'],
  time_iso8601: ['\\dT:+-'],
  request_id: ['\\da-f-'],
  request_method: [WORD, 'method'],
  server_protocol: ['\\w/.-'],
  server_name: [WORD, 'server'],
  host: [WORD, 'host'], // nginx 1.21.1 and later refuse a host with a space
};
/** Variables that hold any text of a request. */
const NGINX_TEXTS: Readonly<Record<string, Role>> = {
  request: 'request',
  request_uri: 'target',
  http_host: 'authority',
};

/** @see https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format */
function nginxPieces(directive: string): readonly Piece[] {
  const { text, escape } = nginxText(directive);
  const escaping = (NGINX as Partial<typeof NGINX>)[escape as keyof typeof NGINX];
  if (escaping === undefined) throw new Error(`escape=${escape} is not default, json or none`);
  return piecesOf(text, /\$(?:\{(\w+)\}|(\w+))/g, ([whole, inBraces, bare]) => {
    const name = (inBraces ?? bare)!;
    const [bytes, role] = NGINX_FIELDS[name] ?? [];
    return [bytes === undefined ? textField(escaping, NGINX_TEXTS[name], whole) : plainField(bytes, role, whole)];
  });
}

/** A token of nginx's configuration: in quotes of either kind, or without any. */
const TOKEN = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(;)|([^\s;'"][^\s;]*))/sy;

/**
 * Returns the text of a format, and how it escapes. It may be the whole directive, or one without its first word or its
 * name; where it does not begin as one, it is the text itself.
 */
function nginxText(directive: string): { readonly text: string; readonly escape: string } {
  const [front, , escape = 'default'] = /^\s*(?:log_format\s+\w+\s+|(\w+)\s+(?=escape=|'))?(?:escape=(\w+)\s+)?/.exec(
    directive,
  )!;
  const rest = directive.slice(front.length);
  if (!/^\s*log_format\s/.test(front) && !rest.trimStart().startsWith("'")) return { text: rest, escape };
  const parts: string[] = [];
  for (TOKEN.lastIndex = 0; /\S/.test(rest.slice(TOKEN.lastIndex)); ) {
    const [, single, double, end, bare] = TOKEN.exec(rest) ?? [];
    const part = single ?? double ?? bare;
    if (end !== undefined) break;
    if (part === undefined) throw new Error('a quotation mark is not closed');
    parts.push(part.replace(/\\([\\'"trn])/g, (_, letter: string) => CONTROLS[letter] ?? letter));
  }
  return { text: parts.join(''), escape };
}

const CONTROLS: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n' };

/** Letters of Apache's directives that hold what the server says, or what it has examined. */
const APACHE_FIELDS: Readonly<Record<string, readonly [bytes: string, role?: Role]>> = {
  ...Object.fromEntries(
    ['B', 'b', 'O', 'I', 'S', 'D', 'T', 'P', 'k', '^FB', '^FU'].map((letter) => [letter, [NUMBER]]),
  ),
  s: ['\\d-', 'status'],
  p: ['\\d-', 'port'],
  a: [ADDRESS],
  A: [ADDRESS],
  h: [WORD],
  H: [WORD],
  m: [WORD, 'method'],
  v: [WORD, 'server'],
  V: [WORD, 'host'],
  X: ['X+-'],
  R: [WORD],
  L: [WORD],
};
/** Letters whose text is escaped: by the document those of requests and headers, by the source those of users, too. */
const APACHE_TEXTS = ['r', 'i', 'o', 'u', 'l', '^ti', '^to'];

const DIRECTIVE = /%([<>!\d,]*)(?:\{([^{}]*)\})?(\^(?:FB|FU|ti|to)|[A-Za-z%])/g;

/** @see https://httpd.apache.org/docs/current/mod/mod_log_config.html#formats */
function apachePieces(directive: string): readonly Piece[] {
  return piecesOf(apacheText(directive), DIRECTIVE, ([whole, modifiers = '', argument, letter]) => {
    if (letter === '%') return ['%'];
    if (letter === 't' && argument === undefined)
      return ['[', plainField(NGINX_FIELDS['time_local']![0], undefined, whole), ']'];
    if (letter === 't') return [plainField('^\\0-\\x1f"', undefined, whole)];
    const field = apacheField(whole, argument, letter!);
    if (field.role !== undefined && /[!\d]/.test(modifiers))
      throw new Error(`${whole} leaves out requests by their status`);
    return [field];
  });
}

function apacheField(whole: string, argument: string | undefined, letter: string): Field {
  if (letter === 'i' && argument?.toLowerCase() === 'host') return textField(APACHE, 'authority', whole);
  if (letter === 'e' && argument === 'HTTPS') return plainField('on-', 'tls', whole);
  if (letter === 'x' && argument === 'SSL_PROTOCOL') return plainField('\\w.-', 'tls', whole);
  if (letter === 'p' && argument === 'remote') return plainField(NUMBER, undefined, whole);
  if (APACHE_TEXTS.includes(letter)) {
    const { pattern, ...field } = textField(APACHE, letter === 'r' ? 'request' : undefined, whole);
    return { ...field, pattern: letter === 'u' ? `""|${pattern}` : pattern };
  }
  const [bytes, role] = APACHE_FIELDS[letter] ?? [];
  return bytes === undefined ? plainField('^', undefined, whole) : plainField(bytes, role, whole);
}

/** Returns the text of a format without the directive, the quotation marks and the name that may be around it. */
function apacheText(directive: string): string {
  const [, quoted] = /^\s*LogFormat\s+"((?:[^"\\]|\\.)*)"(?:\s+\S+)?\s*$/is.exec(directive) ?? [];
  return (quoted ?? directive).replace(/\\([\\"trn])/g, (_, letter: string) => CONTROLS[letter] ?? letter);
}

function piecesOf(
  text: string,
  pattern: RegExp,
  piecesFor: (found: RegExpExecArray) => readonly Piece[],
): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    pieces.push(text.slice(end, found.index), ...piecesFor(found));
    end = found.index + found[0].length;
  }
  return [...pieces, text.slice(end)];
}
