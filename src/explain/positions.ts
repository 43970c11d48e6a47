import { CARRIAGE_RETURN, codeAt, LINE_FEED, SPACE, TAB } from '../bytes/code-points.ts';
import type { Span } from './explanation.ts';

/** Where in `input` lies each unit that the URL Standard's parser reads, and last the end after them. */
export function readPositions(input: string): readonly number[] {
  const positions: number[] = [];
  let end = input.length;
  while (end > 0 && codeAt(input, end - 1) <= SPACE) end--;
  for (let at = 0; at < end; at++) {
    const code = codeAt(input, at);
    const isRead =
      positions.length === 0 ? code > SPACE : code !== TAB && code !== LINE_FEED && code !== CARRIAGE_RETURN;
    if (isRead) positions.push(at);
  }
  positions.push(end);
  return positions;
}

/** A span of what is read, as one of the input. */
export function spanAt(positions: readonly number[], [start, end]: Span): Span {
  const first = positions[start]!;
  return [first, end > start ? positions[end - 1]! + 1 : first];
}
