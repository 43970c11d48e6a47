// The names of columns and members.

/** A field that records gain: the name of its column in a header, and of its member in a JSON object. */
export interface AddedName {
  readonly column: string;
  readonly member: string;
  /** What to do if records have it already. */
  readonly remedy: string;
}

/** Names a field that is not the hash. */
export function addedName(name: string, remedy = 'rename that one'): AddedName {
  return { column: name, member: `urlsum_${name}`, remedy };
}

/** More names than this are not listed. */
const LISTED_LIMIT = 100;

/** Lists names in a message. */
export function quotedNames(names: readonly string[]): string {
  const listed = names.slice(0, LISTED_LIMIT).map((name) => JSON.stringify(name));
  return [...listed, ...(names.length > LISTED_LIMIT ? ['…'] : [])].join(', ');
}
