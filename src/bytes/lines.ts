import { LINE_FEED } from './code-points.ts';

/**
 * Where the whole lines from `start` on end of which all fit in `byteLimit` bytes, the last of the text with or without
 * its line feed; or where the one line ends that does not fit.
 */
export function endOfLines(text: Uint8Array, start: number, byteLimit: number): number {
  if (text.length - start <= byteLimit) return text.length;
  const lastFeed = text.lastIndexOf(LINE_FEED, start + byteLimit - 1);
  if (lastFeed >= start) return lastFeed + 1;
  const feed = text.indexOf(LINE_FEED, start + byteLimit);
  return feed === -1 ? text.length : feed + 1;
}
