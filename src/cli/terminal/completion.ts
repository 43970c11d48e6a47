import { bashCompletion } from './completion-bash.ts';
import { fishCompletion } from './completion-fish.ts';
import { zshCompletion } from './completion-zsh.ts';
import type { Manual } from './manual.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What a shell reads to complete the commands, their flags and the values of those. */
export function completionFor(shell: (typeof SHELLS)[number], manuals: readonly Manual[]): string {
  return { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell](manuals);
}
