/** What a row becomes that is not what was asked for: `--on-error`. */
export type OnError = 'null' | 'keep' | 'skip' | 'fail';
