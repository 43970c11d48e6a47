/** What is used of an `AbortSignal`: the declarations compile in programs without the types of any host. */
export interface AbortSource {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The host's own `AbortSignal`, which its `fetch` asks for, in programs that have its type. */
export type HostAbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : AbortSource;
