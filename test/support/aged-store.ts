import { z } from 'zod';
import type { Store } from '../../src/store/store.ts';

/** Events per day of the simulated busy environment: about ten million in 30 days, one in a hundred failed. */
const EVENTS_A_DAY = 333_333;
const FAILURES_A_DAY = EVENTS_A_DAY / 100;
const WORKFLOWS = 6;

/** The filled environment. */
export const AGED = 'production';

/**
 * Fills an empty store with what this many days up to `now` leave in it after a retention of 30 days, and updates its statistics. All rows
 * pass the tables' own constraints, in one statement per table. The last day is the same for any number of days: 30 causes fail a day, 20
 * of them each day, each in four workflows; half of the failures of the last day belong to incidents that are still open.
 */
export async function fillStore(executeSql: Store['executeSql'], now: Date, days: number): Promise<void> {
  // Creating an index for all rows at once takes a third of the time.
  const indexes = Indexes.parse((await executeSql(INDEXES)).rows);
  for (const { name } of indexes) await executeSql(`DROP INDEX ${name}`);
  for (const statement of fillStatements(now, days)) await executeSql(statement);
  for (const { definition } of indexes) await executeSql(definition);
  await executeSql('ANALYZE');
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
  const twoDaysAgo = `(${to} - interval '${Math.min(days, 2)} days')`;
  const failures = Math.round(FAILURES_A_DAY * days);
  /** The time of failure number `n`, counted back from the end. */
  const failedAt = `${to} - n * interval '${86_400 / FAILURES_A_DAY} seconds'`;
  const everyDay = `generate_series(0, ${days - 1}) AS day`;
  const script = `
  INSERT INTO environments (environment, covered_from, checked_to, newest_event_at, events, failed_events, last_poll_at, last_success_at,
    announced_at, clock_ahead_ms)
  VALUES ('${AGED}', ${from}, ${to}, ${to}, ${EVENTS_A_DAY * days}, ${failures}, ${to}, ${to}, ${to}, 12);

  INSERT INTO gaps (id, environment, begins_at, ends_at, cause, opened_at, closed_at, events, unchecked)
  SELECT 'gap-' || day, '${AGED}', at, at + interval '10 minutes', 'unreachable', at, CASE WHEN day > 0 THEN at + interval '1 hour' END, 2000,
    CASE WHEN day > 0 THEN '[]' ELSE jsonb_build_array(
      jsonb_build_object('from', at, 'to', at + interval '6 minutes', 'tries', 0, 'nextTryAt', ${to} - interval '1 minute')) END
  FROM ${everyDay} CROSS JOIN LATERAL (SELECT ${to} - day * interval '1 day' - interval '3 hours' AS at) dated;

  INSERT INTO workflows (environment, identifier, id, name, variables, last_seen_at)
  SELECT '${AGED}', 'workflow-' || n, 'id-' || n, 'Workflow ' || n, '["orderId"]', ${to} FROM generate_series(0, ${WORKFLOWS - 1}) AS n;
  INSERT INTO event_counts (environment, minute, workflow, events, unreadable)
  SELECT '${AGED}', minute, 'workflow-' || n, ${Math.round(EVENTS_A_DAY / 1440 / WORKFLOWS)}, 0
  FROM generate_series(date_trunc('minute', ${from}, 'UTC'), ${to}, interval '1 minute') AS minute
    CROSS JOIN generate_series(0, ${WORKFLOWS - 1}) AS n;
  INSERT INTO success_counts (environment, channel, provider, minute, created, successes, last_at)
  SELECT '${AGED}', channel, 'provider-of-' || channel, minute, minute, 50, minute + interval '50 seconds'
  FROM generate_series(date_trunc('minute', ${twoDaysAgo}, 'UTC'), ${to} - interval '1 minute', interval '1 minute') AS minute
    CROSS JOIN unnest(ARRAY['email', 'sms', 'push', 'chat']) AS channel;

  -- Causes 0 to 19 fail each day; ten others are new each day.
  INSERT INTO groups (key, environment, workflow, workflow_name, channel, provider, cause_text, cause_key, announcement, is_test)
  SELECT 'group-' || cause || '-' || part, '${AGED}', workflow, 'Name of ' || workflow, channel, 'provider-of-' || channel,
    'Cause ' || cause, 'cause ' || cause, CASE WHEN cause % 10 = 9 THEN 'undeliverable' ELSE 'announced' END, false
  FROM generate_series(0, ${19 + 10 * days}) AS cause CROSS JOIN generate_series(0, 3) AS part
    CROSS JOIN LATERAL (SELECT 'workflow-' || (cause * 4 + part) % ${WORKFLOWS} AS workflow,
      (ARRAY['email', 'sms', 'push', 'chat'])[1 + cause % 4] AS channel) named;

  INSERT INTO failures (environment, event_key, job_id, detail_id, group_key, is_announced, verdict, occurred_at, event_created_at,
    recorded_at, event_id, transaction_id, subscriber_id, severity, critical, topics, contexts, tags)
  SELECT '${AGED}', 'event-' || n, 'job', 'detail', 'group-' || cause || '-' || n % 4, cause % 10 <> 9,
    CASE WHEN cause % 10 = 9 THEN 'undeliverable' ELSE 'failed' END, at, at - interval '20 seconds', at + interval '30 seconds',
    'event-' || n, 'transaction-' || n, 'subscriber-' || n % 5000, (ARRAY['high', 'low'])[1 + n % 2], n % 500 = 0,
    CASE WHEN n % 10 = 0 THEN ARRAY['topic-' || n % 7] ELSE '{}' END, ARRAY['tenant:tenant-' || n % 400], ARRAY['tag-' || n % 30]
  FROM generate_series(${failures}, 1, -1) AS n CROSS JOIN LATERAL (SELECT ${failedAt} AS at, mod(n * 7919, 30) AS place,
      floor(n / ${FAILURES_A_DAY})::integer AS day) dated
    CROSS JOIN LATERAL (SELECT CASE WHEN place < 20 THEN place ELSE place + 10 * day END AS cause) of;
  INSERT INTO failure_names (environment, kind, name, last_seen_at)
  SELECT DISTINCT '${AGED}', kind, name, ${to} FROM failures CROSS JOIN LATERAL (SELECT 'severities' AS kind, severity AS name
    UNION ALL SELECT 'topics', unnest(topics) UNION ALL SELECT 'contexts', unnest(contexts) UNION ALL SELECT 'tags', unnest(tags)) has;
  INSERT INTO group_counts (group_key, minute, failures)
  SELECT group_key, date_trunc('minute', occurred_at, 'UTC'), count(*) FROM failures
  WHERE occurred_at >= ${twoDaysAgo} AND is_announced GROUP BY 1, 2;

  ANALYZE failures;
  ANALYZE groups;
  -- An incident has an episode for each day on which it failed. Those of the last day are open, half of them sending again.
  CREATE TABLE summed AS
  SELECT g.incident_key, f.group_key, floor(extract(epoch FROM ${to} - f.occurred_at) / 86400)::integer AS day, max(f.seq) AS newest_seq,
    count(*) AS failures, min(f.occurred_at) AS first_seen, max(f.occurred_at) AS last_seen, max(f.recorded_at) AS recorded_at
  FROM failures f JOIN groups g ON g.key = f.group_key WHERE g.announcement = 'announced' GROUP BY 1, 2, 3;
  INSERT INTO episodes (incident_key, group_key, began_as, ends_at, last_recorded_at, newest_seq, failures, events, subscribers, first_seen,
    last_seen, verdicts, severities, topics, transaction_id, state, state_at, succeeding_since)
  SELECT incident_key, min(group_key), 'new', min(first_seen) + interval '1 day', max(recorded_at), max(newest_seq), sum(failures),
    sum(failures), sum(failures), min(first_seen), max(last_seen), '{failed}', '{high,low}', '{topic-0}', 'transaction',
    CASE WHEN day > 0 THEN 'resolved' ELSE 'firing' END, max(recorded_at),
    CASE WHEN day > 0 OR right(incident_key, 1) < '8' THEN max(last_seen) + interval '10 seconds' END
  FROM summed GROUP BY incident_key, day ORDER BY max(newest_seq);
  INSERT INTO episode_parts (episode_id, group_key, newest_seq, failures, events, subscribers, first_seen, last_seen, first_event_at,
    last_event_at, verdicts, severities, topics, transaction_id)
  SELECT s.id, p.group_key, p.newest_seq, p.failures, p.failures, p.failures, p.first_seen, p.last_seen, p.first_seen - interval '20 seconds',
    p.last_seen - interval '20 seconds', '{failed}', '{high,low}', '{topic-0}', 'transaction'
  FROM summed p JOIN episodes s ON s.incident_key = p.incident_key AND p.last_seen BETWEEN s.first_seen AND s.last_seen;
  DROP TABLE summed;
  ANALYZE episodes;
  INSERT INTO notes (incident_key, episode_id, written_by, written_at, text)
  SELECT incident_key, id, 'U0ANN', last_seen, 'Rolled back.' FROM episodes WHERE id % 5 = 0;

  INSERT INTO watches (id, channel, number, created_at, created_by, settings)
  SELECT 'watch-' || n, 'C' || n, 1, ${from}, 'U0ANN', NULL FROM generate_series(1, 10) AS n;
  INSERT INTO watches (id, channel, number, created_at, created_by, ended_at, ended_by)
  SELECT 'ended-' || day, 'C1', day + 2, ${from}, 'U0ANN', ${to} - day * interval '1 day', 'U0ANN' FROM ${everyDay};
  INSERT INTO positions (watch_id, environment, from_start, announced_to, announced_seq, announced_events, announced_unreadable, scanned_seq,
    last_digest_at, last_alert_at, summed_seq)
  SELECT w.id, '${AGED}', false, ${to} - interval '10 minutes', newest.seq - 20, ${EVENTS_A_DAY * days} - 2000, 0, newest.seq - 20,
    ${to} - interval '1 hour', ${to} - interval '1 hour', newest.seq - ${Math.round(FAILURES_A_DAY / 2)}
  FROM watches w CROSS JOIN (SELECT max(seq) AS seq FROM failures) newest WHERE w.ended_at IS NULL;
  INSERT INTO held_back (watch_id, episode_id, since, why)
  SELECT 'watch-2', id, ${to} - interval '1 hour', 'pace' FROM episodes ORDER BY id DESC LIMIT 3;
  INSERT INTO mutes (id, watch_id, group_key, muted_by, muted_at, until, settled_at)
  SELECT 'mute-' || day || '-' || n, 'watch-' || n, 'group-' || n || '-0', 'U0ANN', at, at + interval '2 hours',
    CASE WHEN day > 0 THEN at + interval '2 hours' END
  FROM ${everyDay} CROSS JOIN generate_series(1, 5) AS n
    CROSS JOIN LATERAL (SELECT ${to} - day * interval '1 day' - interval '1 hour' AS at) dated;

  INSERT INTO audit (at, actor, channel, environment, change, outcome, intent_id)
  SELECT ${to} - n * interval '30 minutes', 'U0ANN', 'C1', '${AGED}',
    jsonb_build_object('action', 'trigger', 'workflow', 'workflow-1', 'recipients', 1), '{"is":"sent","accepted":1,"refused":0}', 'intent-' || n
  FROM generate_series(${48 * days}, 1, -1) AS n;
  INSERT INTO triggers (id, environment, actor, workflow, recipients, results, claimed_at, closed_at)
  SELECT 'intent-' || n, '${AGED}', 'U0ANN', 'workflow-1', '[{"subscriberId":"one","transactionId":"two"}]', '[]', at, at
  FROM generate_series(1, ${48 * days}) AS n CROSS JOIN LATERAL (SELECT ${to} - n * interval '30 minutes' AS at) dated;
  INSERT INTO changes (environment, at, not_before, what)
  SELECT '${AGED}', ${to} - n * interval '1 hour', NULL, '{"kind":"deploy","name":"release","by":null}' FROM generate_series(${24 * days}, 1, -1) AS n;
  INSERT INTO kv (key, value) SELECT 'channel-time-zone:C' || n, '"UTC"' FROM generate_series(1, 10) AS n;
  INSERT INTO kv (key, value) VALUES ('last-heartbeat', jsonb_build_object('outcome', 'answered', 'why', NULL, 'at', ${to})),
    ('integrations:${AGED}',
      jsonb_build_object('serviceEnvironmentId', 'environment', 'integrations', '[]'::jsonb, 'since', ${from}, 'readAt', ${to}));
  INSERT INTO edit_refusals (channel, reason, since) VALUES ('C9', 'cant_update_message', ${to});
  INSERT INTO slack_pauses (subject, until) VALUES ('C9', ${to});
  INSERT INTO edits (begun_at) SELECT ${to} - n * interval '10 seconds' FROM generate_series(1, 5) AS n;

  -- Each watch is alerted to each episode, three at a time; what happens to them is added to the thread.
  INSERT INTO messages (id, watch_id, environment, kind, created_at, covered_from, covered_to, events, state, attempt,
    begun_at, posted_at, ts, fingerprint, edit_begun_at, shown_to, shown_failures)
  SELECT 'digest-' || w.id || '-' || s.slot, w.id, '${AGED}', 'digest', s.at, s.at - interval '1 minute', s.at, 240, 'posted', 1,
    s.at, s.at, '1.' || s.slot, 'print', s.at, ${to}, 10
  FROM (SELECT id / 3 AS slot, min(first_seen) AS at FROM episodes GROUP BY 1) s
    CROSS JOIN (SELECT * FROM watches WHERE ended_at IS NULL) w;
  ANALYZE messages;
  INSERT INTO announcements (message_id, position, watch_id, episode_id, reason, announced_at, announced_failures, announced_seq)
  SELECT d.id, 1 + s.id % 3, d.watch_id, s.id, 'new', d.created_at, 1, s.newest_seq
  FROM episodes s JOIN messages d ON d.ts = '1.' || s.id / 3;
  INSERT INTO messages (watch_id, environment, kind, thread_of, created_at, covered_from, covered_to, details, state, attempt, begun_at,
    posted_at, ts, fingerprint, edit_begun_at, shown_to)
  SELECT watch_id, environment, 'thread', id, at, at, at, 
    jsonb_build_object('event', jsonb_build_object('what', 'resolved', 'by', NULL, 'at', at), 'episodes', '[{"id":1,"total":null}]'::jsonb), 'posted', 1, at, at, ts || '1', 'print', at, at
  FROM messages CROSS JOIN LATERAL (SELECT posted_at + interval '1 hour' AS at) dated WHERE kind = 'digest' AND posted_at < ${to} - interval '1 hour';
  INSERT INTO messages (id, watch_id, environment, kind, created_at, covered_from, covered_to, gap_id, state, attempt, begun_at, posted_at,
    ts, fingerprint, edit_begun_at, shown_to)
  SELECT 'notice-' || g.id || '-' || w.id, w.id, '${AGED}', 'gap', g.opened_at, g.begins_at, g.ends_at, g.id, 'posted', 1, g.opened_at,
    g.opened_at, '3.' || g.id, 'print', g.opened_at, ${to}
  FROM gaps g CROSS JOIN (SELECT * FROM watches WHERE ended_at IS NULL) w;
  INSERT INTO messages (watch_id, environment, kind, created_at, covered_from, covered_to)
  SELECT 'watch-1', '${AGED}', 'digest', ${to} - n * interval '5 minutes', ${to} - n * interval '6 minutes', ${to} - n * interval '5 minutes'
  FROM generate_series(1, 2) AS n;`;
  return script.split(/;\n/);
}
