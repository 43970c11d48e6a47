const SYNTAX = String.raw`{ } [ ] : , " \ {"url": {"a":{"url": "url" "a" "u\u0072l" {} [] {"b":1}`;
const VALUES = String.raw`"" "x" "\ud800" "é" "\n" "__proto__" true false null 0 -0 1.5 1e5 1E+5`;
const WRONG = String.raw`01 1. .5 - 1e \u00 \x tru nulll é`;

/** Parts of JSON, and of what is almost JSON, to be joined at random. */
export const PIECES: readonly string[] = [
  ...[SYNTAX, VALUES, WRONG].flatMap((pieces) => pieces.split(' ')),
  ...[' ', '\t', '\r', '\n', '"\u2028"', '\ufeff', '\0', '"\u0001"'],
];
