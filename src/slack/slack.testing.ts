import { expect } from 'vitest';
import { z } from 'zod';
import { BlockKit } from '../../sandbox/slack/validate/block-kit.ts';
import type { DigestRow } from '../alerts/content.ts';
import { CATALOG } from '../causes/catalog.ts';
import type { IncidentNow } from '../incidents/incident.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import type { Environment } from '../lib/environment.ts';
import { createSeal } from '../lib/seal.ts';
import { at, NOON } from '../service/event.testing.ts';
import type { ContentOf } from './features/posts/content.ts';
import { SECTION_TEXT } from './kit/blocks.ts';
import { fits, type MessageContent } from './kit/message.ts';
import type { CommandLine } from './router/command.ts';

export { at, NOON };

export const PRODUCTION = anEnvironment();

export const STAGING: Environment = {
  ...PRODUCTION,
  name: 'staging',
  label: 'staging',
  apiUrlVariable: 'NOTIF_STAGING_API_URL',
  apiKeyVariable: 'NOTIF_STAGING_API_KEY',
};

/** The context in which messages are drawn. */
export const CTX = {
  environments: [PRODUCTION, STAGING],
  retentionDays: 30,
  seal: createSeal('xoxb-secret'),
  now: () => NOON,
};

export function aLine(change: Partial<CommandLine> = {}): CommandLine {
  return { words: [], text: '', filters: {}, environment: PRODUCTION, timeZone: 'UTC', ...change };
}

/** A name with everything that an attacker could try. */
export const HOSTILE = '<!channel> *b* _i_ `c` ~s~ > :fire: \u202E <https://evil.example|x> & \uD800';

const Input = z.object({ type: z.literal('input'), label: z.object({ text: z.string() }), block_id: z.string() });
const Actions = z.object({ elements: z.array(z.object({ action_id: z.string(), value: z.string().optional() })) });
const Table = z.object({ type: z.literal('data_table'), caption: z.string(), rows: z.array(z.array(z.unknown())) });

/** The pages to which Notif itself links, besides Slack's messages. */
const PUBLIC_PAGES = new Set<string | null>(CATALOG.flatMap(({ source, status }) => [source, status]));

const blockKit = new BlockKit();

interface WithBlocks {
  blocks: readonly object[];
}

/** Returns the fields' block IDs by their labels. */
export function fieldsIn({ blocks }: WithBlocks): Record<string, string> {
  const inputs = blocks.map((block) => Input.safeParse(block).data).filter((input) => input !== undefined);
  return Object.fromEntries(inputs.map(({ label, block_id }) => [label.text, block_id]));
}

/** Returns the text as people see it, without formatting: date tokens as their fallback, links as their labels. */
export function wordsOf({ blocks }: WithBlocks): string {
  return textsIn(blocks)
    .join('\n')
    .replace(/<(?:!date\^|https:)[^|]*\|([^>]*)>/g, '$1')
    .replace(/[*`]/g, '');
}

/** Returns the labels of the buttons that aren't in a table's rows. */
export function buttonsOf({ blocks }: WithBlocks): string[] {
  const others = blocks.filter((block) => !Table.safeParse(block).success);
  return JSON.stringify(others).match(/(?<="type":"button","text":\{"type":"plain_text","text":")[^"]*/g) ?? [];
}

export function buttonValue({ blocks }: WithBlocks, actionId: string): string | null {
  const elements = blocks.flatMap((block) => Actions.safeParse(block).data?.elements ?? []);
  return elements.find(({ action_id, value }) => value && `${action_id}:`.startsWith(`${actionId}:`))?.value ?? null;
}

/** Expects that Slack accepts the message, and that it contains only mentions and links that Notif created. */
export function expectFit({ text, blocks }: MessageContent): void {
  expect(blockKit.blocks(blocks, '/blocks')).toEqual([]);
  expect(fits(blocks)).toBe(true);
  expect(text.length).toBeLessThanOrEqual(SECTION_TEXT);
  const live = [text, ...markupIn(blocks)].join('\n').match(/<(?!!date\^)[^>]*>?/g) ?? [];
  expect(live.filter((token) => !isOwn(token))).toEqual([]);
}

function isOwn(token: string): boolean {
  const [, page] = /^<(https:[^|>]+)\|[^<>]+>$/.exec(token) ?? [];
  if (page?.startsWith('https://slack.com/archives/')) return true;
  if (page !== undefined) return PUBLIC_PAGES.has(new URL(page).href);
  return /^<(?:@[UW][A-Z0-9]+|!subteam\^S[A-Z0-9]+|#[CG][A-Z0-9]+)>$/.test(token);
}

export function expectView(view: object): void {
  expect(blockKit.view(view, 'any', '/view')).toEqual([]);
}

function markupIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(markupIn);
  if (typeof value !== 'object' || value === null) return [];
  const isMarkup = 'type' in value && value.type === 'mrkdwn' && 'text' in value;
  return isMarkup ? [String(value.text)] : Object.values(value).flatMap(markupIn);
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const table = Table.safeParse(value).data;
  if (table !== undefined) return [table.caption, ...table.rows.map((cells) => cells.map(cellText).join(' | '))];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
  );
}

function cellText(cell: unknown): string {
  if (typeof cell !== 'object' || cell === null) return '';
  if ('element' in cell) return buttonsOf({ blocks: [Object(cell.element)] }).join('');
  if ('text' in cell) return String(cell.text);
  if ('fallback' in cell) return String(cell.fallback);
  if ('user_id' in cell) return `<@${cell.user_id}>`;
  if ('usergroup_id' in cell) return `<!subteam^${cell.usergroup_id}>`;
  if ('channel_id' in cell) return `<#${cell.channel_id}>`;
  return 'elements' in cell && Array.isArray(cell.elements) ? cell.elements.map(cellText).join('') : '';
}

type AnIncident = Partial<IncidentNow> & { workflow?: string };

/** An incident that is new and fails, 48 times in 60 in the three minutes after noon, unless overridden. */
export function anIncident({ workflow = 'order-shipped', ...change }: AnIncident = {}): IncidentNow {
  const { beganAt = at(12), failures = 48 } = change;
  return {
    id: 1,
    code: '1f2e3d4c',
    key: 'key-1',
    kind: 'failures',
    environment: 'production',
    channel: 'email',
    provider: 'sendgrid',
    isTest: false,
    cause: { text: 'The provided authorization grant is invalid (401)', key: 'grant invalid 401' },
    verdict: 'failed',
    failures,
    failuresInAll: failures,
    subscribers: 47,
    isAtLeast: false,
    critical: false,
    badness: 'many',
    worst: 'many',
    outage: null,
    example: { eventId: '65f000000000000000000001', transactionId: 'txn_8f2c', subscriberId: 'user-0042' },
    firstAt: beganAt,
    beganAt,
    lastAt: at(192),
    asOf: at(192),
    earlier: [],
    headline: 'API key refused',
    isRecipientFault: false,
    workflows: [{ workflow, workflowName: null, failures, critical: false, attempts: null }],
    moreWorkflows: 0,
    attempts: { since: beganAt, failed: 48, tried: 60 },
    wentThrough: 0,
    staleSince: null,
    shared: null,
    changedBefore: [],
    state: { is: 'firing' },
    outbreak: 1,
    acknowledged: null,
    formerly: null,
    assignedTo: null,
    note: null,
    earlierNote: null,
    lastTime: null,
    continuedAs: null,
    ...change,
  };
}

/** A digest's row about something new, unless overridden. */
export function aRow(incident: Partial<IncidentNow> = {}, row: Partial<DigestRow> = {}): DigestRow {
  return {
    incident: anIncident(incident),
    reason: 'new',
    missed: null,
    broke: null,
    mute: null,
    isContinued: false,
    olderTs: null,
    ...row,
  };
}

/** A digest for #oncall with one row, unless overridden. */
export function aDigest(change: Partial<ContentOf<'digest'>> = {}): ContentOf<'digest'> {
  return {
    kind: 'digest',
    id: 'digest-1',
    channel: 'C0ONCALL',
    watchId: 'watch-1',
    environment: 'production',
    rows: [aRow()],
    counted: [],
    singles: [],
    mention: null,
    ...change,
  };
}

/** A sleep that ends when the test opens the gate. */
export const sleepingUntil = (gate: () => { opened: Promise<void> }) => (_ms: number, signal?: AbortSignal) =>
  Promise.race([gate().opened, new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))]);
