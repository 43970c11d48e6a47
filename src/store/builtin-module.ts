/** Returns a module of Node, Deno or Bun, not imported, so that the entry also loads in a browser, which has none. */
export function builtinModule<T>(name: string): T | undefined {
  const host = globalThis as { process?: { getBuiltinModule?(name: string): T | undefined } };
  return host.process?.getBuiltinModule?.(name);
}
