import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { KnownCause } from './causes/load-causes.ts';
import { type EnvironmentSettings, parseEnvironments } from './config/environments.ts';
import { withSecretFiles } from './config/secret-files.ts';
import {
  address,
  baseUrl,
  type ConfigProblem,
  databaseAddress,
  matching,
  operators,
  problemsOf,
  secret,
  wholeNumber,
} from './config/values.ts';
import { systemCode } from './lib/text/system-code.ts';

/** A setting that works but probably isn't what was meant. Contains no values. */
export interface ConfigWarning {
  readonly variable: string;
  readonly warning: string;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];
  /** A variable that is set and not used: a mistyped one may be why another is missing. */
  readonly warnings: readonly ConfigWarning[];

  constructor(problems: readonly ConfigProblem[], warnings: readonly ConfigWarning[] = []) {
    const found = problems.map(({ variable, problem }) => `${variable} ${problem}`).join('; ');
    super(`Some environment variables are missing or invalid: ${found}`);
    this.problems = problems;
    this.warnings = warnings;
  }
}

const channelId = matching(/^[CG][A-Z0-9]{2,}$/, "isn't a channel ID: names don't work");

const Settings = z.object({
  NOTIF_DASHBOARD_URL: baseUrl.optional(),
  SLACK_BOT_TOKEN: secret.startsWith('xoxb-', { error: "isn't a bot token, which starts with xoxb-" }),
  SLACK_APP_TOKEN: secret
    .startsWith('xapp-', { error: "isn't an app-level token, which starts with xapp-" })
    .optional(),
  SLACK_SIGNING_SECRET: secret.optional(),
  SLACK_API_URL: baseUrl.optional(),
  NOTIF_DIGEST_CHANNEL: channelId.optional(),
  NOTIF_POLL_SECONDS: wholeNumber(1, 3600, 60),
  NOTIF_HORIZON_HOURS: wholeNumber(1, 720, 72),
  NOTIF_HEARTBEAT_URL: address.optional(),
  NOTIF_OPERATORS: operators,
  NOTIF_DEPLOY_TOKEN: secret.min(16, { error: 'is shorter than 16 characters: it could be guessed' }).optional(),
  NOTIF_GUESTS: z.enum(['allow', 'refuse'], { error: 'is neither allow nor refuse' }).default('refuse'),
  NOTIF_CAUSES_FILE: z.string().optional(),
  DATABASE_URL: databaseAddress.optional(),
  NOTIF_DATA_DIR: z.string().default('./data'),
  PORT: wholeNumber(0, 65_535, 3000),
  NOTIF_RETENTION_DAYS: wholeNumber(1, 3650, 30),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { error: "isn't a level of the log" })
    .default('info'),
});

const EXAMPLES: Readonly<Record<keyof typeof Settings.shape, string>> = {
  NOTIF_DASHBOARD_URL: 'https://dashboard.notifications.example.com',
  SLACK_BOT_TOKEN: 'xoxb-…, from "OAuth & Permissions" of the Slack app',
  SLACK_APP_TOKEN: 'xapp-…, from "Basic Information" > "App-Level Tokens" of the Slack app',
  SLACK_SIGNING_SECRET: 'from "Basic Information" > "App Credentials" of the Slack app',
  SLACK_API_URL: 'https://slack.com/api',
  NOTIF_DIGEST_CHANNEL: 'C0123456789, at the end of "View channel details" in Slack',
  NOTIF_POLL_SECONDS: '60',
  NOTIF_HORIZON_HOURS: '72',
  NOTIF_HEARTBEAT_URL: 'https://heartbeats.example.com/ping/…',
  NOTIF_OPERATORS: 'U0123456789,S0123456789',
  NOTIF_DEPLOY_TOKEN: 'the output of openssl rand -hex 32',
  NOTIF_GUESTS: 'allow',
  NOTIF_CAUSES_FILE: '/etc/notif/causes.yml',
  DATABASE_URL: 'postgres://notif@db.example.com:5432/notif',
  NOTIF_DATA_DIR: './data',
  PORT: '3000',
  NOTIF_RETENTION_DAYS: '30',
  LOG_LEVEL: 'info',
};

/** The variables that Notif reads in any configuration. Those of an environment are in `ENVIRONMENT_VARIABLES`. */
export const SETTINGS: readonly string[] = Object.keys(Settings.shape);

/** The checked settings from all environment variables. docs/configuration.md describes each of them. */
export type Config = ReturnType<typeof parseConfig>;

/**
 * Parses the whole configuration. A blank variable counts as not set; a secret's `<NAME>_FILE` names a file that holds it.
 * @throws ConfigError with every problem at once, by the variable's name and without its value.
 */
export function parseConfig(env: NodeJS.ProcessEnv, readFile = (path: string) => readFileSync(path, 'utf8')) {
  const { variables, problems: fileProblems, unread } = withSecretFiles(plainVariables(env), readFile);
  const { data, error } = Settings.safeParse(variables);
  const { environments, problems, read } = parseEnvironments(variables, data?.NOTIF_DASHBOARD_URL ?? null);
  const warnings = warningsOf(environments, variables, new Set([...SETTINGS, 'NOTIF_ENVIRONMENTS', ...read]));
  const wayIn = wayInOf(data);
  const hasWayIn = ['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'].some((name) => name in variables || unread.has(name));
  const all = [...problems, ...problemsOf(error, EXAMPLES), ...(hasWayIn ? [] : [NO_WAY_IN])].filter(
    ({ variable }) => !unread.has(variable),
  );
  if (data === undefined || wayIn === null || all.length + fileProblems.length > 0) {
    // `NOTIF_DASHBOARD_URL` is parsed both as a setting and as the only environment's own.
    const byVariable = new Map([...all, ...fileProblems].map((problem) => [problem.variable, problem]));
    throw new ConfigError([...byVariable.values()], warnings);
  }
  const { DATABASE_URL: url, NOTIF_DATA_DIR: folder } = data;
  const ownCauses: readonly KnownCause[] = [];
  return {
    /** At least one; names are unique. */
    environments,
    slack: { botToken: data.SLACK_BOT_TOKEN, wayIn, apiUrl: data.SLACK_API_URL ?? null },
    digestChannel: data.NOTIF_DIGEST_CHANNEL ?? null,
    pollSeconds: data.NOTIF_POLL_SECONDS,
    horizonHours: data.NOTIF_HORIZON_HOURS,
    /** A secret: anyone who knows it can keep the alarm silent. */
    heartbeatUrl: data.NOTIF_HEARTBEAT_URL ?? null,
    operators: data.NOTIF_OPERATORS,
    deployToken: data.NOTIF_DEPLOY_TOKEN ?? null,
    guests: data.NOTIF_GUESTS,
    /** Those of `NOTIF_CAUSES_FILE`, which `loadConfig` reads. They take precedence over the catalog's. */
    ownCauses,
    database: url === undefined ? { kind: 'embedded' as const, folder } : { kind: 'server' as const, url },
    port: data.PORT,
    retentionDays: data.NOTIF_RETENTION_DAYS,
    warnings,
  };
}

/** 'info' for one that isn't a level, which `parseConfig` refuses. */
export function logLevelIn(env: NodeJS.ProcessEnv): string {
  return Settings.shape.LOG_LEVEL.catch('info').parse(env.LOG_LEVEL);
}

/** With the file of `NOTIF_CAUSES_FILE`, at most 1 MB. @throws ConfigError that names each wrong field by its path, without its value. */
export async function loadConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const config = parseConfig(env);
  const variable = 'NOTIF_CAUSES_FILE';
  const path = plainVariables(env)[variable];
  if (path === undefined) return config;
  const { CausesError, causesIn } = await import('./causes/load-causes.ts');
  try {
    return { ...config, ownCauses: causesIn(readFileSync(path, 'utf8')) };
  } catch (cause) {
    const example = '/etc/notif/causes.yml';
    const code = systemCode(cause);
    if (code !== null)
      throw new ConfigError([{ variable, problem: `names a file that can't be read (${code})`, example }]);
    if (!(cause instanceof CausesError)) throw cause;
    throw new ConfigError(cause.problems.slice(0, 10).map((problem) => ({ variable, ...problem })));
  }
}

/** If both are set, the installation has probably switched modes. Socket Mode goes first because it needs no address. */
function wayInOf(settings: z.output<typeof Settings> | undefined) {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = settings ?? {};
  if (appToken !== undefined) return { mode: 'socket' as const, appToken };
  return signingSecret === undefined ? null : { mode: 'http' as const, signingSecret };
}

const NO_WAY_IN: ConfigProblem = {
  variable: 'SLACK_APP_TOKEN',
  problem: 'is missing',
  example: 'xapp-…, from the Slack app; or SLACK_SIGNING_SECRET, to have Slack post to PORT',
};

/** Nothing of it is refused: plain http is usual inside a cluster, and a platform may set variables of its own. */
function warningsOf(
  environments: readonly EnvironmentSettings[],
  variables: Readonly<Record<string, string>>,
  read: ReadonlySet<string>,
): ConfigWarning[] {
  const isOpen = ({ apiUrl }: EnvironmentSettings) => /^http:\/\/(?!localhost|127\.|\[::1\])/.test(apiUrl);
  const open = environments.filter(isOpen).map(({ environment: { apiUrlVariable: variable } }) => ({
    variable,
    warning: 'is an http address: the API key travels unencrypted',
  }));
  const unused = Object.keys(variables).filter((name) => name.startsWith('NOTIF_') && !read.has(name));
  return [...open, ...unused.map((variable) => ({ variable, warning: "isn't used by Notif; it may be misspelled" }))];
}

/** `NAME=` in a compose or env file means "not set"; spaces and quotes around a value, which some ways of setting it keep, are never meant. */
function plainVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const plain = Object.entries(env).map(([name, value = '']) => [name, value.trim().replace(/^(["'])(.*)\1$/s, '$2')]);
  return Object.fromEntries(plain.filter(([, value]) => value !== ''));
}
