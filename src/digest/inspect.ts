/** What `console.log` asks a value for in Node, Deno and Bun. */
const INSPECT = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom');

/**
 * Lets `console.log` show the values of a prototype as `text`. It is called with each value and acts with the first: as
 * a computed key in the class, the symbol would keep an unused import of this package in a bundle.
 */
export function showAs<T extends object>(prototype: T, text: (value: T) => string): void {
  if (INSPECT in prototype) return;
  Object.defineProperty(prototype, INSPECT, {
    value(this: T): string {
      return text(this);
    },
  });
}
