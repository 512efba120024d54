import type { MessageContent } from '../../../src/slack/blocks/blocks.ts';

/** A row of a digest as a reader sees it. Times are milliseconds, to whole seconds. */
export interface ShownRow {
  readonly number: number;
  readonly place: string;
  readonly cause: string;
  readonly state: 'firing' | 'quiet' | 'recovering' | 'resolved';
  readonly relapses: number;
  readonly since: number;
  readonly total: number;
  /** The number in '412 while muted'; 0 if the row doesn't say so. */
  readonly missed: number;
  readonly mutedUntil: number | null;
  /** Null if the row is resolved: it has no *now*. */
  readonly now: ShownNow | null;
}

export interface ShownNow {
  readonly to: number;
  readonly failures: number;
  /** Null if the row names none. */
  readonly attempts: number | null;
  readonly percent: string | null;
  readonly trend: string;
  /** Null if the row has no room for it. */
  readonly lastFailure: number | null;
  readonly lastSuccess: number | null;
}

/** The sum above a message's rows: '61 failures in these 3 incidents'. Null if it has fewer than two rows. */
export interface ShownSum {
  readonly failures: number;
  readonly incidents: number;
}

/** Parses the rows of a digest from what Slack receives. Throws if a row can't be parsed, which the check would otherwise miss. */
export function shownRows({ blocks }: Pick<MessageContent, 'blocks'>): ShownRow[] {
  return sectionsIn(blocks)
    .filter((text) => /#\d+$/m.test(text.split('\n')[0] ?? ''))
    .map(rowIn);
}

/** Parses the sum above the rows. */
export function shownSum({ blocks }: Pick<MessageContent, 'blocks'>): ShownSum | null {
  const found = JSON.stringify(blocks).match(/([\d,]+) failures? in these (\d+) incidents/);
  return found === null ? null : { failures: numberOf(found[1]), incidents: Number(found[2]) };
}

function rowIn(text: string): ShownRow {
  const title = text.split('\n')[0] ?? '';
  const state = stateIn(text);
  const [, since, total] = required(text, /Since <!date\^(\d+)[^>]*>: ([\d,]+) failures?/);
  return {
    number: Number(required(title, /#(\d+)$/)[1]),
    place: placeIn(title),
    cause: required(text, /(?:Failed|Partly failed|Bounced|Stuck)[^:\n]*: ([^\n]+)/)[1] ?? '',
    state,
    relapses: relapsesIn(title),
    since: Number(since) * 1_000,
    total: numberOf(total),
    missed: numberOf(title.match(/([\d,]+) while muted/)?.[1] ?? '0'),
    mutedUntil: timeAfter(text, 'muted(?: by <@\\w+>)? until'),
    now: state === 'resolved' ? null : nowIn(text),
  };
}

/** Returns 'Email · SendGrid' from either form of a title. */
function placeIn(title: string): string {
  return (required(title, /\*(.+?)(?: —| is failing in| failed in)/)[1] ?? '').replaceAll(/[\u2060\u200b]/g, '');
}

function stateIn(text: string): ShownRow['state'] {
  if (/^resolved[: ]/m.test(text)) return 'resolved';
  if (/^recovering:/m.test(text)) return 'recovering';
  return /^⚪ no failures since/m.test(text) ? 'quiet' : 'firing';
}

function relapsesIn(title: string): number {
  const [, times] = title.match(/relapsed(?: (\d+)×)?/) ?? [null, '0'];
  return times === undefined ? 1 : Number(times);
}

function nowIn(text: string): ShownNow {
  const [, to, facts = ''] = required(text, /^Now \(5 min to <!date\^(\d+)[^>]*>\): (.*)$/m);
  const counts = facts.match(/^(none|[\d,]+) of ([\d,]+) attempts? failed(?: \((.*?)\))?/);
  const alone = facts.match(/^([\d,]+) failures?/);
  const failures = counts === null ? (alone?.[1] ?? '0') : (counts[1] ?? '0');
  const nothing = facts.startsWith('nothing attempted');
  if (counts === null && alone === null && !nothing) throw new Error(`no counts in '${facts}'`);
  return {
    to: Number(to) * 1_000,
    failures: failures === 'none' ? 0 : numberOf(failures),
    attempts: nothing ? 0 : counts === null ? null : numberOf(counts[2]),
    percent: counts?.[3] ?? null,
    trend: facts.match(/[▁▂▃▄▅▆▇█]+ (rising|falling|steady)/)?.[1] ?? '',
    lastFailure: timeAfter(facts, 'last failure'),
    lastSuccess: timeAfter(facts, 'last success'),
  };
}

/** 4,210 -> 4210 */
function numberOf(shown: string | undefined): number {
  return Number(shown?.replaceAll(',', ''));
}

function timeAfter(text: string, words: string): number | null {
  const found = text.match(new RegExp(`${words} <!date\\^(\\d+)`));
  return found === null ? null : Number(found[1]) * 1_000;
}

function required(text: string, pattern: RegExp): RegExpMatchArray {
  const found = text.match(pattern);
  if (found === null) throw new Error(`${pattern} isn't in '${text}'`);
  return found;
}

function sectionsIn(blocks: MessageContent['blocks']): string[] {
  return blocks.flatMap((block) => (block.type === 'section' && block.text !== undefined ? [block.text.text] : []));
}
