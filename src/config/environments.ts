import { z } from 'zod';
import type { Environment } from '../lib/environment.ts';
import { fold } from '../lib/fold.ts';
import { type ConfigProblem, problemsOf } from './problem.ts';
import { variableAsSet } from './secret-files.ts';
import { baseUrl, commaSeparated, matching, secret, yesOrNo } from './values.ts';

export interface EnvironmentSettings {
  readonly environment: Environment;
  readonly variablePrefix: string;
  /** Without a trailing slash. */
  readonly apiUrl: string;
  readonly apiKey: string;
}

export interface EnvironmentsRead {
  readonly environments: readonly EnvironmentSettings[];
  readonly problems: readonly ConfigProblem[];
  /** What the variables of each environment begin with, also of one with problems. */
  readonly prefixes: readonly string[];
}

type Variables = Readonly<Record<string, string>>;

const OneEnvironment = z.object({
  API_URL: baseUrl,
  API_KEY: secret,
  LABEL: matching(/^.{1,40}$/u, 'is longer than 40 characters, or than a line').optional(),
  DASHBOARD_URL: baseUrl.optional(),
  PROTECTED: yesOrNo.removeDefault().optional(),
});

const EXAMPLES: Readonly<Record<keyof typeof OneEnvironment.shape, string>> = {
  API_URL: 'https://api.notifications.example.com',
  API_KEY: 'the API key of that environment',
  LABEL: 'Production (EU)',
  DASHBOARD_URL: 'https://dashboard.notifications.example.com',
  PROTECTED: 'true',
};

export const ENVIRONMENT_VARIABLES: readonly string[] = Object.keys(OneEnvironment.shape);

const NAMES_EXAMPLE = 'production,staging';

const ABOUT: Readonly<Record<keyof typeof OneEnvironment.shape, string>> = {
  API_URL: "base address of the service's API, without its version; needed",
  API_KEY: 'its API key; needed',
  LABEL: 'the name that people see, up to 40 characters; without it the name in `NOTIF_ENVIRONMENTS`',
  DASHBOARD_URL: 'base address of its dashboard; without it `NOTIF_DASHBOARD_URL`',
  PROTECTED: '`true`: every change asks for confirmation first; without it `true` if the name or label says production',
};

/** The rows of an environment's variables in docs/configuration.md (`npm run docs`). */
export const DOCUMENTED_ENVIRONMENT_VARIABLES = [
  {
    name: 'NOTIF_ENVIRONMENTS',
    about: 'several environments by name; the first is the default one',
    default: null,
    example: NAMES_EXAMPLE,
  },
  ...OneEnvironment.keyof().options.map((key) => ({
    name: `NOTIF_<NAME>_${key}`,
    about: ABOUT[key],
    default: null,
    example: EXAMPLES[key],
  })),
];

/** `NOTIF_API_URL` and `NOTIF_API_KEY` make the environment `default`. Blank variables must be removed first. */
export function parseEnvironments(
  variables: Variables,
  dashboardUrl: string | null,
  fromFiles: ReadonlySet<string>,
): EnvironmentsRead {
  const list = variables.NOTIF_ENVIRONMENTS;
  if (list === undefined)
    return { ...readEnvironment('default', 'NOTIF_', variables, dashboardUrl), prefixes: ['NOTIF_'] };
  const names = commaSeparated(list);
  const prefixes = names.map(variablePrefix);
  const problems = [...mixedStyles(variables, fromFiles), ...namesProblems(names)];
  if (problems.length > 0) return { environments: [], problems, prefixes };
  const read = names.map((name) => readEnvironment(name, variablePrefix(name), variables, dashboardUrl));
  const environments = read.flatMap((each) => each.environments);
  return {
    environments,
    problems: [...read.flatMap((each) => each.problems), ...labelProblems(environments)],
    prefixes,
  };
}

/** People name an environment by its name or label in any case, so no two can share one. */
function labelProblems(environments: readonly EnvironmentSettings[]): ConfigProblem[] {
  return environments
    .filter(({ environment: one }) => one.label !== one.name)
    .filter(({ environment: one }) =>
      environments.some(
        ({ environment: other }) =>
          other !== one && [other.name, other.label].some((name) => fold(name) === fold(one.label)),
      ),
    )
    .map(({ variablePrefix: prefix }) => ({
      variable: `${prefix}LABEL`,
      problem: 'is the name or label of another environment too',
      example: EXAMPLES.LABEL,
    }));
}

function variablePrefix(name: string): string {
  return `NOTIF_${name.toUpperCase().replaceAll('-', '_')}_`;
}

function readEnvironment(
  name: string,
  prefix: string,
  variables: Variables,
  dashboardUrl: string | null,
): Omit<EnvironmentsRead, 'prefixes'> {
  const own = Object.fromEntries(ENVIRONMENT_VARIABLES.map((key) => [key, variables[`${prefix}${key}`]]));
  const { data, error } = OneEnvironment.safeParse(own);
  if (error !== undefined) return { environments: [], problems: problemsOf(error, EXAMPLES, prefix) };
  const environment: Environment = {
    name,
    label: data.LABEL ?? name,
    dashboardUrl: data.DASHBOARD_URL ?? dashboardUrl,
    isProtected: data.PROTECTED ?? [name, data.LABEL ?? ''].some(isNamedProduction),
    apiUrlVariable: `${prefix}API_URL`,
    apiKeyVariable: `${prefix}API_KEY`,
  };
  return {
    environments: [{ environment, variablePrefix: prefix, apiUrl: data.API_URL, apiKey: data.API_KEY }],
    problems: [],
  };
}

/** Returns whether a name means production: 'Production (EU)', 'prod2', 'EU_PROD', but not 'pre-production', 'preprod' or 'non_prod'. */
function isNamedProduction(name: string): boolean {
  return /(?<!(?<![\p{L}\p{N}])(?:pre|non)[-_ ])(?<![\p{L}\p{N}])prod(?:uction)?(?!\p{L})/iu.test(name);
}

function mixedStyles(variables: Variables, fromFiles: ReadonlySet<string>): ConfigProblem[] {
  return ['NOTIF_API_URL', 'NOTIF_API_KEY']
    .filter((variable) => variables[variable] !== undefined)
    .map((variable) => ({
      variable: variableAsSet(variable, fromFiles),
      problem: 'is set beside NOTIF_ENVIRONMENTS: use one or the other',
      example: 'NOTIF_ENVIRONMENTS=production with NOTIF_PRODUCTION_API_URL and NOTIF_PRODUCTION_API_KEY',
    }));
}

function namesProblems(names: readonly string[]): ConfigProblem[] {
  const problem = (words: string): ConfigProblem[] => [
    { variable: 'NOTIF_ENVIRONMENTS', problem: words, example: NAMES_EXAMPLE },
  ];
  if (names.length === 0) return problem('names no environment');
  if (names.some((name) => !/^[a-z0-9-]{1,32}$/.test(name))) {
    return problem("has a name that isn't 1 to 32 small letters, digits and hyphens");
  }
  if (new Set(names).size < names.length) return problem('names an environment twice');
  return [];
}
