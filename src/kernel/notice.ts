import { openKernel } from './open.ts';

/** Returns what the command says if the kernel is not the one that was asked for. */
export function kernelNotice(): string | undefined {
  const { name, reason } = openKernel();
  return reason === undefined ? undefined : `kernel ${name} in place of wide: ${reason}`;
}
