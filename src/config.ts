import { join } from 'node:path';
import { z } from 'zod';
import type { AlertmanagerSettings } from './alerts/pager-api.ts';
import type { KnownCause } from './causes/load-causes.ts';
import { type EnvironmentSettings, parseEnvironments } from './config.environments.ts';
import { insecureIn, mistakenIn, unusedIn } from './config.warnings.ts';
import { ConfigError, type ConfigProblem } from './lib/errors.ts';
import type { Operators } from './lib/workspace.ts';
import {
  address,
  anyValue,
  baseUrlWithLogin,
  databaseAddress,
  fileContent,
  matching,
  maybeUrl,
  operators,
  plainValue,
  problemsIn,
  secret,
  tokenWith,
  type Variables,
  variablesIn,
  wholeNumber,
  yesOrNo,
} from './process/variables.ts';

/** A problem shows the description as an example. */
const Settings = z.object({
  NOTIF_DASHBOARD_URL: maybeUrl,
  SLACK_BOT_TOKEN: tokenWith('xoxb-', 'a bot token').describe('xoxb-…, from "OAuth & Permissions" of the Slack app'),
  SLACK_APP_TOKEN: tokenWith('xapp-', 'an app-level token')
    .optional()
    .describe('xapp-…, from "Basic Information" > "App-Level Tokens" of the Slack app'),
  SLACK_SIGNING_SECRET: secret.optional().describe('from "Basic Information" > "App Credentials" of the Slack app'),
  SLACK_API_URL: maybeUrl,
  NOTIF_DIGEST_CHANNEL: matching(/^[CG][A-Z0-9]{2,}$/, "isn't a channel ID: names don't work")
    .optional()
    .describe('C0123456789, at the end of "View channel details" in Slack'),
  NOTIF_POLL_SECONDS: wholeNumber(1, 3600, 60),
  NOTIF_HORIZON_HOURS: wholeNumber(1, 720, 72),
  NOTIF_HEARTBEAT_URL: address.optional().describe('https://heartbeats.example.com/ping/…'),
  NOTIF_OPERATORS: operators.describe('U0123456789,S0123456789'),
  NOTIF_DEPLOY_TOKEN: secret
    .min(16, { error: 'is shorter than 16 characters: it could be guessed' })
    .optional()
    .describe('the output of openssl rand -hex 32'),
  NOTIF_ALERTMANAGER_URL: baseUrlWithLogin.optional().describe('https://alertmanager.example.com'),
  NOTIF_ALERTMANAGER_TOKEN: secret.optional().describe('the bearer token that a proxy before it asks for'),
  NOTIF_ALERTMANAGER_USER: matching(/^[^:\p{Cc}]+$/u, 'has a : or an invisible character in it').optional(),
  NOTIF_ALERTMANAGER_PASSWORD: matching(/^\P{Cc}+$/u, 'has an invisible character in it: copy it again').optional(),
  NOTIF_ALERTMANAGER_ENVIRONMENTS: anyValue.optional(),
  NOTIF_GUESTS: z.enum(['allow', 'refuse'], { error: 'is neither allow nor refuse' }).default('refuse'),
  NOTIF_TEAM_CHANGE: z.literal('accept', { error: "isn't accept" }).optional(),
  NOTIF_SECRET_FILE: anyValue.optional(),
  NOTIF_CAUSES_FILE: anyValue.optional(),
  DATABASE_URL: databaseAddress.optional().describe('postgres://notif@db.example.com:5432/notif'),
  NOTIF_DATA_DIR: anyValue.default('./data'),
  HOST: anyValue.optional(),
  PORT: wholeNumber(0, 65_535, 3000),
  NOTIF_METRICS: yesOrNo,
  NOTIF_RETENTION_DAYS: wholeNumber(1, 3650, 30),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { error: "isn't a level of the log" })
    .default('info')
    .describe('info'),
});

export const SETTINGS = Object.keys(Settings.shape);

export type LogLevel = z.output<typeof Settings>['LOG_LEVEL'];

const NO_TRANSPORT = {
  variable: 'SLACK_APP_TOKEN',
  problem: 'is missing',
  example: 'xapp-…, from the Slack app; or SLACK_SIGNING_SECRET, to have Slack post to PORT',
};

/** How Slack's deliveries come: over sockets, or posted to us. */
type Transport = { mode: 'socket'; appToken: string } | { mode: 'http'; signingSecret: string };

export interface Config {
  environments: readonly EnvironmentSettings[];
  slack: { botToken: string; transport: Transport; apiUrl: string | null };
  digestChannel: string | null;
  pollSeconds: number;
  horizonHours: number;
  heartbeatUrl: string | null;
  operators: Operators;
  deployToken: string | null;
  alertmanager: AlertmanagerSettings | null;
  guests: 'allow' | 'refuse';
  isTeamChanged: boolean;
  causesFile: string | null;
  customCauses: readonly KnownCause[];
  dataDir: string;
  secretFile: string | null;
  database: { kind: 'embedded'; folder: string } | { kind: 'server'; url: string };
  host: string | null;
  port: number;
  hasMetrics: boolean;
  retentionDays: number;
  warnings: readonly ConfigProblem[];
}

/** @throws ConfigError with every problem, without values. */
export function parseConfig(env: NodeJS.ProcessEnv): Config {
  const variables = variablesIn(env);
  const { data, error } = Settings.safeParse(variables);
  const { environments, names, problems, used } = parseEnvironments(variables, data?.NOTIF_DASHBOARD_URL ?? null);
  const pager = parseAlertmanager(variables, names);
  const unused = unusedIn(variables, [...SETTINGS, 'NOTIF_ENVIRONMENTS', ...used]);
  const transport = transportOf(variables);
  problems.push(...problemsIn(error, Settings), ...pager.problems, ...(transport === null ? [NO_TRANSPORT] : []));
  if (data === undefined || transport === null || problems.length > 0) throw new ConfigError([...problems, ...unused]);
  const { DATABASE_URL: url, NOTIF_DATA_DIR: folder } = data;
  return {
    environments,
    slack: { botToken: data.SLACK_BOT_TOKEN, transport, apiUrl: data.SLACK_API_URL ?? null },
    digestChannel: data.NOTIF_DIGEST_CHANNEL ?? null,
    pollSeconds: data.NOTIF_POLL_SECONDS,
    horizonHours: data.NOTIF_HORIZON_HOURS,
    heartbeatUrl: data.NOTIF_HEARTBEAT_URL ?? null,
    operators: data.NOTIF_OPERATORS,
    deployToken: data.NOTIF_DEPLOY_TOKEN ?? null,
    alertmanager: pager.alertmanager,
    guests: data.NOTIF_GUESTS,
    isTeamChanged: data.NOTIF_TEAM_CHANGE !== undefined,
    causesFile: data.NOTIF_CAUSES_FILE ?? null,
    customCauses: [],
    dataDir: folder,
    // Replicas must share a secret, so none is made.
    secretFile: data.NOTIF_SECRET_FILE ?? (url === undefined ? join(folder, 'secret') : null),
    database: url === undefined ? { kind: 'embedded', folder } : { kind: 'server', url },
    host: hostOf(data.HOST, transport),
    port: data.PORT,
    // In HTTP mode Slack's port is public.
    hasMetrics: data.NOTIF_METRICS ?? transport.mode === 'socket',
    // Known failures of events up to twice the horizon old must be recognized.
    retentionDays: Math.max(data.NOTIF_RETENTION_DAYS, Math.ceil((2 * data.NOTIF_HORIZON_HOURS) / 24) + 1),
    warnings: [...insecureIn(environments, variables), ...mistakenIn(environments), ...unused],
  };
}

interface Pager {
  alertmanager: AlertmanagerSettings | null;
  problems: readonly ConfigProblem[];
}

function parseAlertmanager(variables: Variables, all: readonly string[]): Pager {
  const { data: address } = Settings.shape.NOTIF_ALERTMANAGER_URL.safeParse(variables.NOTIF_ALERTMANAGER_URL);
  if (address === undefined) return { alertmanager: null, problems: [] };
  const {
    NOTIF_ALERTMANAGER_ENVIRONMENTS: list,
    NOTIF_ALERTMANAGER_TOKEN: token,
    NOTIF_ALERTMANAGER_USER: user,
    NOTIF_ALERTMANAGER_PASSWORD: password,
  } = variables;
  const environments = list?.split(/\s*,\s*/) ?? all;
  const unknown = environments.filter((name) => !all.includes(name));
  const logins = [address.login, user === undefined ? null : `${user}:${password}`].filter((login) => login !== null);
  const basic = logins.map((login) => `Basic ${Buffer.from(login).toString('base64')}`);
  const [authorization = null, ...others] = token === undefined ? basic : [`Bearer ${token}`, ...basic];
  const problems: ConfigProblem[] = [];
  const refuse = (key: string, problem: string, example: string) =>
    problems.push({ variable: `NOTIF_ALERTMANAGER_${key}`, problem, example });
  if (all.length > 0 && unknown.length > 0)
    refuse('ENVIRONMENTS', `names no environment of NOTIF_ENVIRONMENTS: ${unknown.join(', ')}`, all.join(','));
  if (user === undefined && password !== undefined) refuse('USER', 'is missing beside the password', 'both or none');
  if (user !== undefined && password === undefined) refuse('PASSWORD', 'is missing beside the user', 'both or none');
  if (others.length > 0)
    refuse('URL', 'has two logins: a token, a user with a password, in the address or beside it', 'one of them');
  return { alertmanager: { url: address.url, authorization, environments }, problems };
}

export function logLevelIn(env: NodeJS.ProcessEnv): LogLevel {
  return Settings.shape.LOG_LEVEL.catch('info').parse(plainValue(env.LOG_LEVEL));
}

export async function loadConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const config = parseConfig(env);
  if (config.causesFile === null) return config;
  const yaml = fileContent(config.causesFile, 'NOTIF_CAUSES_FILE', '/etc/notif/causes.yml');
  // Loading YAML's parser slows a start.
  const { causesIn } = await import('./causes/load-causes.ts');
  return { ...config, customCauses: causesIn(yaml) };
}

function transportOf({ SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret }: Variables): Transport | null {
  if (appToken !== undefined) return { mode: 'socket', appToken };
  return signingSecret === undefined ? null : { mode: 'http', signingSecret };
}

/** Null: all addresses of this machine. In HTTP mode Slack, or a proxy before us, comes from elsewhere. */
function hostOf(typed: string | undefined, { mode }: Transport): string | null {
  const host = typed ?? (mode === 'http' ? '*' : '127.0.0.1');
  return host === '*' ? null : host;
}
