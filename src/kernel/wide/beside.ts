import { builtinModule } from '../../builtin-module.ts';
import type { Kernel, KernelModule } from '../kernel.ts';

interface Util {
  getCallSites(count: number): readonly { readonly scriptName: string }[];
}

interface NodeModule {
  createRequire(file: string): (path: string) => typeof import('./open.ts');
}

/**
 * Returns the kernel of dist/wide.cjs, which is loaded here and now, or why there is none. It is one folder above this
 * file, whose name comes from the stack: `import.meta` would be a syntax error in CommonJS, and in a script of a page.
 */
export function openWide(kernelModule: KernelModule): Kernel | string {
  try {
    const { scriptName } = builtinModule<Util>('node:util')!.getCallSites(1)[0]!;
    return builtinModule<NodeModule>('node:module')!.createRequire(scriptName)('../wide.cjs').openWide(kernelModule);
  } catch {
    return 'this host is not Node 26, or wide.cjs is absent'; // an error of the kernel itself comes as a reason
  }
}
