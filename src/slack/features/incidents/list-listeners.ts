import type { ActionTarget } from '../../../incidents/actions.ts';
import { type Affected, affectedAfter, failuresOf, incidentNow, mostAffected } from '../../../incidents/lists.ts';
import { csvLine } from '../../../lookups/csv.ts';
import type { Db } from '../../../store/db.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import { AFFECTED, parseActionTarget } from '../../kit/incident/incident-menu.ts';
import { ROWS_LOADED } from '../../kit/list.ts';
import type { ActionInteraction } from '../../router/interaction.ts';
import { actionRoute, answerRoutes, type Route, routesFor } from '../../router/route.ts';
import { AFFECTED_FILE, affectedMessage } from './affected-message.ts';
import { type EventsRequest, eventsMessage, MORE_EVENTS, parseEvents } from './events-message.ts';
import { FILE_SENT, noFileMessage } from './file-message.ts';
import { FORGOTTEN } from './message.ts';
import { sendFile } from './send-file.ts';

/** The file takes all subscribers out of Slack. */
export function listRoutes(ctx: SlackCtx): Route[] {
  const lists = routesFor('everyone', [
    ...answerRoutes([MORE_EVENTS], parseEvents, (request) => events(ctx, request)),
    actionRoute(AFFECTED, parseActionTarget, (target, interaction) => showAffected(ctx, target, interaction)),
  ]);
  const file = routesFor('members', [
    actionRoute(AFFECTED_FILE, parseActionTarget, (target, interaction) => sendAffected(ctx, target, interaction)),
  ]);
  return [...lists, ...file];
}

export async function showEvents(ctx: SlackCtx, target: ActionTarget, { reply }: ActionInteraction): Promise<void> {
  await reply.show(await events(ctx, { ...target, upTo: null, offset: 0 }));
}

export async function showAffected(ctx: SlackCtx, target: ActionTarget, { reply }: ActionInteraction): Promise<void> {
  await reply.show(await affected(ctx, target));
}

async function events({ db, now }: SlackCtx, request: EventsRequest): Promise<MessageContent> {
  const incident = await incidentNow(db, request.incidentId, now());
  const { failures, upTo } = await failuresOf(db, request.incidentId, { ...request, limit: ROWS_LOADED });
  if (incident === null || (failures.length === 0 && request.offset === 0)) return FORGOTTEN;
  return eventsMessage({ ...request, upTo }, incident, failures);
}

async function affected({ db, now }: SlackCtx, target: ActionTarget): Promise<MessageContent> {
  const incident = await incidentNow(db, target.incidentId, now());
  if (incident === null) return FORGOTTEN;
  const hit = await mostAffected(db, target.incidentId, ROWS_LOADED);
  return affectedMessage(target, incident, hit);
}

async function sendAffected(
  { db, now, client }: SlackCtx,
  { incidentId }: ActionTarget,
  { userId, reply }: ActionInteraction,
): Promise<void> {
  const incident = await incidentNow(db, incidentId, now());
  if (incident === null) return reply.show(FORGOTTEN);
  const { environment } = incident.tally.kind;
  const file = {
    name: `affected-${environment}-${incidentId}.csv`,
    title: `Affected subscribers in ${environment}`,
    content: affectedCsv(db, incidentId),
  };
  const refusal = await sendFile(userId, file, client);
  await reply.show(refusal === null ? FILE_SENT : noFileMessage(refusal));
}

/** Rows read per statement, which keeps each one short. */
const CHUNK = 250;

/** The most people in a file, some 10 MB, so that a click can't fill the memory. */
const MOST_IN_FILE = 100_000;

/** An incident's affected subscribers as lines of a CSV file; times are UTC. The last line says if there are more. */
async function* affectedCsv(db: Db, incidentId: number): AsyncGenerator<string> {
  yield csvLine(['subscriber', 'failures', 'first failed at', 'last failed at']);
  let after: string | null = null;
  for (let read = 0; read < MOST_IN_FILE; read += CHUNK) {
    const chunk: readonly Affected[] = await affectedAfter(db, incidentId, after, CHUNK);
    yield chunk.map(lineOf).join('');
    after = chunk.at(-1)?.subscriberId ?? null;
    if (chunk.length < CHUNK) return;
  }
  const more = await affectedAfter(db, incidentId, after, 1);
  if (more.length > 0) yield csvLine([`and more: a file holds ${MOST_IN_FILE.toLocaleString('en-US')} at most`]);
}

function lineOf({ subscriberId, failures, firstSeen, lastSeen }: Affected): string {
  return csvLine([subscriberId, failures, firstSeen.toISOString(), lastSeen.toISOString()]);
}
