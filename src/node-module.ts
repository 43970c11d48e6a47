import { builtinModule } from './builtin-module.ts';

/** The modules that files are read, sorted, written and hashed with. */
interface NodeModules {
  readonly 'node:crypto': typeof import('node:crypto');
  readonly 'node:fs': typeof import('node:fs');
  readonly 'node:os': typeof import('node:os');
  readonly 'node:path': typeof import('node:path');
  readonly 'node:stream': typeof import('node:stream');
  readonly 'node:url': typeof import('node:url');
  readonly 'node:zlib': typeof import('node:zlib');
}

/**
 * Loads a module when it is needed, so that an entry also loads, and is bundled, where there are no files: esbuild and
 * webpack refuse an `import` of these modules for browsers, even one that would be reached later.
 *
 * @param advice ends the message of the error
 * @throws {TypeError} where there are no files
 */
export function nodeModule<Name extends keyof NodeModules>(name: Name, advice = ''): NodeModules[Name] {
  const module = builtinModule<NodeModules[Name]>(name);
  if (module !== undefined) return module;
  throw new TypeError(`this runtime opens no files by path (Node does from 20.16 on)${advice}`);
}
