/** For `urlsum/slim`: the reason's name, which UrlError adds, must do. */
export function sentenceOf(): string {
  return 'validation error';
}
