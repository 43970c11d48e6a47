/** The first Node of each release line whose `fetch` can go through the proxy of the environment. */
const FIRST_MINORS: Readonly<Record<string, number>> = { 22: 21, 23: Number.POSITIVE_INFINITY };
const FIRST_MAJOR = 22;

/** What is looked at of a process. */
export interface ProxyHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly execArgv: readonly string[];
  /** Of Node, as `v24.1.0`. */
  readonly version: string;
}

/**
 * Names a proxy of the environment that requests to a server do not go through, and what makes them; undefined where
 * there is none. Its URL is not quoted: it may hold a password.
 */
export function unusedProxy(server: string, { env, execArgv, version }: ProxyHost): string | undefined {
  const { protocol, hostname } = new URL(server);
  const names = [`${protocol.slice(0, -1)}_proxy`, `${protocol.slice(0, -1)}_proxy`.toUpperCase()];
  const variable = names.find((name) => env[name]);
  const exceptions = env['no_proxy'] || env['NO_PROXY'] || '';
  if (variable === undefined || isLoopback(hostname) || isExcepted(hostname, exceptions)) return undefined;
  const isAsked =
    env['NODE_USE_ENV_PROXY'] === '1' || [...execArgv, env['NODE_OPTIONS'] ?? ''].join(' ').includes('--use-env-proxy');
  const canUse = hasProxies(version);
  if (isAsked && canUse) return undefined;
  const advice = canUse
    ? 'set NODE_USE_ENV_PROXY=1'
    : `that takes Node 24 or newer, with NODE_USE_ENV_PROXY=1; this is ${version}`;
  return `${variable} is set, but requests to ${hostname} do not go through the proxy: ${advice}`;
}

function hasProxies(version: string): boolean {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  return major >= FIRST_MAJOR && minor >= (FIRST_MINORS[major] ?? 0);
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** NO_PROXY has hosts, each for those under it, too, or `*`. */
function isExcepted(hostname: string, exceptions: string): boolean {
  const hosts = exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return hosts.some((host) => {
    const name = host.replace(/^\*?\.|:\d+$/g, '');
    return name === '*' || hostname === name || hostname.endsWith(`.${name}`);
  });
}
