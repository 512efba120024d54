import { MinuteCounts } from '../coverage/minutes.ts';
import type { WaitingEventRow } from '../coverage/tables.ts';
import { dueToRead, noteRead } from '../coverage/waiting.ts';
import { mayBeAboutTheRequest, orServiceError, ServiceError } from '../lib/errors.ts';
import { retrieveOwnSteps } from '../service/operations.ts';
import type { Reading } from './reading.ts';
import { judgePage, recordSlice, type SliceFindings } from './record.ts';

const MOST_A_TURN = 100;

/** No list that is read shows these events any more, so they are asked for one by one. */
export async function readWaiting(reading: Reading): Promise<void> {
  const { ctx, environment, steps, signal } = reading;
  for (const row of await dueToRead(ctx.db, environment, reading.serviceNow(), MOST_A_TURN)) {
    if (steps.left === 0) return;
    signal.throwIfAborted();
    steps.left -= 1;
    await readWaitingEvent(reading, row);
  }
}

async function readWaitingEvent(reading: Reading, row: WaitingEventRow): Promise<void> {
  const { ctx, service, call } = reading;
  const now = reading.serviceNow();
  const event = await orServiceError(retrieveOwnSteps(row.eventId, service, call));
  if (event instanceof ServiceError && !mayBeAboutTheRequest(event.problem)) throw event;
  const items = event === null || event instanceof ServiceError ? [] : [event];
  const counts = new MinuteCounts({ from: row.dueAt, to: now });
  const findings: SliceFindings = { counts, readings: new Map(), workflows: [], waiting: [] };
  await judgePage(reading, 'pass', { items, unreadable: [], hasMore: false }, findings);
  await recordSlice(reading, findings, async (tx, write) => {
    const added = await write([]);
    await noteRead(tx, row, now, ctx.horizonMs);
    return added;
  });
}
