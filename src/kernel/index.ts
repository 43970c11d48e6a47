// What the command imports from src/kernel: which kernel hashes, and how it is opened.

export { hasSimd, type Kernel, type KernelName, type Width } from './kernel.ts';
export { kernelNotice } from './notice.ts';
export { KERNEL_NAMES, kernelName, openKernel, preferKernel } from './open.ts';
