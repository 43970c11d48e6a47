import { quote } from '../../../core/quote.ts';
import type { OwnList } from '../../../service/http/index.ts';
import { KNOWN_THREAT_TYPES, threatTypesOf } from '../../../service/lists/threats.ts';
import { group, oneOf, texts, toggle } from '../../arguments/flag.ts';
import { fileFault, sentenceOf, usageFault } from '../../fault.ts';
import { action } from '../command.ts';
import { CHECKER_FLAGS, checkOptions, openChecker, PROCEDURE_FLAGS, withAdvice } from './checker-flags.ts';
import { extensionOrigins, hostNames, LISTEN_FLAGS, serveUntilEnded } from './server.ts';

const FLAGS = {
  ...CHECKER_FLAGS,
  ...PROCEDURE_FLAGS,
  ...group('Server', {
    ...LISTEN_FLAGS,
    own: texts('FILE=TYPE', 'a list of urlsum list build and what its URLs are, as bad.list=MALWARE; repeat it'),
    frames: toggle('answer threats that count in frames alone, too'),
    logUrls: toggle('write each URL that is checked to standard error'),
  }),
};

/** `urlsum safe-browsing serve`: answers programs of this machine. */
export const SERVE = action({
  examples: [
    ['--store lists --when-unsure block', 'with lists'],
    ['--own bad.list=MALWARE --store lists --when-unsure block', 'and yours'],
    ['--procedure no-storage --when-unsure allow', 'without lists'],
  ],
  operands: '',
  about: [
    'Answers GET /v5/urls:search and, for programs that call Safe Browsing v4, POST /v4/threatMatches:find and GET ' +
      '/v4/threatLists; for who runs it, /status, /healthz and /metrics. It keeps the lists up to date in the background. ' +
      'SIGTERM ends it when what runs is answered. docs/safe-browsing-server.md says what changes from v4 and sbserver.',
  ],
  flags: FLAGS,
  async run(values, operands, { diagnostics }) {
    if (operands.length > 0) throw usageFault(`safe-browsing serve takes no operands, not '${operands[0]}'`);
    const options = await checkOptions(values);
    const ownLists = await Promise.all(values.own.map(ownListOf));
    const checker = await openChecker(options, diagnostics);
    const { CheckServer } = await import('../../../service/http/index.ts');
    const held = options.procedure === 'local-list' ? threatTypesOf(options.lists ?? []) : KNOWN_THREAT_TYPES;
    const server = new CheckServer({
      checker,
      ownLists,
      now: Date.now,
      withFrames: values.frames,
      whenUnsure: options.whenUnsure,
      types: KNOWN_THREAT_TYPES.filter((type) => held.includes(type) || ownLists.some((list) => list.type === type)),
      hosts: hostNames(values.host),
      origins: extensionOrigins(values.allowOrigin),
      log: (message) => void diagnostics.tell([withAdvice(message)]),
      ...(values.logUrls && {
        logUrl: (url: string, types: readonly string[]) =>
          void diagnostics.tell([`${types.join(',') || 'safe'} ${quote(url)}`]),
      }),
    });
    await serveUntilEnded(server, values.listen);
  },
});

/** @throws {Fault} on the option, and on the file */
async function ownListOf(value: string): Promise<OwnList> {
  const at = value.lastIndexOf('=');
  if (at < 1) throw usageFault(`--own must be FILE=TYPE, as bad.list=MALWARE, not '${value}'`);
  const path = value.slice(0, at);
  const { OwnList } = await import('../../../service/http/index.ts');
  const list = new OwnList(path, oneOf('the type of --own', value.slice(at + 1), KNOWN_THREAT_TYPES));
  await list.load().catch((error) => {
    throw fileFault(path, sentenceOf(error));
  });
  return list;
}
