import { ENVIRONMENT_VARIABLES, type EnvironmentSettings } from './environments.ts';

/** A setting that works but probably isn't what was meant. Contains no values. */
export interface ConfigWarning {
  readonly variable: string;
  readonly warning: string;
}

interface Configured {
  readonly environments: readonly EnvironmentSettings[];
}

/**
 * Returns warnings about API keys that travel unencrypted, about addresses that end with the API's version, and about `NOTIF_…` variables
 * that Notif doesn't use, such as a mistyped one. None is refused: plain http is usual inside a cluster, a gateway may have any path, and a
 * platform may set its own variables.
 */
export function warningsOf(
  config: Configured,
  variables: Readonly<Record<string, string>>,
  settings: readonly string[],
): ConfigWarning[] {
  return [...unencrypted(config), ...versioned(config), ...unread(config, variables, settings)];
}

function unencrypted({ environments }: Configured): ConfigWarning[] {
  return environments
    .filter(({ apiUrl }) => apiUrl.startsWith('http:') && !isLoopback(new URL(apiUrl).hostname))
    .map(({ environment }) => ({
      variable: environment.apiUrlVariable,
      warning: 'is an http address: the API key travels unencrypted',
    }));
}

function versioned({ environments }: Configured): ConfigWarning[] {
  return environments
    .filter(({ apiUrl }) => /\/v[12]$/.test(apiUrl))
    .map(({ environment }) => ({
      variable: environment.apiUrlVariable,
      warning: 'ends with a version, which Notif adds itself: /v1/v1/… is probably not meant',
    }));
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

function unread(
  { environments }: Configured,
  variables: Readonly<Record<string, string>>,
  settings: readonly string[],
): ConfigWarning[] {
  const read = new Set([
    ...settings,
    'NOTIF_ENVIRONMENTS',
    ...environments.flatMap(({ variablePrefix }) => ENVIRONMENT_VARIABLES.map((key) => `${variablePrefix}${key}`)),
  ]);
  return Object.keys(variables)
    .filter((variable) => variable.startsWith('NOTIF_') && !read.has(variable))
    .map((variable) => ({
      variable,
      warning: "isn't used by Notif; it may be misspelled",
    }));
}
