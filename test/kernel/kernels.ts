import { openKernel } from '../../src/kernel/open.ts';

/** All three: each suite that hashes runs on every one. */
export const KERNELS = (['simd', 'scalar', 'js'] as const).map((name) => openKernel(name));
