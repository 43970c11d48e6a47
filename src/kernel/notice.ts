import { openKernel } from './open.ts';

/** What the command says where the kernel is not the one that was asked for. */
export function kernelNotice(): string | undefined {
  const { name, reason } = openKernel();
  return reason === undefined ? undefined : `kernel ${name} in place of wide: ${reason}`;
}
