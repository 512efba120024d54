import { z } from 'zod';
import type { Environment } from './lib/environment.ts';
import type { ConfigProblem } from './lib/errors.ts';
import { fold } from './lib/fold.ts';
import { baseUrl, matching, maybeUrl, problemsIn, secret, type Variables, yesOrNo } from './process/variables.ts';

export const API_URL_EXAMPLE = 'https://api.notifications.example.com';

/** Each after the prefix of its environment. */
const EnvironmentVariables = z.object({
  API_URL: baseUrl.describe(API_URL_EXAMPLE),
  API_KEY: secret.describe('the API key of that environment'),
  LABEL: matching(/^.{1,40}$/u, 'is longer than 40 characters, or than a line').optional(),
  DASHBOARD_URL: maybeUrl,
  PROTECTED: yesOrNo,
});

export const ENVIRONMENT_VARIABLES = Object.keys(EnvironmentVariables.shape);

export interface EnvironmentSettings {
  environment: Environment;
  apiUrl: string;
  apiKey: string;
}

interface ParsedEnvironments {
  environments: readonly EnvironmentSettings[];
  names: readonly string[];
  problems: ConfigProblem[];
  /** Variables that environments have. */
  used: readonly string[];
}

export function parseEnvironments(variables: Variables, dashboardUrl: string | null): ParsedEnvironments {
  const list = variables.NOTIF_ENVIRONMENTS;
  const names = list?.split(/\s*,\s*/) ?? ['default'];
  const prefixOf = (name: string) => (list ? `NOTIF_${name.toUpperCase().replaceAll('-', '_')}_` : 'NOTIF_');
  const used = names.flatMap((name) => ENVIRONMENT_VARIABLES.map((key) => prefixOf(name) + key));
  const problems: ConfigProblem[] = [];
  const refuse = (problem: string) =>
    problems.push({ variable: 'NOTIF_ENVIRONMENTS', problem, example: 'production,staging' });
  if (!names.every((name) => /^[a-z0-9-]{1,32}$/.test(name)) || new Set(names).size < names.length) {
    refuse("isn't a list of different names of 1 to 32 small letters, digits and hyphens");
    return { environments: [], names: [], used, problems };
  }
  const environments = names.flatMap((name): EnvironmentSettings[] => {
    const prefix = prefixOf(name);
    const given = Object.fromEntries(ENVIRONMENT_VARIABLES.map((key) => [key, variables[prefix + key]]));
    const { data, error } = EnvironmentVariables.safeParse(given);
    problems.push(...problemsIn(error, EnvironmentVariables, prefix));
    if (data === undefined) return [];
    const { API_URL: apiUrl, API_KEY: apiKey, LABEL: label = name } = data;
    const environment = {
      name,
      label,
      dashboardUrl: data.DASHBOARD_URL ?? dashboardUrl,
      isProtected: data.PROTECTED ?? (isProduction(name) || isProduction(label)),
      apiHost: new URL(apiUrl).host,
      apiUrlVariable: `${prefix}API_URL`,
      apiKeyVariable: `${prefix}API_KEY`,
    };
    return [{ environment, apiUrl, apiKey }];
  });
  const typed = environments.flatMap(({ environment: { name, label } }) => [...new Set([name, label].map(fold))]);
  if (new Set(typed).size < typed.length)
    refuse('has two environments with the same name or label (NOTIF_<NAME>_LABEL), in any case');
  return { environments, names, problems, used };
}

/** True for 'Production (EU)', 'EU_PROD2'; false for 'preprod', 'non_prod'. */
function isProduction(name: string): boolean {
  return /(?<!(?<![\p{L}\p{N}])(?:pre|non)[-_ ])(?<![\p{L}\p{N}])prod(?:uction)?(?!\p{L})/iu.test(name);
}
