// The door of src/explain for the command: each step of every specification.

export { type ExplainOptions, explain } from './explain.ts';
export type { Explanation, Step } from './explanation.ts';
