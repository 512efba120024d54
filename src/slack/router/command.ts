import { type Environment, environmentNamed } from '../../lib/environment.ts';
import { InputError } from '../../lib/errors.ts';
import { type FilterKey, type FilterMap, onlyValue } from '../../lib/input/filters.ts';
import type { Access } from '../../lib/people.ts';
import { DAY_MS } from '../../lib/time/durations.ts';
import { parseTimeRange } from '../../lib/time/time-range.ts';
import { channelEnvironment } from '../../watches/channel-settings.ts';
import type { SlackCtx } from '../ctx.ts';
import type { SinceRequest } from '../kit/since-request.ts';
import type { CommandInteraction } from './interaction.ts';
import type { Route } from './route.ts';

/** Commands are in the order of help. */
export interface Flow {
  readonly commands: readonly Command[];
  readonly routes: readonly Route[];
}

export interface Command {
  readonly word: string;
  /** What can follow the word. */
  readonly usage: string;
  /** As part of a sentence. */
  readonly about: string;
  /** What follows the word in examples. */
  readonly examples: readonly string[];
  readonly for: Access;
  /** Others are refused before it is asked; help shows them, and so does the error for an unknown one. */
  readonly filters: readonly FilterKey[];
  /** Throws an `InputError` for filters that it can refuse with a reason of its own. */
  readonly refuses?: (filters: FilterMap) => void;
  /** How many environments `env:` can name, one unless given. The command itself parses `several`, and refuses `env:` if it takes `none`. */
  readonly environments?: 'several' | 'none';
  /**
   * What follows the word, unless it's words as usual. `filters`: nothing else. `text`: no filters are parsed from it, and `words` contains only that text.
   * `incident`: its names, which may look like IDs. `ids`: as people paste them, labels before them are words (`Event ID: …`).
   */
  readonly follows?: 'filters' | 'text' | 'incident' | 'ids';
  readonly answer: (line: CommandLine, interaction: CommandInteraction) => Promise<void>;
}

export interface CommandLine {
  readonly words: readonly string[];
  /** Without `env:`, which is already in `environment`; with it for a command that takes several or none. */
  readonly filters: FilterMap;
  /** The one that `env:` names, unless the command takes several or none; else the channel's own, else the first. The first for none. */
  readonly environment: Environment;
  /** The person's time zone, an IANA name, if `since:` or `until:` depends on it; else, and if Slack gives none, UTC. */
  readonly timeZone: string;
}

export type ChannelCtx = Pick<SlackCtx, 'environments' | 'db'>;

/**
 * The named one, else the channel's own (`/notif env`), else the first. One that is no longer configured is ignored.
 * Throws `InputError` for an unknown name.
 */
export async function environmentIn(
  { environments, db }: ChannelCtx,
  channelId: string | null,
  named: string | undefined,
): Promise<Environment> {
  const isClear = named !== undefined || channelId === null || environments.length === 1;
  const set = isClear ? null : await channelEnvironment(db, channelId);
  return environments.find(({ name }) => name === set?.environment) ?? environmentNamed(named, environments);
}

/** Throws an `InputError` if `env:` names several. */
export function onlyEnvironment(
  { environments }: Pick<SlackCtx, 'environments'>,
  names: readonly string[],
): string | undefined {
  const [name, ...others] = names;
  if (others.every((other) => other.toLowerCase() === name?.toLowerCase())) return name;
  throw new InputError('env', 'env: takes one environment at a time.', `env:${environments[0]?.name ?? ''}`);
}

export const SINCE_FILTERS: readonly FilterKey[] = ['since', 'env'];

/** `usualMs` is for a line without `since:`. Throws an `InputError`. */
export function parseSince(
  { filters, timeZone }: CommandLine,
  {
    usualMs,
    environments,
    retentionDays,
    now,
  }: Pick<SlackCtx, 'environments' | 'retentionDays' | 'now'> & {
    readonly usualMs: number;
  },
): SinceRequest {
  const maxDays = Math.max(usualMs / DAY_MS, retentionDays);
  const span = { durationMs: usualMs, maxDays, timeZone };
  const { from } = parseTimeRange({ since: onlyValue('since', filters) }, now(), span);
  const named = new Set((filters.env ?? []).map((name) => environmentNamed(name, environments).name));
  return { since: from, environments: [...named], olderThan: null };
}
