/** What answering 'as of now' needs: the end of a poll that somebody waits for, and the events of a span that may still change. */
export const CHECKED_NOW = `
-- the version with which new events were last checked to the end, or in vain
ALTER TABLE cursors ADD COLUMN concluded_version bigint NOT NULL DEFAULT 0;

CREATE INDEX sightings_open ON sightings (environment, created_at) WHERE next_read_at IS NOT NULL AND is_readable;
`;
