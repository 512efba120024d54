import { setImmediate } from 'node:timers/promises';
import { anEnvironment } from '../src/domain/environment.testing.ts';
import { EVERYTHING, UNFILTERED, type WatchSettings } from '../src/domain/watches/watch.ts';
import type { Database } from '../src/store/database/database.ts';
import { storeOn } from '../src/store/store.ts';
import { previewWatch } from '../src/use-cases/watches/preview-watch.ts';
import { cpuTimed } from './cpu-time.ts';
import { withDatabase } from './ground.ts';
import type { BenchResult } from './result.ts';
import { maximum } from './statistics.ts';
import { type Times, timed } from './timed-database.ts';

const FAILURES = 100_000;
const ROUNDS = 7;
const AT_ONCE = 5_000;
const NOW = new Date('2026-05-11T12:00:00Z');

/** A watch's form and confirmation wait for it. */
const LONGEST_MS = 300;

const WATCHES: Readonly<Record<string, Partial<WatchSettings>>> = {
  'of everything': {},
  'with a threshold': { threshold: { failures: 20, withinMs: 600_000, rate: null } },
  'of one channel and severity, with a rate and a pace': {
    filter: { ...EVERYTHING, channels: ['email'], severities: ['high'] },
    threshold: { failures: 5, withinMs: 600_000, rate: 0.05 },
    everyMs: 900_000,
  },
};

/**
 * Measures how long a preview takes: what a watch would have done in seven days with 100,000 failures in 200 incidents over four workflows
 * each.
 */
export async function measure(): Promise<BenchResult> {
  return withDatabase(async (database) => {
    await fill(database);
    const times: Times = { statements: [], transactions: [] };
    const store = storeOn(timed(database, times));
    const parts = {
      store: { coverage: store.polling.coverage, pastEpisodes: store.alerting.pastEpisodes },
      environments: [anEnvironment({ name: 'bench' })],
      retentionDays: 30,
      now: () => NOW,
    };
    const figures = [];
    for (const [name, settings] of Object.entries(WATCHES)) {
      const took: { readonly ms: number; readonly cpuMs: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const begun = performance.now();
        const { cpuMs } = await cpuTimed(() => previewWatch({ ...UNFILTERED, ...settings }, parts, setImmediate));
        took.push({ ms: performance.now() - begun, cpuMs });
      }
      const [label, against] = [`a watch ${name}`, `best of ${ROUNDS}`];
      const ms = Math.min(...took.map((round) => round.ms));
      const cpuMs = Math.min(...took.map((round) => round.cpuMs));
      figures.push({ label, value: ms, unit: 'ms', limit: LONGEST_MS, against });
      figures.push({ label, value: cpuMs, unit: 'ms CPU', against });
    }
    figures.push({ label: 'longest statement', value: maximum(times.statements), unit: 'ms' });
    return { name: `preview of a watch, ${FAILURES} failures`, figures };
  });
}

/** Inserts rows directly, because recording them takes minutes. Each incident fails for two hours, once in seven days. */
async function fill(database: Database): Promise<void> {
  for (const statement of FILLING.split(';')) {
    if (!statement.includes('$1')) await database.executeSql(statement);
    else
      for (let from = 0; from < FAILURES; from += AT_ONCE)
        await database.executeSql(statement, [from, from + AT_ONCE - 1]);
  }
}

const FILLING = `
    INSERT INTO cursors (environment, version, covered_from, checked_to, last_success_at)
    VALUES ('bench', 1, '2026-05-01T00:00:00Z', '2026-05-11T12:00:00Z', '2026-05-11T12:00:00Z');
    INSERT INTO groups (key, environment, workflow, workflow_name, channel, provider, cause_text, cause_key, announcement, is_test)
    SELECT 'group-' || incident || '-' || part, 'bench', 'workflow-' || part, 'Workflow ' || part, CASE incident % 2 WHEN 0 THEN 'email' ELSE 'sms' END,
      'provider-' || incident % 5, 'cause ' || incident, 'cause ' || incident, 'announced', false
    FROM generate_series(0, 199) AS incident, generate_series(0, 3) AS part;
    INSERT INTO failures (environment, event_key, job_id, detail_id, group_key, is_announced, verdict, occurred_at, event_created_at, recorded_at,
      event_id, transaction_id, subscriber_id, severity, critical)
    SELECT 'bench', 'event-' || n, 'job', 'detail', 'group-' || n / 500 || '-' || n % 4, true, 'failed', at, at, at + interval '30 seconds',
      'event-' || n, 'transaction-' || n, 'subscriber-' || n % 5000, CASE n % 3 WHEN 0 THEN 'high' ELSE 'low' END, false
    FROM (
      SELECT n, '2026-05-04T13:00:00Z'::timestamptz + (n / 500) * interval '49 minutes' + (n % 500) * interval '14 seconds' AS at
      FROM generate_series($1::int, $2::int) AS n
    ) each ORDER BY at;
    INSERT INTO episodes (incident_key, group_key, began_as, ends_at, last_recorded_at, newest_seq, failures, first_seen, last_seen, state)
    SELECT g.incident_key, min(g.key), 'new', min(f.recorded_at) + interval '1 day', max(f.recorded_at), max(f.seq), count(*), min(f.occurred_at), max(f.occurred_at), 'resolved'
    FROM failures f JOIN groups g ON g.key = f.group_key GROUP BY g.incident_key;
    INSERT INTO episode_parts (episode_id, group_key, newest_seq, failures) SELECT s.id, f.group_key, max(f.seq), count(*)
    FROM failures f JOIN groups g ON g.key = f.group_key JOIN episodes s ON s.incident_key = g.incident_key GROUP BY 1, 2;
    INSERT INTO event_counts (environment, minute, workflow, events, unreadable)
    SELECT 'bench', minute, 'workflow-' || part, 60, 0
    FROM generate_series('2026-05-04T12:00:00Z'::timestamptz, '2026-05-11T12:00:00Z', interval '1 minute') AS minute, generate_series(0, 3) AS part;
    ANALYZE`;
