/** Milliseconds to wait that an answer's Retry-After asks for (RFC 9110, 10.2.3): seconds, or a date. */
export function retryAfterOf(headers: { get(name: string): string | null }, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return 1000 * Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
