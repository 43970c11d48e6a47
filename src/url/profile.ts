import { UNICODE } from '#idna';

/**
 * The canonical form this build computes: the algorithm's version and whose UTS #46 tables it uses. It changes
 * whenever any output could. `url/1` is the URL Standard as of July 2026; `unicode17` the tables bundled here,
 * `host-unicode` (in `urlsum/slim`) those of the host's `URL`.
 */
export const PROFILE: string = `url/1+${UNICODE}`;
