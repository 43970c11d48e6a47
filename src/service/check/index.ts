// What the command imports from src/service/check.

export type { Answer } from './answer.ts';
export { SafeBrowsingChecker } from './checker.ts';
export { FileStore } from './file-store.ts';
export type { ListReport } from './list-updates.ts';
export type { CheckerOptions } from './options.ts';
