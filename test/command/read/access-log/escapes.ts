// The escapes of servers for a text with a unit for each byte, as their sources have them.

export const hex = (byte: string) => byte.charCodeAt(0).toString(16).padStart(2, '0');

/** ngx_http_log_escape. */
export function nginx(text: string): string {
  return text.replace(/[\0-\x1f"\\\x7f-\xff]/g, (byte) => `\\x${hex(byte).toUpperCase()}`);
}

/** Bytes that Apache writes after a backslash as they are, or as a letter. */
const LETTERS: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '\b': 'b',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
  '\f': 'f',
};

/** ap_escape_logitem. */
export function apache(text: string): string {
  return text.replace(/[\0-\x1f"\\\x7f-\xff]/g, (byte) => `\\${LETTERS[byte] ?? `x${hex(byte)}`}`);
}
