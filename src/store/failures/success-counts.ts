import type { Delivered } from '../../domain/failures/successes.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { TrackedEvent } from '../../use-cases/polling/record-events.ts';
import { jsonOf, type SqlWrite } from '../database/database.ts';
import { notAfter } from '../database/not-after.ts';

/** Counts the delivered steps of newly settled events by channel, provider and minute of delivery: few rows for any number of events. */
export async function countSuccesses(
  sql: SqlWrite,
  environment: string,
  trackedEvents: readonly TrackedEvent[],
  settled: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  const delivered = new Map(trackedEvents.map((trackedEvent) => [trackedEvent.eventKey, trackedEvent.delivered]));
  const counts = countsOf(
    [...settled].flatMap((eventKey) => delivered.get(eventKey) ?? []),
    now,
  );
  if (counts.length > 0) await sql.write(COUNT, [environment, jsonOf(counts)]);
}

interface SuccessCount {
  readonly channel: string;
  readonly provider: string;
  readonly minute: Date;
  readonly successes: number;
  readonly last_at: Date;
}

function countsOf(delivered: readonly Delivered[], now: Date): SuccessCount[] {
  const counts = new Map<string, SuccessCount>();
  for (const { channel, provider: named, at } of delivered) {
    const provider = named ?? '';
    const last = notAfter(now, at);
    const minute = new Date(Math.floor(last.getTime() / MINUTE_MS) * MINUTE_MS);
    const key = JSON.stringify([channel, provider, minute]);
    const known = counts.get(key);
    counts.set(key, {
      channel,
      provider,
      minute,
      successes: (known?.successes ?? 0) + 1,
      last_at: known && known.last_at > last ? known.last_at : last,
    });
  }
  return [...counts.values()];
}

const COUNT = `
  INSERT INTO success_counts (environment, channel, provider, minute, successes, last_at)
  SELECT $1, channel, provider, minute, successes, last_at
  FROM jsonb_to_recordset($2::jsonb) AS item (channel text, provider text, minute timestamptz, successes integer, last_at timestamptz)
  ON CONFLICT (environment, channel, provider, minute) DO UPDATE SET
    successes = success_counts.successes + EXCLUDED.successes, last_at = GREATEST(success_counts.last_at, EXCLUDED.last_at)`;
