import { bytesOf } from './request.ts';

/** The escaping of a server: bytes that it leaves as they are, and its escapes. Classes are without their brackets. */
export interface Escaping {
  /** The class of bytes that stand for themselves. */
  readonly unescaped: string;
  /** The source of a regular expression for one escape. */
  readonly escape?: string;
  /** The class of all bytes, those of escapes among them. */
  readonly any?: string;
  readonly decoded?: (text: string) => string;
}

const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Undoes the escapes of C, `\x22` among them, and those of JSON. */
function withoutBackslashes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(.))/gs, (_, byte, unit, letter: string) => {
    if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
    return unit === undefined ? (LETTERS[letter] ?? letter) : bytesOf(String.fromCharCode(Number.parseInt(unit, 16)));
  });
}

const C_ESCAPE = '\\\\(?:x[0-9A-Fa-f]{2}|[bfnrtv"\\\\])';

/** The texts of either server, in formats that both write. Bytes that they escape today may stand as they are. */
export const APACHE_OR_NGINX: Escaping = {
  unescaped: '^"\\\\',
  escape: C_ESCAPE,
  any: '^',
  decoded: withoutBackslashes,
};

/** @see https://httpd.apache.org/docs/current/mod/mod_log_config.html#formats, "Format Notes" */
export const APACHE: Escaping = {
  unescaped: '^\\0-\\x1f"\\\\',
  escape: C_ESCAPE,
  any: '^\\0-\\x1f',
  decoded: withoutBackslashes,
};

/** The escaping of each word after `escape=`. @see https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format */
export const NGINX: Readonly<Record<'default' | 'json' | 'none', Escaping>> = {
  default: {
    unescaped: '^\\0-\\x1f"\\\\',
    escape: '\\\\x[0-9A-F]{2}',
    any: '^\\0-\\x1f"',
    decoded: withoutBackslashes,
  },
  json: {
    unescaped: '^\\0-\\x1f"\\\\',
    escape: '\\\\(?:u[0-9A-Fa-f]{4}|[bfnrt"\\\\/])',
    any: '^\\0-\\x1f',
    decoded: withoutBackslashes,
  },
  none: { unescaped: '^' },
};

/** @see https://docs.haproxy.org/2.6/configuration.html#8.6 */
export const HAPROXY: Escaping = {
  unescaped: '^\\0-\\x1f"',
  decoded: (text) => text.replace(/#([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
};
