import { z } from 'zod';
import type { Db } from '../src/store/db.ts';
import { USUAL_SETTINGS } from '../src/watches/settings.ts';

/** Events per day of the simulated busy environment: about ten million in 30 days, one in a hundred failed. */
const EVENTS_A_DAY = 333_333;
const FAILURES_A_DAY = EVENTS_A_DAY / 100;
const WORKFLOWS = 6;

/** The environment that is filled. */
export const ENVIRONMENT = 'production';

/** Fills an empty store with what this many days up to `now` leave in it. The last day is the same for any number of days. */
export async function fillStore(db: Db, now: Date, days: number): Promise<void> {
  // Creating an index for all rows at once takes a third of the time.
  const indexes = Indexes.parse(await db.rows(z.unknown(), INDEXES));
  for (const { name } of indexes) await db.write(`DROP INDEX ${name}`);
  for (const statement of fillStatements(now, days)) await db.write(statement);
  for (const { definition } of indexes) await db.write(definition);
  await db.write('ANALYZE');
}

const Indexes = z.array(z.object({ name: z.string(), definition: z.string() }));

/** Indexes that don't enforce a constraint. */
const INDEXES = `
  SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index i
  JOIN pg_class c ON c.oid = i.indrelid
  WHERE c.relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)`;

function fillStatements(now: Date, days: number): string[] {
  const to = `'${now.toISOString()}'::timestamptz`;
  const from = `(${to} - interval '${days} days')`;
  // Older successes are counted by the quarter hour (src/coverage/old-counts.ts).
  const successesFrom = `(${to} - interval '${Math.min(days, 8)} days')`;
  const failures = Math.round(FAILURES_A_DAY * days);
  /** The time of failure number `n`, counted back from the end. */
  const failedAt = `${to} - n * interval '${86_400 / FAILURES_A_DAY} seconds'`;
  const settings = `'${JSON.stringify(USUAL_SETTINGS)}'::jsonb`;
  const everyDay = `generate_series(0, ${days - 1}) AS day`;
  const script = `
  INSERT INTO environments (environment, covered_from, checked_to, last_poll_at, last_success_at, announced_at, clock_ahead_ms)
  VALUES ('${ENVIRONMENT}', ${from}, ${to}, ${to}, ${to}, ${to}, 12);

  INSERT INTO gaps (id, environment, begins_at, ends_at, cause, opened_at, closed_at, events, unchecked)
  SELECT 'gap-' || day, '${ENVIRONMENT}', at, at + interval '10 minutes', 'unreachable', at, CASE WHEN day > 0 THEN at + interval '1 hour' END, 2000,
    CASE WHEN day > 0 THEN '[]' ELSE jsonb_build_array(
      jsonb_build_object('from', at, 'to', at + interval '6 minutes', 'tries', 0, 'nextTryAt', ${to} - interval '1 minute')) END
  FROM ${everyDay} CROSS JOIN LATERAL (SELECT ${to} - day * interval '1 day' - interval '3 hours' AS at) dated;

  INSERT INTO workflows (environment, identifier, id, name, variables, last_seen_at)
  SELECT '${ENVIRONMENT}', 'workflow-' || n, 'id-' || n, 'Workflow ' || n, '["orderId"]', ${to} FROM generate_series(0, ${WORKFLOWS - 1}) AS n;
  INSERT INTO event_counts (environment, minute, workflow, events, unreadable)
  SELECT '${ENVIRONMENT}', minute, 'workflow-' || n, ${Math.round(EVENTS_A_DAY / 1440 / WORKFLOWS)}, 0
  FROM generate_series(date_trunc('minute', ${from}, 'UTC'), ${to}, interval '1 minute') AS minute
    CROSS JOIN generate_series(0, ${WORKFLOWS - 1}) AS n;
  INSERT INTO success_counts (environment, workflow, channel, provider, minute, created, successes, last_at)
  SELECT '${ENVIRONMENT}', 'workflow-' || n, channel, 'provider-of-' || channel, minute, minute, successes, minute + interval '50 seconds'
  FROM (
    SELECT date_bin('15 minutes', minute, 'epoch') AS minute, 150 AS successes
    FROM generate_series(${from}, ${successesFrom} - interval '15 minutes', interval '15 minutes') AS minute
    UNION ALL
    SELECT generate_series(date_trunc('minute', ${successesFrom}, 'UTC'), ${to} - interval '1 minute', interval '1 minute'), 10
  ) counted
    CROSS JOIN unnest(ARRAY['email', 'sms', 'push', 'chat']) AS channel CROSS JOIN generate_series(0, ${WORKFLOWS - 1}) AS n;

  -- Causes 0 to 19 fail each day; ten others are new each day. Each cause has one incident a day; most of the last day are open.
  CREATE TABLE planned_incidents AS
  SELECT cause, day, row_number() OVER (ORDER BY day DESC, cause) AS id, (ARRAY['email', 'sms', 'push', 'chat'])[1 + cause % 4] AS channel
  FROM ${everyDay} CROSS JOIN LATERAL (
    SELECT generate_series(0, 19) AS cause UNION ALL SELECT generate_series(20 + 10 * day, 29 + 10 * day)
  ) failing;
  -- 7919 is a prime, so any 30 failures in a row get 30 different places, and a cause for each.
  INSERT INTO failures (environment, event_key, job_id, provider, as_of, incident_id, workflow, workflow_name, verdict, occurred_at,
    event_created_at, recorded_at, event_id, transaction_id, subscriber_id, severity, critical, topics, contexts, tags)
  SELECT '${ENVIRONMENT}', 'event-' || n, 'job', '', at, p.id, workflow, 'Name of ' || workflow,
    CASE WHEN cause % 10 = 9 THEN 'undeliverable' ELSE 'failed' END, at, at - interval '20 seconds', at + interval '30 seconds',
    'event-' || n, 'transaction-' || n, 'subscriber-' || n % 5000, (ARRAY['high', 'low'])[1 + n % 2], n % 500 = 0,
    CASE WHEN n % 10 = 0 THEN ARRAY['topic-' || n % 7] ELSE '{}' END, ARRAY['tenant:tenant-' || n % 400], ARRAY['tag-' || n % 30]
  FROM generate_series(${failures}, 1, -1) AS n
    CROSS JOIN LATERAL (SELECT ${failedAt} AS at, mod(n * 7919, 30) AS place, floor((n - 1) / ${FAILURES_A_DAY})::integer AS day) dated
    JOIN planned_incidents p ON p.day = dated.day AND p.cause = CASE WHEN place < 20 THEN place ELSE place + 10 * dated.day END
    CROSS JOIN LATERAL (SELECT 'workflow-' || (cause * 4 + n % 4) % ${WORKFLOWS} AS workflow) named
  ORDER BY n DESC;
  ANALYZE failures;
  INSERT INTO incidents (id, key, environment, channel, provider, cause_text, cause_key, verdict_class, is_test, is_recipient_fault, state, state_at,
    first_at, last_at, last_recorded_at, version)
  OVERRIDING SYSTEM VALUE
  SELECT p.id, 'key-' || cause, '${ENVIRONMENT}', channel, 'provider-of-' || channel, 'Cause ' || cause, 'cause ' || cause,
    CASE WHEN cause % 10 = 9 THEN 'undeliverable' ELSE 'announced' END, false, false,
    CASE WHEN day > 0 AND cause = 0 THEN 'unconfirmed' WHEN cause % 10 = 9 OR day > 0 THEN 'resolved' ELSE 'firing' END, f.recorded_at,
    f.first_at, f.last_at, f.recorded_at, 1
  FROM planned_incidents p JOIN (SELECT incident_id, count(*) AS failures, min(occurred_at) AS first_at, max(occurred_at) AS last_at,
    max(seq) AS seq, max(recorded_at) AS recorded_at FROM failures GROUP BY 1) f ON f.incident_id = p.id;
  DROP TABLE planned_incidents;
  SELECT setval(pg_get_serial_sequence('incidents', 'id'), (SELECT max(id) FROM incidents));
  INSERT INTO outbreaks (incident_id, number, environment, began_at, first_failed_at, last_failed_at, is_published, ended_at, ended_at_service,
    ending, failures, subscribers, failures_at_end, verdicts, severities, unacknowledged_since, fires_since)
  SELECT f.incident_id, 1, '${ENVIRONMENT}', min(f.occurred_at), min(f.occurred_at), max(f.occurred_at), true, i.ended_at, i.ended_at,
    CASE WHEN i.ended_at IS NOT NULL THEN 'recovered' END, count(*), count(*), CASE WHEN i.ended_at IS NOT NULL THEN count(*) END,
    '{failed}', '{high,low}', min(f.recorded_at), min(f.recorded_at)
  FROM failures f JOIN (SELECT id, CASE WHEN state = 'resolved' THEN state_at END AS ended_at FROM incidents) i ON i.id = f.incident_id
  GROUP BY f.incident_id, i.ended_at;
  INSERT INTO outbreak_workflows (incident_id, outbreak, workflow, workflow_name, failures, critical, last_failed_at)
  SELECT incident_id, 1, workflow, max(workflow_name), count(*), bool_or(critical), max(occurred_at) FROM failures GROUP BY 1, 3;
  INSERT INTO wordings (incident_id, key, cause_text, cause_key, at) SELECT id, key, cause_text, cause_key, first_at FROM incidents;

  INSERT INTO watches (id, channel, number, created_at, created_by, settings)
  SELECT 'watch-' || n, 'C' || n, 1, ${from}, 'U0ANN', ${settings} FROM generate_series(1, 10) AS n;
  INSERT INTO watches (id, channel, number, created_at, created_by, settings, ended_at)
  SELECT 'ended-' || day, 'C1', day + 2, ${from}, 'U0ANN', ${settings}, ${to} - day * interval '1 day' FROM ${everyDay};
  INSERT INTO mutes (id, watch_id, incident_id, muted_by, begins_at, until)
  SELECT 'mute-' || day || '-' || n, 'watch-' || n, (SELECT max(id) FROM incidents WHERE last_at <= at), 'U0ANN', at, at + interval '2 hours'
  FROM ${everyDay} CROSS JOIN generate_series(1, 5) AS n
    CROSS JOIN LATERAL (SELECT ${to} - day * interval '1 day' - interval '1 hour' AS at) dated;

  INSERT INTO audit (at, actor, channel, environment, change, outcome, intent_id)
  SELECT ${to} - n * interval '30 minutes', 'U0ANN', 'C1', '${ENVIRONMENT}',
    jsonb_build_object('action', 'trigger', 'workflow', 'workflow-1', 'recipients', 1), '{"is":"sent","accepted":1,"refused":0}', 'intent-' || n
  FROM generate_series(${48 * days}, 1, -1) AS n;
  INSERT INTO audit (at, actor, channel, environment, incident_id, change, outcome)
  SELECT last_at, 'U0ANN', 'C1', '${ENVIRONMENT}', id,
    jsonb_build_object('action', 'noted', 'incident', jsonb_build_object('number', id, 'channel', channel, 'provider', provider),
      'text', 'Rolled back.'), '{"is":"done"}'
  FROM incidents WHERE id % 5 = 0;
  INSERT INTO person_ids (id, person) SELECT 'U' || n, 'W' || n FROM generate_series(1, 300) AS n;
  INSERT INTO kv (key, value) SELECT 'channel-time-zone:C' || n, '"UTC"' FROM generate_series(1, 10) AS n;
  INSERT INTO kv (key, value) VALUES ('last-heartbeat', jsonb_build_object('why', NULL)),
    ('integrations:${ENVIRONMENT}',
      jsonb_build_object('serviceEnvironmentId', 'environment', 'integrations', '[]'::jsonb, 'since', ${from}, 'readAt', ${to}));
  INSERT INTO sendings (id, environment, actor, started_at, ended_at)
  SELECT 'intent-' || n, '${ENVIRONMENT}', 'U0ANN', at, at
  FROM generate_series(1, ${48 * days}) AS n CROSS JOIN LATERAL (SELECT ${to} - n * interval '30 minutes' AS at) dated;
  INSERT INTO triggers (id, environment, workflow, recipients, claimed_at, closed_at, sending)
  SELECT 'trigger-' || n, '${ENVIRONMENT}', 'workflow-1', '[{"subscriberId":"one","transactionId":"two"}]', at, at, 'intent-' || n
  FROM generate_series(1, ${48 * days}) AS n CROSS JOIN LATERAL (SELECT ${to} - n * interval '30 minutes' AS at) dated;
  INSERT INTO changes (environment, at, not_before, what)
  SELECT '${ENVIRONMENT}', ${to} - n * interval '1 hour', NULL, '{"kind":"deploy","name":"release","actor":null}' FROM generate_series(${24 * days}, 1, -1) AS n;

  -- Each watch that hasn't ended alerts to each announced incident, three at a time; their threads say what happens to them.
  INSERT INTO slack_messages (id, owner, channel, environment, kind, content, created_at, state, begun_at, posted_at, ts, shown_hash, drawn_at)
  SELECT 'digest-' || w.id || '-' || s.slot, w.id, w.channel, '${ENVIRONMENT}', 'digest', '{}', s.at, 'posted', s.at, s.at, '1.' || s.slot, 'hash',
    s.changed_at + interval '1 second'
  FROM (SELECT id / 3 AS slot, min(first_at) AS at, max(last_recorded_at) AS changed_at FROM incidents WHERE verdict_class = 'announced'
    GROUP BY 1) s
    CROSS JOIN (SELECT * FROM watches WHERE ended_at IS NULL) w;
  ANALYZE slack_messages;
  INSERT INTO message_subjects (message_id, subject, says)
  SELECT m.id, 'incident ' || i.id, jsonb_build_object('reason', 'new', 'outbreak', 1, 'badness', 'some', 'critical', false, 'failures', 1,
    'entryId', 0, 'rings', true, 'missed', NULL, 'broke', NULL)
  FROM incidents i JOIN slack_messages m ON m.ts = '1.' || i.id / 3 WHERE i.verdict_class = 'announced';
  INSERT INTO watch_alerts (watch_id, incident_id, environment, outbreak, badness, failures, message_id, posted_at, rang_at)
  SELECT m.owner, i.id, '${ENVIRONMENT}', 1, 'every', 1, m.id, m.posted_at, m.posted_at
  FROM incidents i JOIN slack_messages m ON m.ts = '1.' || i.id / 3 WHERE i.verdict_class = 'announced';
  INSERT INTO slack_messages (owner, channel, environment, kind, thread_of, content, created_at, state, begun_at, posted_at, ts, shown_hash, drawn_at)
  SELECT id, channel, environment, 'line', id, jsonb_build_object('is', 'entry', 'watchId', owner, 'entries', '[1]'::jsonb), at, 'posted', at, at,
    ts || '1', 'hash', at
  FROM slack_messages CROSS JOIN LATERAL (SELECT posted_at + interval '1 hour' AS at) dated
  WHERE kind = 'digest' AND posted_at < ${to} - interval '1 hour';

  -- All of it is told.
  INSERT INTO alert_cursors (watch_id, environment, version, settings, channel)
  SELECT id, '${ENVIRONMENT}', 1, settings, channel FROM watches WHERE ended_at IS NULL;
  INSERT INTO timeline_cursors (environment, version, entry_id) SELECT '${ENVIRONMENT}', 1, max(id) FROM audit`;
  return script.split(/;\n/);
}
