/**
 * 'mismatch': it is not the content of this hash-URI; 'unsupported': its module is another one;
 * 'not-a-hash-uri': it does not end in 25 Base64 characters, an extension apart.
 */
export type VerifyResult = 'verified' | 'mismatch' | 'unsupported' | 'not-a-hash-uri';
