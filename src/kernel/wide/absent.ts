/** For hosts that compile WebAssembly themselves, or have none. */
export function openWide(): string {
  return 'this build of urlsum is not for Node';
}
