const QUOTED_LENGTH = 200;

/**
 * Characters that nobody sees, or that change the direction of others: spaces and separators of lines, what Unicode lets
 * a renderer ignore, which marks of direction are among, and a blank of Braille.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Z}\u2800\ufff9-\ufffb]/gu;

/** Quotes what a message is about in JSON's escapes, cut where the message would drown in it. */
export function quote(text: string): string {
  const isCut = text.length > QUOTED_LENGTH;
  const quoted = withoutUnseen(JSON.stringify(isCut ? text.slice(0, QUOTED_LENGTH) : text));
  return isCut ? `${quoted}…` : quoted;
}

/** Names characters that nobody sees as U+XXXX, but leaves the space of ASCII. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => (character === ' ' ? ' ' : nameOfCharacter(character)));
}

/** Returns `U+200B`. */
export function nameOfCharacter(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Returns `1 line`, `2 lines`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
