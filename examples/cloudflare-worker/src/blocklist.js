import { hashes, prefix } from 'urlsum/safe-browsing';

/** Four bytes of each SHA-256, as lists come from Safe Browsing; here of 'malware.example/' and 'shop.example/login/'. */
const PREFIXES = new Set([0xdb0c550e, 0xaff88c9e]);

/** A prefix can be that of another URL too: what may be listed is for the service to decide, by the whole hash. */
export function mayBeListed(url) {
  return hashes(url, { mode: 'union' }).some((hash) => PREFIXES.has(firstWord(prefix(hash, 4))));
}

function firstWord({ buffer, byteOffset }) {
  return new DataView(buffer, byteOffset).getUint32(0);
}
