import { counted } from '../../core/quote.ts';

/** The least time between two drawings. */
const DRAW_MS = 100;

/** Facts of a run's inputs. */
export interface InputBytes {
  /** The byte length of all inputs as they are read, if it is known beforehand. */
  readonly totalBytes: number | undefined;
  /** Returns the bytes that were read until now, packed if they are. */
  readBytes(): number;
}

interface ProgressOptions extends InputBytes {
  /** Replaces the text on the status line. */
  draw(text: string): void;
  /** Returns milliseconds since some fixed moment. */
  now(): number;
}

/** The progress of a run at some moment. */
interface Point {
  readonly ms: number;
  readonly lines: number;
  readonly bytes: number;
}

/** Returns what adds the rows of a block, and shows the progress of the run on the status line of a terminal. */
export function progress({ totalBytes, readBytes, draw, now }: ProgressOptions) {
  /** The point after the first block: what comes before it, such as opening an index, tells nothing about the rest. */
  let first: Point | undefined;
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let [lines, invalid] = [0, 0];
  return (addedLines: number, addedInvalid: number): void => {
    lines += addedLines;
    invalid += addedInvalid;
    const ms = now();
    if (ms - drawnAtMs < DRAW_MS) return;
    drawnAtMs = ms;
    const point = { ms, lines, bytes: readBytes() };
    first ??= point;
    draw([...progressTexts(first, point, totalBytes), `${invalid} invalid`].join('  '));
  };
}

function progressTexts(first: Point, { ms, lines, bytes }: Point, totalBytes: number | undefined): string[] {
  const elapsedMs = ms - first.ms;
  const parts = [counted(lines, 'line')];
  if (elapsedMs > 0) parts.push(`${(((lines - first.lines) / elapsedMs) * 1000).toFixed(0)}/s`);
  if (totalBytes) parts.push(`${((100 * bytes) / totalBytes).toFixed(0)} %`);
  if (totalBytes && bytes > first.bytes)
    parts.push(`${timeText(((totalBytes - bytes) * elapsedMs) / (bytes - first.bytes))} left`);
  return parts;
}

/** Returns `5 s`, `3:05` or `1:02:03`. */
function timeText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}

/**
 * Whether standard error has room for a status line: it has none if lines are typed or printed on the terminal, as they
 * would run into each other.
 */
export function hasStatusLine(
  { stdin, stdout, stderr }: Readonly<Record<'stdin' | 'stdout' | 'stderr', { readonly isTTY?: boolean }>>,
  uses: { readonly standardInput: boolean; readonly standardOutput: boolean },
): boolean {
  const isTypedAt = uses.standardInput && stdin.isTTY === true;
  const isPrintedAt = uses.standardOutput && stdout.isTTY === true;
  return stderr.isTTY === true && !isTypedAt && !isPrintedAt;
}
