// What the command imports from src/kernel: which kernel hashes, and how it is opened.

export type { Kernel, KernelName, Width } from './kernel.ts';
export { kernelName, openKernel, preferKernel } from './open.ts';
