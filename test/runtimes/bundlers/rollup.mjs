import nodeResolve from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';

export async function bundle(entry, file) {
  const built = await rollup({ input: entry, plugins: [nodeResolve({ browser: true })] });
  await built.write({ file, format: 'es', inlineDynamicImports: true });
}
