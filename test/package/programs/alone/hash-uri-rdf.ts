import { HashUriError } from 'urlsum/hash-uri/rdf';

export const reasonOf = (error: unknown) => (error instanceof HashUriError ? error.reason : undefined);
