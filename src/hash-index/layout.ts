// A hash index as bytes: pages of 4096, numbers little-endian, hashes in the order of their words.
//
//    first page           header      offset  bytes
//                                          0      8   "urlsumIX"
//                                          8      4   version, 1
//                                         12      4   width: bytes per hash, 8, 16 or 32
//                                         16      4   byte length of the profile
//                                         20          the profile, ASCII, up to 4068 bytes: the rest of the page
//    then                 data        4088 bytes of whole hashes, ascending, without duplicates; the last page may have
//                                     fewer; what is left of a page is zero
//    then                 fences      the first word of each data page, 511 to a page
//    last page            footer           0      8   number of hashes
//                                          8      8   number of data pages
//                                         16      8   "urlsumIX"
//
// Pages are written one after another, so that an index can go to a pipe; one that was cut has no footer.
//
// The last 8 bytes of a page are its checksum: the first 8 of the SHA-256 of its other bytes followed by its number (8
// bytes). So a page that is damaged, or lies in another's place, is noticed before anything is answered from it.

export const PAGE_BYTES = 4096;
export const CHECKSUM_BYTES = 8;
/** Bytes of a page that its checksum is about, besides the page's number. */
export const CONTENT_BYTES = PAGE_BYTES - CHECKSUM_BYTES;
export const FENCES_PER_PAGE = CONTENT_BYTES / 8;

export const MAGIC = 'urlsumIX';
export const VERSION = 1;
export const VERSION_AT = 8;
export const WIDTH_AT = 12;
export const PROFILE_LENGTH_AT = 16;
export const PROFILE_AT = 20;
export const PROFILE_LIMIT_BYTES = CONTENT_BYTES - PROFILE_AT;

/** In the footer. */
export const HASH_COUNT_AT = 0;
export const DATA_PAGE_COUNT_AT = 8;
export const END_MAGIC_AT = 16;

/** Hashes of `width` bytes in a data page: 511, 255 or 127. */
export function hashesPerPage(width: number): number {
  return Math.floor(CONTENT_BYTES / width);
}
