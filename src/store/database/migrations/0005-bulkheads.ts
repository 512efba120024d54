/**
 * What keeps one event, one endpoint or one slow part from silencing an environment: a fencing token of its own for the past, when
 * announcing last succeeded, and the events that the store refused. It only adds.
 */
export const BULKHEADS = `
ALTER TABLE cursors
  -- the fencing token of those who check the past; \`version\` is that of the present
  ADD COLUMN past_version bigint NOT NULL DEFAULT 0,
  -- since when the present is being recorded, by the database's clock; null: it is not
  ADD COLUMN present_since timestamptz,
  -- when what is news was last written down for every watch
  ADD COLUMN announced_at timestamptz,
  -- as of when \`behind_ms\` is known
  ADD COLUMN behind_at timestamptz;

CREATE TABLE quarantine (
  environment text NOT NULL,
  -- SHA-256 of environment and event id: the id itself is not kept
  event_hash text NOT NULL,
  -- SQLSTATE, or the class of an error of Notif's own
  code text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz,
  first_seen_at timestamptz NOT NULL,
  last_tried_at timestamptz NOT NULL,
  app_version text NOT NULL,
  attempts integer NOT NULL,
  PRIMARY KEY (environment, event_hash)
);
`;
