/**
 * Characters that a terminal obeys instead of showing them: control characters (C0 except the tab, DEL, C1), line and
 * paragraph separators, and the marks that change the direction of writing.
 */
const CONTROLS = /[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes those characters, so that a name or a line cannot pose as another message. */
export function visible(text: string): string {
  return text.replace(CONTROLS, escapeOf);
}

function escapeOf(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
