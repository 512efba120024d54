/** Texts that Slack has no room for, or that somebody typed, each sealed and until when it's kept. */
export const KEPT_TEXTS = `
CREATE TABLE kept_texts (
  key text PRIMARY KEY,
  sealed text NOT NULL,
  until timestamptz NOT NULL
);
CREATE INDEX kept_texts_until ON kept_texts (until);
`;
