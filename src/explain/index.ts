// What the command imports from src/explain: each step of every specification.

export { type ExplainOptions, explain } from './explain.ts';
export type { Explanation, Step } from './explanation.ts';
