import { WebAPIPlatformError } from '@slack/web-api';
import { z } from 'zod';
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
import { Count, Key, KeyOrNull, valueParser, writeValue } from '../../kit/button-value.ts';
import { incidentChartButton, LOOK_UP, loadMoreButton, writeLookup } from '../../kit/buttons.ts';
import { AFFECTED, parseActionTarget, writeActionTarget } from '../../kit/incident/incident-row.ts';
import { incidentHeading } from '../../kit/incident/incident-words.ts';
import { kindName } from '../../kit/incident/names.ts';
import { countWords, listMessage, ROWS_LOADED } from '../../kit/list.ts';
import { code, mrkdwn, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { answerRoutes, type Route, routesFor } from '../../router/route.ts';

export const FORGOTTEN = sentence(
  mrkdwn`What this row showed is no longer kept. ${code('/notif failures since:2h')} shows what fails now.`,
);

export const MORE_EVENTS = 'incident.events-more';
const AFFECTED_FILE = 'incident.affected-file';

export function listRoutes(ctx: SlackCtx): Route[] {
  return [
    ...routesFor('everyone', [
      ...answerRoutes([MORE_EVENTS], parseEvents, (request) => events(ctx, request)),
      ...answerRoutes([AFFECTED], parseActionTarget, ({ incidentId }) => affected(ctx, incidentId)),
    ]),
    ...routesFor(
      'members',
      answerRoutes([AFFECTED_FILE], parseActionTarget, ({ incidentId }, { userId }) =>
        sendAffected(ctx, incidentId, userId),
      ),
    ),
  ];
}

/** `upTo`: the newest failure that the first answer knew. */
interface EventsRequest {
  readonly incidentId: number;
  readonly upTo: number | null;
  readonly offset: number;
}

const writeEvents = ({ incidentId, upTo, offset }: EventsRequest) =>
  writeValue([`${incidentId}`, `${upTo ?? ''}`, `${offset}`]);

export const parseEvents = valueParser<EventsRequest>(
  z.tuple([Key, KeyOrNull, Count]).transform(([incidentId, upTo, offset]) => ({ incidentId, upTo, offset })),
);

export async function events({ db, now }: SlackCtx, request: EventsRequest): Promise<MessageContent> {
  const { incidentId } = request;
  const incident = await incidentNow(db, incidentId, now());
  const { failures, upTo } = await failuresOf(db, incidentId, { ...request, limit: ROWS_LOADED });
  if (incident === null || failures.length === 0) return FORGOTTEN;
  return eventsMessage({ ...request, upTo }, incident, failures);
}

export function eventsMessage(
  request: EventsRequest,
  incident: IncidentNow,
  failures: readonly ListedFailure[],
): MessageContent {
  const { tally } = incident;
  const { environment } = tally.kind;
  const { incidentId, offset: before } = request;
  const total = Math.max(tally.failures, before + failures.length);
  const target = writeActionTarget({ messageId: null, incidentId });
  return listMessage({
    caption: (shown) => mrkdwn`${incidentHeading(incident)} · ${countWords('failure', { before, shown, total })}`,
    columns: ['Transaction', 'Subscriber', 'When'],
    rows: failures.map(({ eventId: id, transactionId, subscriberId, occurredAt }) => ({
      cells: [transactionId, subscriberId ?? '', time(occurredAt, 'day')],
      choice: option(
        subscriberId ?? transactionId,
        writeLookup({ environment, target: targetOf({ id, transactionId }) }),
      ),
    })),
    lookUp: LOOK_UP,
    buttons: (shown) => [
      ...loadMoreButton(
        MORE_EVENTS,
        before + shown < total ? writeEvents({ ...request, offset: before + shown }) : null,
      ),
      button('View affected', AFFECTED, target),
      incidentChartButton(kindName(tally), target),
    ],
  });
}

export async function affected({ db, now }: SlackCtx, incidentId: number): Promise<MessageContent> {
  const incident = await incidentNow(db, incidentId, now());
  return incident === null ? FORGOTTEN : affectedMessage(incident, await mostAffected(db, incidentId, ROWS_LOADED));
}

export function affectedMessage(incident: IncidentNow, hit: readonly Affected[]): MessageContent {
  const { subscribers, failures } = incident.tally;
  const total = Math.max(subscribers, hit.length);
  const nobody = mrkdwn`${plural(failures, 'failure names', 'failures name')} no subscriber that is still kept.`;
  const target = writeActionTarget({ messageId: null, incidentId: incident.id });
  return listMessage({
    caption: (shown) =>
      mrkdwn`${incidentHeading(incident)} · ${shown === 0 ? nobody : countWords('subscriber', { before: 0, shown, total })}`,
    columns: ['Subscriber', 'Failures', 'First', 'Last'],
    rows: hit.map((row) => ({
      cells: [row.subscriberId, row.failures, time(row.firstSeen, 'day'), time(row.lastSeen, 'day')],
    })),
    buttons: (shown) => (shown === 0 ? [] : [button('Download CSV', AFFECTED_FILE, target)]),
  });
}

async function sendAffected(ctx: SlackCtx, incidentId: number, userId: string): Promise<MessageContent> {
  const { db, now, client } = ctx;
  const incident = await incidentNow(db, incidentId, now());
  if (incident === null) return FORGOTTEN;
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
    return sentence(mrkdwn`📄 The list is in your direct messages with Notif, for you alone.`);
  } catch (error) {
    if (!(error instanceof WebAPIPlatformError)) throw error;
    const next = mrkdwn`${code('missing_scope')}: reinstall the Slack app from manifest.yml; else ask your workspace's administrators.`;
    return sentence(
      mrkdwn`⚠️ Slack doesn't accept the file in your direct messages with Notif (${code(error.data.error)}). ${next}`,
    );
  }
}

const CHUNK = 250;
/** Some 10 MB, in memory: Slack requires the length before the first byte. */
const MOST_IN_FILE = 100_000;

async function affectedCsv({ db }: SlackCtx, incidentId: number): Promise<Buffer> {
  const lines = [csvLine(['subscriber', 'failures', 'first failed at', 'last failed at'])];
  let chunk: readonly Affected[] = await affectedAfter(db, incidentId, null, CHUNK);
  while (chunk.length > 0 && lines.length <= MOST_IN_FILE) {
    for (const { subscriberId, failures, firstSeen, lastSeen } of chunk)
      lines.push(csvLine([subscriberId, `${failures}`, firstSeen.toISOString(), lastSeen.toISOString()]));
    chunk = await affectedAfter(db, incidentId, chunk.at(-1)?.subscriberId ?? null, CHUNK);
  }
  if (chunk.length > 0) lines.push(csvLine([`and more: a file holds ${MOST_IN_FILE} at most`]));
  return Buffer.from(lines.join(''));
}

/** A spreadsheet would calculate such a field (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180. */
export function csvLine(fields: readonly string[]): string {
  const quoted = fields.map((field) => `${FORMULA.test(field) ? `'${field}` : field}`.replaceAll('"', '""'));
  return `"${quoted.join('","')}"\r\n`;
}
