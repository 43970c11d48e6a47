/** whatwg-url ships no types. */
declare module 'whatwg-url' {
  interface Record {
    readonly scheme: string;
  }
  export function basicURLParse(input: string, options?: { baseURL?: Record | null }): Record | null;
  export function serializeURL(url: Record): string;
}

/** Neither does tr46. */
declare module 'tr46' {
  export function toASCII(domain: string, options: Readonly<Record<string, boolean>>): string | null;
}
