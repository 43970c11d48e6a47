/**
 * The versions of Unicode that src/core/url computes, ascending: CONTRIBUTING.md says how one is added. `tr46` is the package
 * that has its mapping table and its classes, `oracle` the whatwg-url that uses them.
 *
 * `marks` are those with a Canonical_Combining_Class that are new in a version which no released Node has, by class, as
 * UnicodeData.txt has them (read with pyunormalize 18.0.0); such a version must not add decompositions.
 */
export const VERSIONS = [
  { version: 17, tr46: 'tr46-unicode17', oracle: 'whatwg-url-unicode17' },
  {
    version: 18,
    tr46: 'tr46',
    oracle: 'whatwg-url',
    marks: {
      1: [[0x1d25b, 0x1d25c]],
      10: [[0x5c8, 0x5c8]],
      21: [[0x5c9, 0x5c9]],
      216: [
        [0x1d250, 0x1d252],
        [0x1d25f, 0x1d25f],
        [0x1d280, 0x1d281],
      ],
      220: [
        [0x1aee, 0x1aef],
        [0x10ecc, 0x10ecd],
        [0x10ef0, 0x10ef2],
        [0x10ef4, 0x10ef4],
        [0x10ef6, 0x10ef6],
        [0x1d127, 0x1d128],
      ],
      230: [
        [0x1ade, 0x1adf],
        [0x1aec, 0x1aed],
        [0x1af0, 0x1af0],
        [0x10ecb, 0x10ecb],
        [0x10ece, 0x10ecf],
        [0x10ef3, 0x10ef3],
        [0x10ef5, 0x10ef5],
        [0x10ef7, 0x10ef9],
      ],
    },
  },
];
