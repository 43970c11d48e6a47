// What the command and `serve` import from src/place: what says where a page is.

export { PUBLIC_SUFFIX_LIST } from '../safe-browsing/suffix-list.ts';
export { NO_PLACE, PLACE_NAMES, type PlaceName, placeOf, SURT, writePlace } from './place.ts';
