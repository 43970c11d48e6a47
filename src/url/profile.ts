/**
 * The canonical form this build computes: the algorithm's version and the Unicode version of its UTS #46
 * tables. It changes whenever any output could. `url/1` is the URL Standard as of July 2026.
 */
export const PROFILE = 'url/1+unicode17';
