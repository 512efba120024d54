import { z } from 'zod';
import type { Environment } from '../lib/environment.ts';
import { fold } from '../lib/fold.ts';
import {
  baseUrl,
  type ConfigProblem,
  commaSeparated,
  matching,
  problemsIn,
  secret,
  type Variables,
  yesOrNo,
} from './values.ts';

export interface EnvironmentSettings {
  readonly environment: Environment;
  /** Without a trailing slash. */
  readonly apiUrl: string;
  readonly apiKey: string;
}

const OneEnvironment = z.object({
  API_URL: baseUrl.describe('https://api.notifications.example.com'),
  API_KEY: secret.describe('the API key of that environment'),
  LABEL: matching(/^.{1,40}$/u, 'is longer than 40 characters, or than a line')
    .optional()
    .describe('Production (EU)'),
  DASHBOARD_URL: baseUrl.optional().describe('https://dashboard.notifications.example.com'),
  PROTECTED: yesOrNo.optional().describe('true'),
});

export const ENVIRONMENT_VARIABLES: readonly string[] = Object.keys(OneEnvironment.shape);

/** One by `NOTIF_API_URL` and its like, or those that `NOTIF_ENVIRONMENTS` names. `read`: the names of their variables. */
export function parseEnvironments(variables: Variables, dashboardUrl: string | null) {
  const list = variables.NOTIF_ENVIRONMENTS;
  const names = list === undefined ? ['default'] : commaSeparated(list);
  const prefixOf = (name: string) =>
    list === undefined ? 'NOTIF_' : `NOTIF_${name.toUpperCase().replaceAll('-', '_')}_`;
  const read = names.flatMap((name) => ENVIRONMENT_VARIABLES.map((key) => prefixOf(name) + key));
  const problems: ConfigProblem[] = [];
  const isWrong = names.length === 0 || names.some((name) => !/^[a-z0-9-]{1,32}$/.test(name));
  if (isWrong || new Set(names).size < names.length) {
    const problem = "isn't a list of different names of 1 to 32 small letters, digits and hyphens";
    problems.push({ variable: 'NOTIF_ENVIRONMENTS', problem, example: 'production,staging' });
    return { environments: [], read, problems };
  }
  const environments = names.flatMap((name): EnvironmentSettings[] => {
    const prefix = prefixOf(name);
    const given = Object.fromEntries(ENVIRONMENT_VARIABLES.map((key) => [key, variables[prefix + key]]));
    const { data, error } = OneEnvironment.safeParse(given);
    problems.push(...problemsIn(error, OneEnvironment, prefix));
    if (data === undefined) return [];
    const { LABEL: label = name, DASHBOARD_URL = dashboardUrl } = data;
    const isProtected = data.PROTECTED ?? (isProduction(name) || isProduction(label));
    const names = { apiUrlVariable: `${prefix}API_URL`, apiKeyVariable: `${prefix}API_KEY` };
    const environment = { name, label, dashboardUrl: DASHBOARD_URL, isProtected, ...names };
    return [{ environment, apiUrl: data.API_URL, apiKey: data.API_KEY }];
  });
  // People name an environment by its name or label in any case, so no two can share one.
  const called = environments.flatMap(({ environment: { name, label } }) => [...new Set([name, label].map(fold))]);
  if (new Set(called).size < called.length) {
    const problem = 'has two environments with the same name or label (NOTIF_<NAME>_LABEL), in any case';
    problems.push({ variable: 'NOTIF_ENVIRONMENTS', problem, example: 'production,staging' });
  }
  return { environments, problems, read };
}

/** Returns whether a name means production: 'Production (EU)', 'prod2', 'EU_PROD', but not 'pre-production', 'preprod' or 'non_prod'. */
function isProduction(name: string): boolean {
  return /(?<!(?<![\p{L}\p{N}])(?:pre|non)[-_ ])(?<![\p{L}\p{N}])prod(?:uction)?(?!\p{L})/iu.test(name);
}
