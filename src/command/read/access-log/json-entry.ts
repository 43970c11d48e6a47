import { escapeOf } from '../../../core/url/percent.ts';
import { type Grammar, type Reading, saidBy } from './grammar.ts';
import { bytesOf } from './request.ts';

// Entries of logs in JSON, one object per line. A byte beyond ASCII need not be of UTF-8: it is escaped as in URLs.

type Members = Readonly<Record<string, unknown>>;

/** Caddy's. An entry names TLS where it was used. @see https://caddyserver.com/docs/logging */
const caddy: Grammar = {
  read(line) {
    const { request, status } = membersIn(line);
    if (typeof request !== 'object' || request === null) return undefined;
    const { method, uri, host, tls } = request as Members;
    if (typeof method !== 'string' || typeof uri !== 'string') return undefined;
    return {
      method,
      target: bytesOf(uri),
      scheme: tls === undefined ? undefined : 'https',
      usualScheme: 'http',
      authority: textOf(host),
      status: String(status),
    };
  },
};

/** Traefik's. @see https://doc.traefik.io/traefik/observability/access-logs/ */
const traefik: Grammar = {
  read(line): Reading {
    const entry = membersIn(line);
    const { RequestMethod: method, RequestPath: path } = entry;
    if (typeof method !== 'string' || typeof path !== 'string') return undefined;
    return {
      method,
      target: bytesOf(path),
      scheme: textOf(entry['RequestScheme']),
      authority: textOf(entry['RequestAddr']),
      host: textOf(entry['RequestHost']),
      port: textOf(entry['RequestPort']),
      status: String(entry['DownstreamStatus']),
    };
  },
};

export const entryGrammars: readonly Grammar[] = [caddy, traefik];

function membersIn(line: string): Members {
  if (!line.startsWith('{')) return {};
  try {
    return JSON.parse(line.replace(/[\x80-\xff]/g, (byte) => escapeOf(byte.charCodeAt(0)))) as Members;
  } catch {
    return {}; // a line that is not JSON is of no format
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? saidBy(bytesOf(value)) : undefined;
}
