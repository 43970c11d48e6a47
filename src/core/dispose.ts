/**
 * Lets `using` close the values of a prototype where the host knows `Symbol.dispose`. It is called for each value and
 * acts on the first: as a computed key in the class, the symbol would define a method called `undefined` on a host that
 * does not know it.
 */
export function disposeByClosing(prototype: { close(): void }): void {
  if (Symbol.dispose === undefined || Object.hasOwn(prototype, Symbol.dispose)) return;
  Object.defineProperty(prototype, Symbol.dispose, {
    value(this: { close(): void }): void {
      this.close();
    },
  });
}
