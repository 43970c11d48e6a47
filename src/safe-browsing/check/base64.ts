/** base64url with padding (RFC 4648, section 5): what stands for `bytes` in the query of a v5 method. */
export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
