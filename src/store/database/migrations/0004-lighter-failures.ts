/**
 * What makes a page of failures cheaper to write down. Whom and what an episode has counted is asked of its failures: only a replica of
 * the version before still keeps that in span_subjects, beside which its counts of events and subscribers may come out too high as long
 * as both read. No check for each failure that its group is there: it was added by the same transaction, or a group that fails is
 * kept from being forgotten meanwhile (pruning.ts).
 */
export const LIGHTER_FAILURES = `
DROP INDEX failures_of_group_by_subscriber;
CREATE INDEX failures_of_group_by_subscriber ON failures (group_key, subscriber_id, seq);
ALTER TABLE failures DROP CONSTRAINT failures_group_key_fkey;
`;
