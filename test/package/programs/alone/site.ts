import { siteOf } from 'urlsum/site';

type Given = Parameters<typeof siteOf>;
export const siteIn = (base: string, options: Given[1]) => ({ given: { ...options, base }, siteOf });
