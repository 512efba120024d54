import { promisify } from 'node:util';
import { type Dispatcher, EnvHttpProxyAgent, Pool, setGlobalDispatcher } from 'undici';
import { ConfigError, systemCode } from '../lib/errors.ts';

const VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Sends every fetch and Slack's sockets through the proxy. */
export function takeProxy(env: NodeJS.ProcessEnv): void {
  const set = VARIABLES.flatMap((variable) => (env[variable] ? [{ variable, address: env[variable] }] : []));
  const wrong = set.filter(({ address }) => !/^https?:\/\/./i.test(address) || !URL.canParse(address));
  const refusal = { problem: "isn't an http or https address", example: 'http://proxy.example.com:3128' };
  if (wrong.length > 0) throw new ConfigError(wrong.map(({ variable }) => ({ variable, ...refusal })));
  if (set.length > 0) setGlobalDispatcher(new EnvHttpProxyAgent({ clientFactory: poolTo }));
}

/** Its errors name the proxy, without its password. */
function poolTo(proxy: URL, options: object): Dispatcher {
  const pool = new Pool(proxy, options);
  const open = promisify<Dispatcher.ConnectOptions, Dispatcher.ConnectData>(pool.connect.bind(pool));
  async function connect(to: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const opened = await open(to).catch((cause: unknown) => {
      throw new ProxyError(proxy.host, systemCode(cause) ?? 'closed', cause);
    });
    if (opened.statusCode === 200) return opened;
    opened.socket.on('error', () => {}).destroy();
    throw new ProxyError(proxy.host, `${opened.statusCode}`);
  }
  return Object.assign(pool, { connect });
}

class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: string;

  constructor(proxy: string, why: string, cause?: unknown) {
    super(`The proxy ${proxy} let no connection through (${why})`, { cause });
    this.code = `ERR_PROXY ${proxy} ${why}`;
  }
}
