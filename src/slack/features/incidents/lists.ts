import { WebAPIPlatformError } from '@slack/web-api';
import type { ActionTarget } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import {
  type Affected,
  affectedAfter,
  failuresOf,
  incidentNow,
  type ListedFailure,
  mostAffected,
} from '../../../incidents/lists.ts';
import { targetOf } from '../../../lookups/event.ts';
import type { SlackCtx } from '../../ctx.ts';
import { button, type MessageContent, option, sentence } from '../../kit/blocks.ts';
import { incidentChartButton, LOOK_UP, loadMoreButton, writeLookup } from '../../kit/buttons.ts';
import {
  AFFECTED,
  parseActionTarget,
  parseTargetAndOthers,
  writeActionTarget,
} from '../../kit/incident/incident-row.ts';
import { incidentHeading } from '../../kit/incident/incident-words.ts';
import { kindName } from '../../kit/incident/kind-words.ts';
import { countWords, listMessage, ROWS_LOADED } from '../../kit/list.ts';
import { code, mrkdwn, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { ActionInteraction } from '../../router/interaction.ts';
import { actionRoute, answerRoutes, type Route, routesFor } from '../../router/route.ts';

export const FORGOTTEN = sentence(
  mrkdwn`What this row showed is no longer kept. ${code('/notif failures since:2h')} shows what fails now.`,
);

export const MORE_EVENTS = 'incident.events-more';
const AFFECTED_FILE = 'incident.affected-file';

/** The file takes all subscribers out of Slack. */
export function listRoutes(ctx: SlackCtx): Route[] {
  return [
    ...routesFor('everyone', [
      ...answerRoutes([MORE_EVENTS], parseEvents, (request) => events(ctx, request)),
      actionRoute(AFFECTED, parseActionTarget, (target, interaction) => showAffected(ctx, target, interaction)),
    ]),
    ...routesFor('members', [
      actionRoute(AFFECTED_FILE, parseActionTarget, (target, interaction) => sendAffected(ctx, target, interaction)),
    ]),
  ];
}

/** `offset` is counted from 0. `upTo` limits it to the failures that the first answer knew. */
interface EventsRequest extends ActionTarget {
  readonly upTo: number | null;
  readonly offset: number;
}

export function writeEvents(request: EventsRequest): string {
  return writeActionTarget(request, String(request.upTo ?? ''), String(request.offset));
}

export function parseEvents(value: string): EventsRequest | null {
  const parsed = parseTargetAndOthers(value);
  const [upTo = '', offset = ''] = parsed?.others ?? [];
  if (parsed === null || !/^\d{0,15}$/.test(upTo) || !/^\d{1,9}$/.test(offset)) return null;
  return { ...parsed.target, upTo: upTo === '' ? null : Number(upTo), offset: Number(offset) };
}

export async function showEvents(ctx: SlackCtx, target: ActionTarget, { reply }: ActionInteraction): Promise<void> {
  await reply.show(await events(ctx, { ...target, upTo: null, offset: 0 }));
}

async function events({ db, now }: SlackCtx, request: EventsRequest): Promise<MessageContent> {
  const incident = await incidentNow(db, request.incidentId, now());
  const { failures, upTo } = await failuresOf(db, request.incidentId, { ...request, limit: ROWS_LOADED });
  return incident === null || failures.length === 0
    ? FORGOTTEN
    : eventsMessage({ ...request, upTo }, incident, failures);
}

export function eventsMessage(
  request: EventsRequest,
  incident: IncidentNow,
  failures: readonly ListedFailure[],
): MessageContent {
  const { tally } = incident;
  const { offset } = request;
  const { environment } = tally.kind;
  const total = Math.max(tally.failures, offset + failures.length);
  return listMessage({
    caption: (shown) =>
      mrkdwn`${incidentHeading(incident)} · ${countWords('failure', { before: offset, shown, total })}`,
    columns: ['Transaction', 'Subscriber', 'When'],
    rows: failures.map(({ eventId, transactionId, subscriberId, occurredAt }) => ({
      cells: [transactionId, subscriberId ?? '', time(occurredAt, 'day')],
      choice: option(
        subscriberId ?? transactionId,
        writeLookup({ environment, target: targetOf({ id: eventId, transactionId }) }),
      ),
    })),
    lookUp: LOOK_UP,
    buttons: (shown) => [
      ...loadMoreButton(
        MORE_EVENTS,
        offset + shown < total ? writeEvents({ ...request, offset: offset + shown }) : null,
      ),
      button('View affected', AFFECTED, writeActionTarget(request)),
      incidentChartButton(kindName(tally), writeActionTarget(request)),
    ],
  });
}

export async function showAffected(
  { db, now }: SlackCtx,
  target: ActionTarget,
  { reply }: ActionInteraction,
): Promise<void> {
  const incident = await incidentNow(db, target.incidentId, now());
  if (incident === null) return reply.show(FORGOTTEN);
  await reply.show(affectedMessage(target, incident, await mostAffected(db, target.incidentId, ROWS_LOADED)));
}

export function affectedMessage(target: ActionTarget, incident: IncidentNow, hit: readonly Affected[]): MessageContent {
  const { subscribers, failures } = incident.tally;
  const total = Math.max(subscribers, hit.length);
  const nobody = mrkdwn`${plural(failures, 'failure names', 'failures name')} no subscriber that is still kept.`;
  return listMessage({
    caption: (shown) =>
      mrkdwn`${incidentHeading(incident)} · ${shown === 0 ? nobody : countWords('subscriber', { before: 0, shown, total })}`,
    columns: ['Subscriber', 'Failures', 'First', 'Last'],
    rows: hit.map((row) => ({
      cells: [row.subscriberId, row.failures, time(row.firstSeen, 'day'), time(row.lastSeen, 'day')],
    })),
    buttons: (shown) => (shown === 0 ? [] : [button('Download CSV', AFFECTED_FILE, writeActionTarget(target))]),
  });
}

async function sendAffected(
  ctx: SlackCtx,
  { incidentId }: ActionTarget,
  { userId, reply }: ActionInteraction,
): Promise<void> {
  const { db, now, client } = ctx;
  const incident = await incidentNow(db, incidentId, now());
  if (incident === null) return reply.show(FORGOTTEN);
  const { environment } = incident.tally.kind;
  const { channel } = await client.conversations.open({ users: userId });
  if (channel?.id === undefined) throw new Error('the answer to conversations.open names no channel');
  try {
    await client.files.uploadV2({
      file: await affectedCsv(ctx, incidentId),
      filename: `affected-${environment}-${incidentId}.csv`,
      title: `Affected subscribers in ${environment}`,
      channel_id: channel.id,
    });
  } catch (error) {
    if (!(error instanceof WebAPIPlatformError)) throw error;
    return reply.show(refusedFile(error.data.error));
  }
  await reply.show(sentence(mrkdwn`📄 The list is in your direct messages with Notif, for you alone.`));
}

function refusedFile(word: string): MessageContent {
  const next = mrkdwn`${code('missing_scope')}: reinstall the Slack app from manifest.yml; else ask your workspace's administrators.`;
  return sentence(mrkdwn`⚠️ Slack doesn't accept the file in your direct messages with Notif (${code(word)}). ${next}`);
}

/** Rows read per statement, which keeps each one short. */
const CHUNK = 250;

/** The most people in a file, some 10 MB, so that a click can't fill the memory. */
const MOST_IN_FILE = 100_000;

/** Slack requires the length before the first byte, so the whole file is in memory. Times are UTC; the last line says if there are more. */
async function affectedCsv({ db }: SlackCtx, incidentId: number): Promise<Buffer> {
  const lines = [csvLine(['subscriber', 'failures', 'first failed at', 'last failed at'])];
  let chunk: readonly Affected[] = await affectedAfter(db, incidentId, null, CHUNK);
  while (chunk.length > 0 && lines.length <= MOST_IN_FILE) {
    for (const { subscriberId, failures, firstSeen, lastSeen } of chunk)
      lines.push(csvLine([subscriberId, failures, firstSeen.toISOString(), lastSeen.toISOString()]));
    chunk = await affectedAfter(db, incidentId, chunk.at(-1)?.subscriberId ?? null, CHUNK);
  }
  if (chunk.length > 0) lines.push(csvLine([`and more: a file holds ${MOST_IN_FILE.toLocaleString('en-US')} at most`]));
  return Buffer.from(lines.join(''));
}

/** How a field starts that a spreadsheet treats as a formula, which could fetch and send data (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/** Returns one record of a CSV file by RFC 4180, with its line break; a `'` turns a field that a spreadsheet would calculate into text. */
export function csvLine(fields: readonly (string | number)[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(field: string | number): string {
  if (typeof field === 'number') return String(field);
  const text = FORMULA.test(field) ? `'${field}` : field;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
