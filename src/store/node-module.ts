import { textOfUrlObject, wrongKind } from '../core/argument.ts';
import { quote } from '../core/quote.ts';

/** The modules that files are read, sorted, written and hashed with. */
interface NodeModules {
  readonly 'node:crypto': typeof import('node:crypto');
  readonly 'node:fs': typeof import('node:fs');
  readonly 'node:os': typeof import('node:os');
  readonly 'node:path': typeof import('node:path');
  readonly 'node:stream': typeof import('node:stream');
  readonly 'node:url': typeof import('node:url');
  readonly 'node:util': typeof import('node:util');
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
  throw new TypeError(`this runtime opens no files by path (Node does)${advice}`);
}

/**
 * Returns a path that is given as a string or as a `file:` URL.
 *
 * @param expected says in messages what the argument may be
 * @throws {TypeError} on any other value, and where there are no files
 * @throws {RangeError} on a URL of another scheme
 */
export function mustBePath(name: string, path: string | URL, expected = 'a path or a file: URL'): string {
  if (typeof path === 'string') return path;
  const text = textOfUrlObject(path);
  if (text === undefined) throw wrongKind(name, expected, path);
  if (!text.startsWith('file:')) throw new RangeError(`${name} must be ${expected}, got ${quote(text)}`);
  return nodeModule('node:url').fileURLToPath(text);
}

/** Returns a module of Node, Deno or Bun, not imported, so that the entry also loads in a browser, which has none. */
export function builtinModule<T>(name: string): T | undefined {
  const host = globalThis as { process?: { getBuiltinModule?(name: string): T | undefined } };
  return host.process?.getBuiltinModule?.(name);
}
