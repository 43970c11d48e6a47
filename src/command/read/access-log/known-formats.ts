import { APACHE_OR_NGINX, HAPROXY } from './escaping.ts';
import { cloudFrontGrammar } from './extended.ts';
import { type Grammar, grammarOf, pieces, plainField, type Reading, textField } from './grammar.ts';
import { entryGrammars } from './json-entry.ts';
import { type LoggedRequest, NO_REQUEST, Problem } from './request.ts';

// The formats that --log knows, and those that --log-format knows by name: each as its server's document has it.

const WORD = plainField('^ "');
/** An address, or the name that it has: never a hyphen. */
const ADDRESS = plainField('^ "', undefined, '', '[\\w:.[][^ "]*');
const SERVER_NAME = plainField('^ "', 'server', '', '\\[[\\da-fA-F:.]+\\]|\\w[\\w.*-]*');
const PORT = plainField('\\d', 'port', '', '\\d+');
const NUMBER = plainField('\\d.-', undefined, '', '-?\\d[\\d.]*|-');
const STATUS = plainField('\\d-', 'status', '', '\\d{3}|-');
const TIME = plainField('\\w/: +-', undefined, '', '\\d\\d/[A-Z][a-z][a-z]/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4}');
const ISO_TIME = plainField('\\dTZ:.-', undefined, '', '\\d{4}-\\d\\d-\\d\\dT\\d\\d:[\\d:.]*Z');
const TEXT = textField(APACHE_OR_NGINX);
const REQUEST = textField(APACHE_OR_NGINX, 'request');
/** The name of a user, mostly none: that saves a quarter of the time. Apache writes an empty one as `""`. */
const USER = { ...TEXT, pattern: `-|""|${TEXT.pattern}` };
const REST = plainField('^');

/** @see https://httpd.apache.org/docs/current/mod/mod_log_config.html#examples */
const COMMON = pieces`${ADDRESS} - ${USER} [${TIME}] "${REQUEST}" ${STATUS} ${NUMBER}`;
/** @see https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format */
const COMBINED = [...COMMON, ...pieces` "${TEXT}" "${TEXT}"`];
/** The format `main` of the configuration that nginx comes with: the last field is X-Forwarded-For. */
const MAIN = [...COMBINED, ...pieces` "${TEXT}"`];
const VIRTUAL_HOST = pieces`${SERVER_NAME} `;
/** The format that Debian's Apache names `vhost_combined`. */
const VIRTUAL_HOST_AND_PORT = pieces`${SERVER_NAME}:${PORT} `;

const AMAZON = pieces`${ISO_TIME} ${WORD} ${WORD} ${WORD} ${NUMBER} ${NUMBER} ${NUMBER} ${STATUS} ${WORD} ${NUMBER} ${NUMBER} "${REQUEST}" "${TEXT}" `;
const LISTENER = plainField('a-z2', undefined, '', 'https?|h2|grpcs?|wss?');

/** Tells a request that never came: either balancer writes the parts that it did not get as hyphens. */
function amazonRequest(request: LoggedRequest): Reading {
  const isAbsent = request.method === '-' && /^(?:https?:\/\/[^/ ]*)?- -$/.test(request.target);
  return isAbsent ? NO_REQUEST : request;
}

/** Time, duration, client, result and status, size and method. The URL comes after them. */
const SQUID = /^ *\d+\.\d{3} +-?\d+ [^ ]+ [A-Z_]+\/(\d{3}) \d+ ([^ ]+) (?:([^ ]+) [^ ]+ [A-Z_]+\/[^ ]+ [^ ]*$)?/;
/** The user and the peer come after the URL, and after them the type, which an origin may have written anything in. */
const AFTER_URL = / [^ ]+ (?:[A-Z]+(?:_[A-Z]+)+|CARP|PINNED|DIRECT|NONE)\/[^ ]+ /g;
/** Squid's own: a request that it could not read, and its statistics. */
const OF_SQUID = /^(?:error|cache_object):/;
const TWO_URLS = new Problem('the URL may end in two places: a client wrote what Squid writes after it');

/**
 * Squid's native format. A space in the URL stays where `uri_whitespace` allows it, and there may be some in the type:
 * then what comes after the URL must be there once.
 *
 * @see https://www.squid-cache.org/Doc/config/logformat/
 */
const squid: Grammar = {
  read(line) {
    const found = SQUID.exec(line);
    if (found === null) return undefined;
    const [front, status, method, plainTarget] = found;
    const target = plainTarget ?? targetWithSpaces(line, front.length);
    if (target === undefined || target instanceof Problem) return target;
    return OF_SQUID.test(target) ? NO_REQUEST : { method: method!, target, status };
  },
};

function targetWithSpaces(line: string, start: number): string | Problem | undefined {
  AFTER_URL.lastIndex = start;
  const end = AFTER_URL.exec(line)?.index;
  if (end === undefined) return undefined;
  AFTER_URL.lastIndex = end + 1;
  return AFTER_URL.test(line) ? TWO_URLS : line.slice(start, end);
}

/** Returns the formats that --log knows. The first record that is of one tells which of them an input has. */
export function knownFormats(): readonly Grammar[] {
  return (known ??= [
    ...[COMMON, COMBINED, MAIN].flatMap((format) => [
      grammarOf(format),
      grammarOf([...VIRTUAL_HOST, ...format]),
      grammarOf([...VIRTUAL_HOST_AND_PORT, ...format]),
    ]),
    squid,
    // https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
    grammarOf([LISTENER, ' ', ...AMAZON, REST], amazonRequest),
    // https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html
    grammarOf([...AMAZON, ...pieces`${WORD} ${WORD}`], amazonRequest),
    cloudFrontGrammar(),
    ...entryGrammars,
  ]);
}

let known: readonly Grammar[] | undefined;

/** Whether a line is a record of a format that --log knows. */
export function isLogLine(line: string): boolean {
  return knownFormats().some((grammar) => grammar.read(line) !== undefined);
}

const ENVOY = pieces`[${plainField('^\\]')}] "${plainField('^ "', 'method')} ${plainField('^ ', 'target')} ${WORD}" ${STATUS} ${WORD} ${NUMBER} ${NUMBER} ${NUMBER} ${NUMBER} "${REST}" "${plainField('^ "', 'authority')}" "${WORD}"`;

/** A syslog may have written what it knows before the address of the client. */
const CLIENT = plainField('^ "[', undefined, '', '(?:[^"[]*haproxy\\[\\d+\\]: )?[^ "[]+');
/** The name of a frontend, with a mark where it has TLS. */
const FRONTEND = { ...plainField('^ "', 'tls'), decoded: (name: string) => (name.endsWith('~') ? 'on' : '') };
/** Lengths of queues, and the headers that the configuration names, in which braces and quotation marks are escaped. */
const QUEUES = plainField('\\d/', undefined, '', '\\d+/\\d+(?: \\{[^{}"]*\\}){0,2}');
const TERMINATION = plainField('A-Za-z-', undefined, '', '[A-Za-z-]{4}');
const HAPROXY_STATUS = plainField('\\d-', 'status', '', '-?\\d+');
const HAPROXY_REQUEST = textField(
  { ...HAPROXY, decoded: (text) => (text === '<BADREQ>' ? '-' : HAPROXY.decoded!(text)) },
  'request',
);
const HTTP_LOG = pieces`${CLIENT} [${plainField('^\\]')}] ${FRONTEND} ${WORD} ${WORD} ${HAPROXY_STATUS} ${WORD} ${REST} ${WORD} ${TERMINATION} ${WORD} ${QUEUES} "${HAPROXY_REQUEST}"`;

/** The formats that are known by name alone, since their texts do not say how a client's words are escaped. */
export const NAMED_FORMATS: ReadonlyMap<string, () => Grammar> = new Map([
  // https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage#default-format-string
  ['envoy', () => grammarOf(ENVOY)],
  // https://docs.haproxy.org/2.6/configuration.html#8.2.3
  ['haproxy', () => grammarOf(HTTP_LOG)],
]);
