import { RpcError } from './rpc-error.ts';

/** The parameters of a request, decoded, in order. */
export type Query = readonly (readonly [name: string, value: string])[];

/**
 * Decodes application/x-www-form-urlencoded. Unlike a browser it refuses what is not UTF-8: another URL would be looked
 * up than the one that was meant.
 *
 * @throws {RpcError}
 */
export function queryIn(text: string): Query {
  return text
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [decoded(name), decoded(value)];
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new RpcError('INVALID_ARGUMENT', 'the query is not percent-encoded UTF-8');
  }
}

export function valuesOf(query: Query, name: string): string[] {
  return query.flatMap(([each, value]) => (each === name ? [value] : []));
}
