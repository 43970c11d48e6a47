/** @see https://url.spec.whatwg.org/#forbidden-host-code-point */
export const FORBIDDEN_HOST = /[\0\t\n\r #/:<>?@[\\\]^|]/;

/** @see https://url.spec.whatwg.org/#forbidden-domain-code-point */
export const FORBIDDEN_DOMAIN = /[\0-\x20#%/:<>?@[\\\]^|\x7f]/;
