import { createContext, runInContext } from 'node:vm';
import { buildSync } from 'esbuild';

/** A built entry in a realm of its own, which has these globals and nothing else of this one's, and no modules. */
export function inAnotherRealm<Library>(entry: string, globals: object): Library {
  const { outputFiles } = buildSync({
    entryPoints: [`dist/esm/${entry}.js`],
    bundle: true,
    platform: 'neutral',
    format: 'cjs',
    write: false,
  });
  const module = { exports: {} };
  runInContext(`(function (module) {${outputFiles[0]!.text}\n})`, createContext(globals))(module);
  return module.exports as Library;
}
