import { HashIndex } from 'urlsum/hash-index';

export const index = (path: string) => {
  const { width, has, matches } = HashIndex.open(path);
  return { width, has, matches };
};
