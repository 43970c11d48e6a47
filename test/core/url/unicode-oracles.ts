import { createRequire } from 'node:module';
import type { UnicodeVersion } from '../../../src/core/url/parsed-url.ts';
import { installNormalization } from '../../../tools/tables/normalization.mjs';
import { VERSIONS } from '../../../tools/tables/unicode-versions.mjs';

/** An independent implementation of one version of Unicode: tr46 with its data, and whatwg-url, which uses it. */
export interface UnicodeOracle {
  readonly version: UnicodeVersion;
  readonly tr46: typeof import('tr46');
  readonly whatwgUrl: typeof import('whatwg-url');
  readonly mappingTable: readonly (readonly [range: number | [number, number], status: number, mapping?: string])[];
  readonly patterns: Readonly<Record<string, RegExp>>;
}

// Both normalize with what the host has, which may be older.
installNormalization();

// Not imports: they are packages under other names, and the build bundles no data that only tests read.
const require = createRequire(import.meta.url);

/** The oracle of each version, ascending. */
export const UNICODE_ORACLES: readonly UnicodeOracle[] = VERSIONS.map(({ version, tr46, oracle }) => ({
  version,
  tr46: require(tr46),
  whatwgUrl: require(oracle),
  mappingTable: require(`${tr46}/lib/mappingTable.json`),
  patterns: require(`${tr46}/lib/regexes.js`),
}));

export function oracleOf(version: UnicodeVersion): UnicodeOracle {
  return UNICODE_ORACLES.find((each) => each.version === version)!;
}

/** The checks of UTS #46 that the URL Standard asks for. */
export const UTS46_OPTIONS = {
  checkHyphens: false,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: false,
  transitionalProcessing: false,
  verifyDNSLength: false,
  ignoreInvalidPunycode: false,
};
