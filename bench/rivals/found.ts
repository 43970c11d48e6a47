import type { Start } from './program.ts';

/** The programs that this machine can start, and a sentence for each that it cannot. */
export interface Found {
  readonly starts: readonly Start[];
  readonly absent: readonly string[];
}

export function joined(founds: readonly Found[]): Found {
  const sentences = new Set(founds.flatMap(({ absent }) => absent));
  return { starts: founds.flatMap(({ starts }) => starts), absent: [...sentences] };
}

export function absent(sentence: string): Found {
  return { starts: [], absent: [sentence] };
}
