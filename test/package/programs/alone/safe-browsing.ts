import { ExpressionHasher, ListError } from 'urlsum/safe-browsing';

export const { kernel } = new ExpressionHasher();
export const reasonOf = (error: unknown) => (error instanceof ListError ? error.reason : undefined);
