import type { CompiledOptions } from '../../src/core/url/canonicalize.ts';
import { type Failure, failure, type UrlReason } from '../../src/core/url/failure.ts';
import { FULL_FORM, type UrlForm } from '../../src/core/url/options.ts';
import { profileOfForm } from '../../src/core/url/profile.ts';
import { serialize } from '../../src/core/url/record.ts';
import { ModuleInV8 } from './answers.ts';

const module = new ModuleInV8();
const REASONS = module.text('reasonNames').trimEnd().split('\n') as UrlReason[];
let configured = '';

/** Returns what the function of this name in src/core/url/canonicalize.ts returns, by urlsum.wasm. */
export function canonicalForm(
  url: string,
  base?: CompiledOptions['base'],
  form: UrlForm = FULL_FORM,
): string | Failure {
  configure(form, base);
  const { reasons, values } = module.one(Buffer.from(url), 'form');
  return reasons[0] === 0 ? values.toString('latin1') : failure(REASONS[reasons[0]! - 1]!);
}

function configure(form: UrlForm, base: CompiledOptions['base']): void {
  const { siteRules } = form.options;
  const texts = [
    profileOfForm(form),
    base === undefined || typeof base === 'string' ? '' : serialize(base),
    siteRules?.text,
  ];
  const key = JSON.stringify([...texts, typeof base === 'string' && base]);
  if (key === configured) return;
  if (siteRules !== undefined) module.siteRules(siteRules.text);
  const refused = module.configure(texts[0], texts[1], typeof base === 'string' ? base : '');
  if (refused !== undefined) throw new Error(refused);
  configured = key;
}
