/** What `console.log` asks a value for: in Node, Deno and Bun, and in older Deno. */
const INSPECT = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom');
const INSPECT_BY_DENO = /* @__PURE__ */ Symbol.for('Deno.customInspect');

/**
 * Lets `console.log` show the values of a prototype as `text`. It is called with each value and acts with the first: as
 * a computed key in the class, the symbol would keep an unused import of this package in a bundle.
 */
export function showAs<T extends object>(prototype: T, text: (value: T) => string): void {
  if (INSPECT in prototype) return;
  function show(this: T): string {
    return text(this);
  }
  Object.defineProperty(prototype, INSPECT, { value: show });
  Object.defineProperty(prototype, INSPECT_BY_DENO, { value: show });
}
