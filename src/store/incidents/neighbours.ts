/** The last failure of the episode before episode `s`, in the order of recording; 0 if there is none. The episode's own come after it. */
export const AFTER_SEQ = `coalesce(
  (SELECT max(older.newest_seq) FROM episodes older WHERE older.incident_key = s.incident_key AND older.id < s.id), 0)`;

/** The condition that episode `s` is the last one of its incident. */
export const IS_LAST = `
  NOT EXISTS (SELECT 1 FROM episodes later WHERE later.incident_key = s.incident_key AND later.id > s.id)`;

/** The first episode of the next outage with the cause of episode `s`. An outage is an episode and those that go on from it. */
const NEXT_OUTAGE = `
  (SELECT min(next.id) FROM episodes next WHERE next.incident_key = s.incident_key AND next.id > s.id AND next.began_as <> 'goes-on')`;

/** The first episode of the outage of episode `s`; null if it isn't kept. */
export const FIRST_OF_OUTAGE = `
  (SELECT max(first.id) FROM episodes first
   WHERE first.incident_key = s.incident_key AND first.id <= s.id AND first.began_as <> 'goes-on')`;

/** The last episode of the outage of episode `s`, which has the incident's state and who is working on it. */
export const LAST_OF_OUTAGE = `
  SELECT day.* FROM episodes day
  WHERE day.incident_key = s.incident_key AND day.id >= s.id AND day.id < coalesce(${NEXT_OUTAGE}, 9223372036854775807)
  ORDER BY day.id DESC LIMIT 1`;

/** The episodes of the outage of episode `s`, which is one of them. */
export const OUTAGE = `
  SELECT day.* FROM episodes day
  WHERE day.incident_key = s.incident_key AND day.id >= coalesce(${FIRST_OF_OUTAGE}, 0)
    AND day.id < coalesce(${NEXT_OUTAGE}, 9223372036854775807)`;

/** The messages that announced the outages of episodes $1 (JSON), as an array of IDs: the planner would read all messages to join them. */
export const OUTAGE_MESSAGES = `ARRAY(
  SELECT a.message_id FROM episodes s CROSS JOIN LATERAL (${OUTAGE}) outage JOIN announcements a ON a.episode_id = outage.id
  WHERE s.id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb)))`;
