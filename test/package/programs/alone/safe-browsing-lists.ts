import { HashList } from 'urlsum/safe-browsing/lists';

export const { matches, prefixSets, profile } = HashList.empty();
