import { UrlHashPool } from 'urlsum/pool';

export const columns = (path: string) => new UrlHashPool({ width: 8 }).hashFile(path);
