/**
 * What is only counted stands in the daily summary and in answers, never in a message of its own: those that are there are neither posted
 * nor drawn again.
 */
export const NO_COUNTED_ONLY = `
  UPDATE digests SET state = 'gone', redraw_at = NULL, drawing_to = NULL WHERE kind = 'counted-only';
`;
