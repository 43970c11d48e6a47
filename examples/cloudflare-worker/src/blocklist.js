import { ExpressionHasher, PrefixSet } from 'urlsum/safe-browsing';

/**
 * Four bytes of each SHA-256, as lists come from Safe Browsing; here of 'malware.example/' and 'shop.example/login/'.
 */
const PREFIXES = PrefixSet.from(Uint8Array.of(0xdb, 0x0c, 0x55, 0x0e, 0xaf, 0xf8, 0x8c, 0x9e), 4);

/** A prefix can be that of another URL too: what may be listed is for the service to decide, by the whole hash. */
export function mayBeListed(url) {
  const column = new ExpressionHasher({ mode: 'union' }).hashMany([url]);
  const error = column.errorAt(0);
  if (error !== undefined) throw error;
  return PREFIXES.matches(column).length > 0;
}
