import { type Environment, environmentNamed } from '../../lib/environment.ts';
import { type FilterKey, type FilterMap, onlyValue } from '../../lib/input/filters.ts';
import type { Access } from '../../lib/people.ts';
import { DAY_MS } from '../../lib/time/durations.ts';
import { parseTimeRange } from '../../lib/time/time-range.ts';
import { channelEnvironment } from '../../watches/channel-settings.ts';
import type { SlackCtx } from '../ctx.ts';
import type { ListPage } from '../kit/buttons.ts';
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
  /** Others are refused before it is asked. */
  readonly filters: readonly FilterKey[];
  /** `env:` can name several, which the command itself parses. */
  readonly environments?: 'several';
  /**
   * What follows the word, unless it's words as usual. `filters`: nothing else. `text`: `words` contains that text alone, unparsed. `ids`: as
   * people paste them, labels before them are words (`Event ID: …`).
   */
  readonly follows?: 'filters' | 'text' | 'ids';
  readonly answer: (line: CommandLine, interaction: CommandInteraction) => Promise<void>;
}

export interface CommandLine {
  readonly words: readonly string[];
  /** Without `env:`, unless the command takes several. */
  readonly filters: FilterMap;
  /** The one that `env:` names, unless the command takes several; else the channel's own, else the first. */
  readonly environment: Environment;
  /** The person's, an IANA name; UTC if Slack gives none. */
  readonly timeZone: string;
  /** Absent: a list begins at its start. */
  readonly page?: ListPage | undefined;
}

/** The one that `env:` names, else the channel's own (`/notif env`), else the first. Throws `InputError` for an unknown name, and for several. */
export async function environmentIn(
  { environments, db }: Pick<SlackCtx, 'environments' | 'db'>,
  channelId: string | null,
  filters: FilterMap = {},
): Promise<Environment> {
  const named = onlyValue('env', filters);
  const isClear = named !== undefined || channelId === null || environments.length === 1;
  const set = isClear ? null : await channelEnvironment(db, channelId);
  // The channel's own may no longer be configured.
  return environments.find(({ name }) => name === set?.environment) ?? environmentNamed(named, environments);
}

/** `environments`: all if none is named. */
export interface SinceRequest {
  readonly since: Date;
  readonly environments: readonly string[];
  readonly olderThan: number | null;
}

export const SINCE_FILTERS: readonly FilterKey[] = ['since', 'env'];

export interface SinceRequest {
  readonly since: Date;
  /** Empty: all. */
  readonly environments: readonly string[];
  readonly olderThan: number | null;
  readonly page?: CommandLine['page'];
}

/** `usualMs` is for a line without `since:`. Throws `InputError`. */
export function parseSince(
  { filters, timeZone, page }: CommandLine,
  {
    usualMs,
    environments,
    retentionDays,
    now,
  }: Pick<SlackCtx, 'environments' | 'retentionDays' | 'now'> & { usualMs: number },
): SinceRequest {
  // What was in range when the list began may just have left it.
  const maxDays = page === undefined ? Math.max(usualMs / DAY_MS, retentionDays) : Number.POSITIVE_INFINITY;
  const span = { durationMs: usualMs, maxDays, timeZone };
  const { from } = parseTimeRange({ since: onlyValue('since', filters) }, now(), span);
  const named = new Set((filters.env ?? []).map((name) => environmentNamed(name, environments).name));
  return { since: from, environments: [...named], page, olderThan: page === undefined ? null : Number(page.cursor) };
}
