import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici';
import { ConfigError } from '../lib/errors.ts';

const VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Sends every fetch and Slack's sockets through the proxy. */
export function takeProxy(env: NodeJS.ProcessEnv): void {
  const set = VARIABLES.flatMap((variable) => (env[variable] ? [{ variable, address: env[variable] }] : []));
  const wrong = set.filter(({ address }) => !/^https?:\/\/./i.test(address) || !URL.canParse(address));
  const refusal = { problem: "isn't an http or https address", example: 'http://proxy.example.com:3128' };
  if (wrong.length > 0) throw new ConfigError(wrong.map(({ variable }) => ({ variable, ...refusal })));
  if (set.length > 0) setGlobalDispatcher(new EnvHttpProxyAgent());
}
