// jest-environment-jsdom hides what every browser has; see https://github.com/jsdom/jsdom/issues/2524.
const { TextDecoder, TextEncoder } = require('node:util');

globalThis.TextEncoder ??= TextEncoder;
globalThis.TextDecoder ??= TextDecoder;
