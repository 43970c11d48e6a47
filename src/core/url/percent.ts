import { LONE_SURROGATE } from '../bytes/code-points.ts';

// The percent-encode sets, as runs of their members: of a surrogate pair, both units are in all of them.
// https://url.spec.whatwg.org/#percent-encoded-bytes. Without the flag u, by which a class that repeats three million
// times takes V8's stack.

export const C0_CONTROL = /[\0-\x1f\x7f-\uffff]+/g;
export const FRAGMENT = /[\0- "<>`\x7f-\uffff]+/g;
export const QUERY = /[\0- "#<>\x7f-\uffff]+/g;
export const PATH = /[\0- "#<>?^`{}\x7f-\uffff]+/g;
export const USERINFO = /[\0- "#/:;<=>?@[\\\]^`{|}\x7f-\uffff]+/g;

/**
 * Escapes the UTF-8 bytes of the members of `set`; a lone surrogate reads as U+FFFD, as in any USVString.
 * https://url.spec.whatwg.org/#string-utf-8-percent-encode
 */
export function percentEncode(input: string, set: RegExp): string {
  let output = '';
  let copied = 0;
  set.lastIndex = 0;
  for (let run = set.exec(input); run !== null; run = set.exec(input)) {
    output += input.slice(copied, run.index) + escaped(run[0]);
    copied = set.lastIndex;
  }
  return copied === 0 ? input : output + input.slice(copied);
}

function escaped(run: string): string {
  try {
    return encodeURIComponent(run);
  } catch {
    // a lone surrogate
    return encodeURIComponent(run.replace(LONE_SURROGATE, '\ufffd'));
  }
}
