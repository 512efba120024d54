import { announce } from '../src/alerts/announce.ts';
import type { Db } from '../src/store/db.ts';
import { ENVIRONMENT, fillStore } from './aged-store.ts';
import { withDatabase } from './ground.ts';
import { pollerCtx } from './poller.ts';
import type { BenchResult } from './result.ts';
import { cpuTimed } from './statistics.ts';

const DAYS = 1;
const FAILURES = 1_000_000;
const INCIDENTS = 10_000;
const WATCHES = 50;
const ROUNDS = 5;
const MOST_MS = 100;
/** The first passes aren't measured: they settle what the store was filled with. */
const SETTLING_ROUNDS = 2;

/** Measures a pass of announcing over a large store in which nothing has changed. */
export async function measure(): Promise<BenchResult> {
  return withDatabase(async ({ db, vacuum }) => {
    const now = new Date();
    await fillStore(db, now, DAYS);
    await enlarge(db);
    await vacuum();
    let at = now.getTime();
    const ctx = pollerCtx('http://127.0.0.1:1', db, () => new Date(at));
    const taken: number[] = [];
    for (let round = -SETTLING_ROUNDS; round < ROUNDS; round += 1) {
      at += 60_000;
      const ms = await cpuTimed(() => announce(ctx, ENVIRONMENT));
      if (round >= 0) taken.push(ms);
    }
    return {
      name: `announcing, ${FAILURES} failures, ${INCIDENTS} incidents, ${WATCHES} watches`,
      figures: [{ label: 'a pass when nothing changed', value: Math.min(...taken), unit: 'ms CPU', limit: MOST_MS }],
    };
  });
}

/** Fills it up to the sizes of the promise, with what is over. */
export async function enlarge(db: Db): Promise<void> {
  const statements = [
    `INSERT INTO watches (id, channel, number, created_at, created_by, settings)
     SELECT 'more-' || n, 'CMORE' || n, 1, created_at, 'U0ANN', settings
     FROM watches CROSS JOIN generate_series(11, ${WATCHES}) AS n WHERE id = 'watch-1'`,
    `INSERT INTO incidents (key, environment, channel, provider, cause_text, cause_key, verdict_class, is_test, is_recipient_fault, state, state_at,
       first_at, last_at, last_recorded_at, version)
     SELECT concat_ws('-', 'old', i.id, n), environment, channel, provider, cause_text, cause_key, verdict_class, false, false, 'resolved', at, at, at, at, 1
     FROM (SELECT * FROM incidents WHERE verdict_class = 'announced' ORDER BY id LIMIT 4) i
       CROSS JOIN generate_series((SELECT count(*) / 4 FROM incidents), ${INCIDENTS / 4}) AS n
       CROSS JOIN LATERAL (SELECT first_at - n * interval '16 minutes' AS at) dated`,
    `INSERT INTO outbreaks (incident_id, number, environment, began_at, first_failed_at, last_failed_at, is_published, ended_at, ended_at_service,
       ending, failures, subscribers, failures_at_end, fires_since)
     SELECT id, 1, environment, first_at, first_at, last_at, true, state_at, state_at, 'recovered', 90, 90, 90, first_at
     FROM incidents i WHERE NOT EXISTS (SELECT FROM outbreaks o WHERE o.incident_id = i.id)`,
    `INSERT INTO failures (environment, event_key, job_id, provider, as_of, incident_id, workflow, verdict, occurred_at, event_created_at,
       recorded_at, transaction_id, critical)
     SELECT '${ENVIRONMENT}', 'more-' || n, 'job', '', i.last_at, i.id, 'workflow-1', 'failed', i.last_at, i.last_at, i.last_at, 't', false
     FROM generate_series((SELECT count(*) FROM failures) + 1, ${FAILURES}) AS n
       JOIN (SELECT *, row_number() OVER (ORDER BY id) AS place FROM incidents WHERE key LIKE 'old-%') i ON i.place = 1 + n % 9000`,
    // All that is open was told by each watch, as bad as it can get, and nobody is to be reminded of it.
    `INSERT INTO watch_alerts (watch_id, incident_id, environment, outbreak, badness, critical, failures, posted_at, rang_at)
     SELECT w.id, i.id, i.environment, i.outbreak, 'every', true, ${FAILURES}, i.last_at, i.last_at
     FROM watches w CROSS JOIN incidents i WHERE w.ended_at IS NULL AND i.verdict_class = 'announced' AND i.key NOT LIKE 'old-%'
     ON CONFLICT (watch_id, incident_id) DO UPDATE
     SET critical = true, failures = EXCLUDED.failures, posted_at = EXCLUDED.posted_at, rang_at = EXCLUDED.rang_at`,
    'ANALYZE',
  ];
  for (const statement of statements) await db.write(statement);
}
