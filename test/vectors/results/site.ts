import { textOf } from '../given.ts';
import type { Question, SiteVector } from '../vector.ts';
import type { PublicApi } from './api.ts';
import { outcome } from './outcome.ts';

export function siteResult(question: Question<SiteVector>, { site }: PublicApi) {
  const input = textOf(question);
  const { base } = question;
  return outcome(() => ({
    host: site.hostOf(input, { base }),
    site: site.siteOf(input, { base }),
    surt: site.surtOf(input, { base }),
  }));
}
