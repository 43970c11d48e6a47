// Compares look-ups in the bundled table with tldts, which has a look-up of its own: every rule and what stands below
// and beside it, a million random domains, and the hosts of web-platform-tests and of the corpora in ../shared/data.
import { getPublicSuffix } from 'tldts';
import { sourceModule } from './generated.mjs';
import { knownHosts } from './known-hosts.mjs';

const ICANN = 1;
const PRIVATE = 2;
const SECTIONS = [ICANN, PRIVATE, ICANN | PRIVATE];
const RANDOM_DOMAINS = 1_000_000;

export async function checkSuffixes(trie) {
  const { publicSuffixes } = await sourceModule('src/specs/safe-browsing/public-suffixes.ts');
  const { SuffixLookup } = await sourceModule('src/specs/safe-browsing/suffix-trie.ts');
  const { randomFrom, SEED } = await sourceModule('test/random.ts');
  const lookup = new SuffixLookup(publicSuffixes());
  const compare = (name, hosts) => compareHosts(lookup, name, hosts);

  const rules = rulesOf(trie);
  compare('rules, and what stands below and beside them', rules.flatMap(hostsAbout));
  compare('random domains', randomDomains(rules, randomFrom(SEED)));
  for (const [name, hosts] of await knownHosts()) compare(name, hosts);
}

function compareHosts(lookup, name, hosts) {
  let [count, found] = [0, 0];
  for (const host of hosts) {
    if (!/^(?:[-_*0-9a-z]+\.)*[-_*0-9a-z]+$/.test(host)) continue;
    const bytes = Buffer.from(host);
    for (const sections of SECTIONS) {
      const suffix = host.slice(lookup.suffixStart(bytes, 0, bytes.length, sections));
      const expected = getPublicSuffix(host, {
        allowIcannDomains: (sections & ICANN) !== 0,
        allowPrivateDomains: (sections & PRIVATE) !== 0,
        extractHostname: false,
        detectIp: false,
        validateHostname: false,
      });
      if (suffix !== expected) throw new Error(`${host}: ${suffix}, not ${expected}, in sections ${sections}`);
      if (suffix.includes('.')) found++;
    }
    count++;
  }
  if (count === 0) throw new Error(`${name}: none`);
  console.log(`${name}: ${count} agree in all three choices of sections; ${found} suffixes of several labels`);
}

/** The rules and exceptions in ASCII, a word for each wildcard. */
function rulesOf({ nodeFlags, edgeStart, edgeLength, edgeChild, labelText, rulesRoot, exceptionsRoot }) {
  const labelStarts = [];
  for (let edge = 0, at = 0; edge < edgeLength.length; at += edgeLength[edge++]) labelStarts.push(at);
  const below = (node, suffix) => {
    const found = nodeFlags[node] !== 0 && suffix !== '' ? [suffix] : [];
    for (let edge = edgeStart[node]; edge < (edgeStart[node + 1] ?? edgeLength.length); edge++) {
      const label = labelText.slice(labelStarts[edge], labelStarts[edge] + edgeLength[edge]).replace('*', 'wild');
      found.push(...below(edgeChild[edge], suffix === '' ? label : `${label}.${suffix}`));
    }
    return found;
  };
  const rules = [...below(rulesRoot, ''), ...below(exceptionsRoot, '')];
  return rules.filter((rule) => /^[!-~]*$/.test(rule));
}

function hostsAbout(rule) {
  const parent = rule.slice(rule.indexOf('.') + 1);
  return [rule, `a.${rule}`, `b.a.${rule}`, `x${rule}`, `a.x${rule}`, `${rule}x`, parent, `a.${parent}`, `*.${rule}`];
}

/** Labels of rules in any order below a rule, and letters of theirs changed. */
function* randomDomains(rules, next) {
  const pick = (list) => list[next(list.length)];
  for (let round = 0; round < RANDOM_DOMAINS; round++) {
    const labels = [...pick(rules).split('.'), ...pick(rules).split('.')];
    const kept = labels.slice(next(labels.length));
    if (next(3) === 0)
      kept.splice(next(kept.length + 1), 0, pick(['a', 'www', 'wild', '*', 'x-y', 'com', 'jp', 'kobe']));
    if (next(4) === 0) kept[next(kept.length)] += pick(['x', '0', '-', 'a']);
    yield kept.join('.');
  }
}
