import { existsSync } from 'node:fs';
import { canonicalForm } from '../../url/canonicalize.ts';

/** Two letters at least: with one, C:\x on Windows would have a scheme. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** Is an operand, in place of a file's name, one line that is an absolute URL? */
export function isUrl(operand: string): boolean {
  return SCHEME.test(operand) && !/[\n\r\0]/.test(operand) && typeof canonicalForm(operand) === 'string';
}

/** The same where there is no file of that name. */
export function isUrlOperand(operand: string): boolean {
  return isUrl(operand) && !existsSync(operand);
}
