import { KERNEL_NAMES, openKernel } from '../../../src/core/kernel/open.ts';

/** Both: each suite that hashes runs on either. */
export const KERNELS = KERNEL_NAMES.map((name) => openKernel(name));
