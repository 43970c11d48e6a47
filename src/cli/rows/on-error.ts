/** What becomes of a bad row: `--on-error`. */
export type OnError = 'null' | 'keep' | 'skip' | 'fail';
