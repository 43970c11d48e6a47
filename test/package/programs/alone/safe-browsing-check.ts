import { type Answer, type CheckerOptions, SafeBrowsingChecker } from 'urlsum/safe-browsing/check';

export const { check } = SafeBrowsingChecker.prototype;
export const shown = ({ url, threats }: Answer) => ({ url, types: threats.map(({ type }) => type) });
export const settings = ({ expressions }: CheckerOptions) => expressions;
