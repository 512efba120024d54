import { API_URL_EXAMPLE, type EnvironmentSettings } from './config.environments.ts';
import type { ConfigProblem } from './lib/errors.ts';
import type { Variables } from './process/variables.ts';

const UNENCRYPTED_API = /^http:\/\/(?!localhost|127\.|\[::1\])/;
/** `postgres://notif@db.example/notif`: another host than this one (a socket's is empty or a path), and nothing about TLS. */
const UNENCRYPTED_DATABASE = /:\/\/(?!(?:[^@]*@)?(?:localhost|127\.|\[::1\]|\/|%2F))(?!.*[?&]ssl(?:mode)?=)/i;

/** Somebody who wants an insecure default sets it explicitly. */
export function insecureIn(environments: readonly EnvironmentSettings[], variables: Variables): ConfigProblem[] {
  const { DATABASE_URL = '', PGSSLMODE } = variables;
  const warnings = environments
    .filter(({ apiUrl }) => UNENCRYPTED_API.test(apiUrl))
    .map(({ environment: { apiUrlVariable: variable } }) => {
      return { variable, problem: 'is an http address: the API key travels unencrypted', example: API_URL_EXAMPLE };
    });
  if (PGSSLMODE === undefined && UNENCRYPTED_DATABASE.test(DATABASE_URL)) {
    const problem = 'has no sslmode: the connection is unencrypted';
    const example = 'postgres://…?sslmode=verify-full, or disable to mean it';
    warnings.push({ variable: 'DATABASE_URL', problem, example });
  }
  return warnings;
}

/** What starts, and then finds nothing or the wrong events. */
export function mistakenIn(environments: readonly EnvironmentSettings[]): ConfigProblem[] {
  const versioned = environments
    .filter(({ apiUrl }) => /\/v\d$/.test(apiUrl))
    .map(({ environment: { apiUrlVariable: variable } }) => {
      const problem = "ends with the API's version, which Notif adds itself";
      return { variable, problem, example: 'the address without it' };
    });
  const copied = environments.flatMap(({ environment, apiUrl, apiKey }, index) => {
    const first = environments.findIndex((other) => other.apiUrl === apiUrl && other.apiKey === apiKey);
    const problem = `is also the key of ${environments[first]?.environment.name}: both read the same events`;
    const example = 'the API key of that environment';
    return first === index ? [] : [{ variable: environment.apiKeyVariable, problem, example }];
  });
  return [...versioned, ...copied];
}

export function unusedIn(variables: Variables, used: readonly string[]): ConfigProblem[] {
  const unused = Object.keys(variables).filter((name) => name.startsWith('NOTIF_') && !used.includes(name));
  const problem = "isn't used by Notif; it may be misspelled";
  return unused.map((variable) => ({ variable, problem, example: 'a name in docs/configuration.md' }));
}
