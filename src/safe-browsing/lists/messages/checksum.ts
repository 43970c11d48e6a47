import { HASH_BYTES } from '../../hashes.ts';
import { ListError } from '../error.ts';

/** A SHA-256 in memory of its own; undefined where the message has none. @throws {ListError} on other lengths */
export function checksumIn(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes.length === HASH_BYTES) return Uint8Array.from(bytes);
  throw new ListError('checksum', 'wrong-size', `the checksum has ${bytes.length} bytes, not ${HASH_BYTES}`);
}
