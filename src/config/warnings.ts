import { ENVIRONMENT_VARIABLES, type EnvironmentSettings } from './environments.ts';

/** A setting that works but probably isn't what was meant. Contains no values. */
export interface ConfigWarning {
  readonly variable: string;
  readonly warning: string;
}

interface Configured {
  readonly environments: readonly EnvironmentSettings[];
}

/** Neither is refused: plain http is usual inside a cluster, and a gateway may have any path. */
export function warningsOf(config: Configured): ConfigWarning[] {
  return [...unencrypted(config), ...versioned(config)];
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

/** Not refused, since a platform may set its own. `prefixes`: of the environments' variables. */
export function unusedVariables(
  prefixes: readonly string[],
  variables: Readonly<Record<string, string>>,
  settings: readonly string[],
): ConfigWarning[] {
  const read = new Set([
    ...settings,
    'NOTIF_ENVIRONMENTS',
    ...prefixes.flatMap((prefix) => ENVIRONMENT_VARIABLES.map((key) => `${prefix}${key}`)),
  ]);
  return Object.keys(variables)
    .filter((variable) => variable.startsWith('NOTIF_') && !read.has(variable))
    .map((variable) => ({
      variable,
      warning: read.has(variable.replace(/_FILE$/, ''))
        ? "isn't used by Notif: only secrets can be read from files"
        : "isn't used by Notif; it may be misspelled",
    }));
}
