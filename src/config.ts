import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { KnownCause } from './causes/load-causes.ts';
import { readCausesFile } from './config/causes-file.ts';
import { ENVIRONMENT_VARIABLES, type EnvironmentSettings, parseEnvironments } from './config/environments.ts';
import { ConfigError, type ConfigProblem, problemsOf } from './config/problem.ts';
import { problemAsSet, variableAsSet, withSecretFiles } from './config/secret-files.ts';
import {
  baseUrl,
  databaseAddress,
  isQuoted,
  matching,
  operators,
  QUOTED,
  secret,
  secretAddress,
  wholeNumber,
} from './config/values.ts';
import { type ConfigWarning, unusedVariables, warningsOf } from './config/warnings.ts';
import type { GuestPolicy, Operators } from './lib/people.ts';

export { ConfigError, type ConfigProblem, type ConfigWarning, type EnvironmentSettings };

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** Where Notif stores its data: a PostgreSQL server, or the embedded database with its files in `folder`. */
export type DatabaseSettings =
  | { readonly kind: 'server'; readonly url: string }
  | { readonly kind: 'embedded'; readonly folder: string };

export interface SlackSettings {
  readonly botToken: string;
  /** How Notif connects: Socket Mode if there is an app-level token, else HTTP on `port`. */
  readonly wayIn:
    | { readonly mode: 'socket'; readonly appToken: string }
    | { readonly mode: 'http'; readonly signingSecret: string };
  /** The Web API address to use instead of Slack's. Null for Slack's. */
  readonly apiUrl: string | null;
}

/** The checked settings from all environment variables. docs/configuration.md describes each of them. */
export interface Config {
  /** At least one; names are unique. */
  readonly environments: readonly EnvironmentSettings[];
  readonly slack: SlackSettings;
  /** The channel that gets an unfiltered watch at first start. */
  readonly digestChannel: string | null;
  readonly pollSeconds: number;
  readonly horizonHours: number;
  /** The address Notif calls while everything works. A secret: anyone who knows it can keep the alarm silent. */
  readonly heartbeatUrl: string | null;
  readonly operators: Operators;
  /** The token that a deploy report must carry. Null if Notif accepts none. */
  readonly deployToken: string | null;
  /** Whether guests and people from other organizations can look things up. */
  readonly guests: GuestPolicy;
  /** The team's own causes from the file of `NOTIF_CAUSES_FILE`, which `loadConfig` reads. They take precedence over the catalog's. */
  readonly ownCauses: readonly KnownCause[];
  readonly database: DatabaseSettings;
  /** 0 picks any free port. */
  readonly port: number;
  readonly retentionDays: number;
  readonly logLevel: LogLevel;
  /** Settings that are valid but worth a line in the log. */
  readonly warnings: readonly ConfigWarning[];
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
  NOTIF_HEARTBEAT_URL: secretAddress.optional(),
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

type Setting = keyof typeof Settings.shape;

const EXAMPLES: Readonly<Record<Setting, string>> = {
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

const ABOUT: Readonly<Record<Setting, string>> = {
  NOTIF_DASHBOARD_URL: "base address of the service's dashboard, for links",
  SLACK_BOT_TOKEN: 'the bot token; needed',
  SLACK_APP_TOKEN: 'the app-level token, with which Notif connects by Socket Mode',
  SLACK_SIGNING_SECRET: 'HTTP mode, without an app-level token: Slack posts to `PORT`, signed with this secret',
  SLACK_API_URL: "another address of Slack's Web API, for tests and the sandbox",
  NOTIF_DIGEST_CHANNEL:
    'ID of the channel that gets every digest. If you change it, digests continue there; unset, they end',
  NOTIF_POLL_SECONDS: 'how often Notif checks for new events, in seconds; 1 to 3600',
  NOTIF_HORIZON_HOURS: 'how long Notif checks an event for late failures; 1 to 720',
  NOTIF_HEARTBEAT_URL:
    "an address of a dead man's switch, called (GET) once in each poll interval while everything is checked and alerted",
  NOTIF_OPERATORS:
    'who can send tests, change credentials and see the audit trail: Slack IDs of people and user groups, comma-separated, or `*` for every member; nobody without it',
  NOTIF_DEPLOY_TOKEN: 'the token with which pipelines report a deploy; at least 16 characters',
  NOTIF_GUESTS: '`allow`: guests of the workspace and people of other organizations can look things up',
  NOTIF_CAUSES_FILE: 'a YAML file with your own explanations of errors ([causes.md](causes.md))',
  DATABASE_URL: 'a PostgreSQL server instead of the embedded database; needed for more than one replica',
  NOTIF_DATA_DIR: 'folder of the embedded database, for one process at a time; in the image `/data`',
  PORT: 'of `/healthz`, `/readyz` and `/metrics`, in HTTP mode of `/slack/events`, with `NOTIF_DEPLOY_TOKEN` of `/deploys`',
  NOTIF_RETENTION_DAYS:
    'how many days failures, incidents, changes and the audit trail are kept, 1 to 3650; at least twice the horizon and a day',
  LOG_LEVEL: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
};

/** A variable's row in docs/configuration.md (`npm run docs`). */
export interface DocumentedVariable {
  readonly name: string;
  readonly about: string;
  readonly default: string | null;
  readonly example: string;
}

export const DOCUMENTED_SETTINGS: readonly DocumentedVariable[] = Settings.keyof().options.map((name) => {
  const value = Settings.shape[name].safeParse(undefined).data;
  const isText = typeof value === 'string' || typeof value === 'number';
  return { name, about: ABOUT[name], default: isText ? `${value}` : null, example: EXAMPLES[name] };
});

/**
 * Parses the whole configuration. A blank variable counts as not set; a secret's `<NAME>_FILE` names a file that holds it.
 * @throws ConfigError with every problem at once, by the variable's name and without its value.
 */
export function parseConfig(env: NodeJS.ProcessEnv, readFile: (path: string) => string = readText): Config {
  const { variables, problems: fileProblems, fromFiles, unread } = withSecretFiles(withoutBlanks(env), readFile);
  const settings = Settings.safeParse(variables);
  const dashboardUrl = settings.data?.NOTIF_DASHBOARD_URL ?? null;
  const { environments, problems, prefixes } = parseEnvironments(variables, dashboardUrl, fromFiles);
  const valueProblems = [
    ...problems,
    ...problemsOf(settings.error, EXAMPLES),
    ...noWayIn(variables, unread),
    ...quoted(variables),
  ];
  const all = [
    ...valueProblems.filter(({ variable }) => !unread.has(variable)).map((one) => problemAsSet(one, fromFiles)),
    ...fileProblems,
  ];
  const wayIn = settings.success ? wayInOf(settings.data) : null;
  const asSet = ({ variable, warning }: ConfigWarning) => ({ variable: variableAsSet(variable, fromFiles), warning });
  const unused = unusedVariables(prefixes, variables, SETTINGS).map(asSet);
  if (!settings.success || wayIn === null || all.length > 0) {
    const named = new Set(all.map(({ variable }) => variable));
    throw new ConfigError(oncePerVariable(all), { unused: unused.filter(({ variable }) => !named.has(variable)) });
  }
  const config = configOf(settings.data, wayIn, environments);
  return { ...config, warnings: [...warningsOf(config).map(asSet), ...unused] };
}

/**
 * Loads the whole configuration and the files that it names.
 * @throws ConfigError with every problem at once, by the variable's name and without its value.
 */
export async function loadConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const file = withoutBlanks(env).NOTIF_CAUSES_FILE;
  const [parsed, read] = await Promise.allSettled([
    (async () => parseConfig(env))(),
    file === undefined ? [] : readCausesFile(file),
  ]);
  if (parsed.status === 'fulfilled') {
    if (read.status === 'rejected') throw read.reason;
    return { ...parsed.value, ownCauses: read.value };
  }
  const [error, fileError]: unknown[] = [parsed.reason, read.status === 'rejected' ? read.reason : null];
  if (!(error instanceof ConfigError && fileError instanceof ConfigError)) throw error;
  // A name with quotes around it is a problem already.
  if (error.problems.some(({ variable }) => variable === 'NOTIF_CAUSES_FILE')) throw error;
  throw new ConfigError([...error.problems, ...fileError.problems], { unused: error.unused });
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function configOf(
  settings: z.output<typeof Settings>,
  wayIn: SlackSettings['wayIn'],
  environments: readonly EnvironmentSettings[],
): Omit<Config, 'warnings'> {
  return {
    environments,
    slack: { botToken: settings.SLACK_BOT_TOKEN, wayIn, apiUrl: settings.SLACK_API_URL ?? null },
    digestChannel: settings.NOTIF_DIGEST_CHANNEL ?? null,
    pollSeconds: settings.NOTIF_POLL_SECONDS,
    horizonHours: settings.NOTIF_HORIZON_HOURS,
    heartbeatUrl: settings.NOTIF_HEARTBEAT_URL ?? null,
    operators: settings.NOTIF_OPERATORS,
    deployToken: settings.NOTIF_DEPLOY_TOKEN ?? null,
    guests: settings.NOTIF_GUESTS,
    ownCauses: [],
    database: databaseOf(settings),
    port: settings.PORT,
    retentionDays: settings.NOTIF_RETENTION_DAYS,
    logLevel: settings.LOG_LEVEL,
  };
}

function databaseOf(settings: z.output<typeof Settings>): DatabaseSettings {
  return settings.DATABASE_URL === undefined
    ? { kind: 'embedded', folder: settings.NOTIF_DATA_DIR }
    : { kind: 'server', url: settings.DATABASE_URL };
}

/** Removes duplicate problems: `NOTIF_DASHBOARD_URL` is parsed both as a setting and as the only environment's own. */
function oncePerVariable(problems: readonly ConfigProblem[]): ConfigProblem[] {
  return [...new Map(problems.map((problem) => [problem.variable, problem])).values()];
}

/**
 * If both an app token and a signing secret are set, the installation has probably switched modes. Socket Mode goes first because it needs
 * no address.
 */
function wayInOf(settings: z.output<typeof Settings>): SlackSettings['wayIn'] | null {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = settings;
  if (appToken !== undefined) return { mode: 'socket', appToken };
  return signingSecret === undefined ? null : { mode: 'http', signingSecret };
}

function noWayIn(variables: Readonly<Record<string, string>>, unread: ReadonlySet<string>): ConfigProblem[] {
  if (['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'].some((name) => name in variables || unread.has(name))) return [];
  const example = `${EXAMPLES.SLACK_APP_TOKEN}; or SLACK_SIGNING_SECRET, to have Slack post to PORT`;
  return [{ variable: 'SLACK_APP_TOKEN', problem: 'is missing', example }];
}

function quoted(variables: Readonly<Record<string, string>>): ConfigProblem[] {
  return Object.entries(variables)
    .filter(([variable, value]) => isRead(variable) && isQuoted(value))
    .map(([variable]) => ({
      variable,
      problem: QUOTED,
      example: 'the same value without quotes',
    }));
}

function isRead(variable: string): boolean {
  if (SETTINGS.includes(variable) || variable === 'NOTIF_ENVIRONMENTS') return true;
  return variable.startsWith('NOTIF_') && ENVIRONMENT_VARIABLES.some((key) => variable.endsWith(`_${key}`));
}

/**
 * Drops blank variables and trims the rest: `NAME=` in a compose or env file means "not set", and spaces around a value are never meant.
 */
function withoutBlanks(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || value.trim() === '' ? [] : [[name, value.trim()]],
    ),
  );
}
