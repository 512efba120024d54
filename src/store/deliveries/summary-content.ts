import { z } from 'zod';
import type { EnvironmentSummary, SummaryContent } from '../../domain/alerting/delivery.ts';
import { ALL_FAILURES, type FailureFilter, FILTER_NAMES } from '../../domain/failures/failure-filter.ts';
import { LABEL_KINDS } from '../../domain/failures/labels.ts';
import { shareOf } from '../../domain/failures/share.ts';
import { COUNTED_VERDICTS } from '../../domain/failures/verdict.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import { OPEN_SEVERITIES } from '../../domain/incidents/outstanding.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { GAP_CAUSES } from '../../polling/gap-rows.ts';
import { StoredVerdict } from '../failures/tallies.ts';
import type { WatchMessageRecord } from './message-record.ts';

const StoredDate = z.coerce.date();
const ByAt = z.object({ by: z.string(), at: StoredDate });

const StoredState = z.discriminatedUnion('is', [
  z.object({ is: z.literal('firing') }),
  z.object({ is: z.literal('quiet'), since: StoredDate }),
  z.object({ is: z.literal('recovering'), since: StoredDate, sendingSince: StoredDate.nullable() }),
  z.object({ is: z.literal('resolved'), at: StoredDate, by: z.string().nullable() }),
]);

const StoredGroup = z.object({
  key: z.string(),
  environment: z.string(),
  workflow: z.string().nullable(),
  workflowName: z.string().nullable(),
  channel: z.string(),
  provider: z.string().nullable(),
  cause: z.object({ text: z.string(), key: z.string() }),
  announcement: z.enum(['announced', ...COUNTED_VERDICTS]),
  isTest: z.boolean(),
});

const StoredTally = z.object({
  group: StoredGroup,
  verdict: StoredVerdict,
  failures: z.number(),
  subscribers: z.number(),
  events: z.number(),
  firstSeen: StoredDate,
  lastSeen: StoredDate,
  severity: z.string().nullable(),
  critical: z.boolean(),
  example: z.object({ eventId: z.string().nullable(), transactionId: z.string(), subscriberId: z.string().nullable() }),
});

const StoredShare = z
  .object({ failed: z.number(), of: z.number(), from: StoredDate, to: StoredDate })
  .transform((share) => shareOf(share.failed, share.of, share))
  .nullable();

const StoredWindow = z.object({ from: StoredDate, to: StoredDate });

const StoredLately = z.object({
  window: StoredWindow,
  failures: z.number(),
  attempts: z.number().nullable(),
  lastSuccessAt: StoredDate.nullable(),
  trend: z.array(z.number()),
});

const StoredSharedLabel = z.object({
  label: z.object({ kind: z.enum(LABEL_KINDS), value: z.string() }),
  events: z.number(),
  of: z.number(),
  isOfNewest: z.boolean(),
  usually: z.number(),
});

/** A summary's rows are brief, without notes and changes. */
const NOT_SHOWN = { note: null, lastTime: null, changedBefore: null };

const StoredIncidentNow: z.ZodType<IncidentNow, unknown> = z
  .object({
    episodeId: z.number(),
    asOf: StoredDate,
    tally: StoredTally,
    outageSince: StoredDate,
    parts: z.array(z.object({ tally: StoredTally, share: StoredShare })),
    moreParts: z.number(),
    shared: StoredSharedLabel.nullable(),
    lately: StoredLately,
    state: StoredState,
    relapses: z.number(),
    acknowledged: ByAt.nullable(),
    unacknowledged: ByAt.nullable(),
    assigned: z.object({ to: z.string(), by: z.string(), at: StoredDate }).nullable(),
    mute: z.object({ by: z.string(), from: StoredDate, until: StoredDate }).nullable(),
  })
  .transform((now) => ({ ...now, ...NOT_SHOWN }));

const StoredGap: z.ZodType<Gap> = z.object({
  id: z.string(),
  environment: z.string(),
  from: StoredDate,
  to: StoredDate.nullable(),
  cause: z.enum(GAP_CAUSES),
  openedAt: StoredDate,
  closedAt: StoredDate.nullable(),
  unchecked: z.array(StoredWindow),
  givenUp: z.array(StoredWindow),
  events: z.number(),
  failures: z.number(),
});

/** A replica of an earlier version stores no `coverage`. */
const StoredSummary = z.object({
  environment: z.string(),
  eventsChecked: z.number(),
  unreadable: z.number(),
  failedEvents: z.number(),
  counted: z.partialRecord(StoredVerdict, z.number()),
  incidents: z.object({ failing: z.number(), quiet: z.number(), recovered: z.number() }),
  open: z.array(z.object({ severity: z.enum(OPEN_SEVERITIES), failing: z.number(), quiet: z.number() })),
  belowThreshold: z.number(),
  largest: z.array(StoredIncidentNow),
  coverage: StoredWindow.nullable().optional(),
  delayed: z.enum(['not-announced', 'late']).nullable().default(null),
  gaps: z.array(StoredGap),
});

const StoredMutes = z.object({
  mutes: z
    .array(z.object({ channel: z.string().nullable(), muted: z.number(), watches: z.number(), until: StoredDate }))
    .readonly(),
  mutedIncidents: z.number(),
});

const StoredPending = z.object({ messages: z.number(), oldestAgeMs: z.number(), isOnlyChannels: z.boolean() });

const StoredFilter = z
  .partialRecord(z.enum(FILTER_NAMES), z.array(z.string()))
  .transform((filter): FailureFilter => ({ ...ALL_FAILURES, ...filter }));

/** What a summary stores, so that it always says what it said first. */
const StoredDetails = z.object({
  timeZone: z.string(),
  filter: StoredFilter,
  environments: z.array(StoredSummary),
  mutes: StoredMutes,
  pending: StoredPending,
});

export type SummaryDetails = Omit<SummaryContent, 'kind' | 'id' | 'channel' | 'range'>;

export function summaryContent(record: WatchMessageRecord): SummaryContent {
  const range = { from: record.covered_from, to: record.covered_to };
  const { environments, ...details } = StoredDetails.parse(record.details);
  return {
    kind: 'summary',
    id: record.id,
    channel: record.destination,
    range,
    ...details,
    environments: environments.map(
      ({ coverage = range, ...summary }): EnvironmentSummary => ({ ...summary, coverage }),
    ),
  };
}
