/** A module of Node, Deno or Bun, without an import, so that the same entry loads in a browser, which has none. */
export function builtinModule<T>(name: string): T | undefined {
  const host = globalThis as { process?: { getBuiltinModule?(name: string): T | undefined } };
  return host.process?.getBuiltinModule?.(name);
}
