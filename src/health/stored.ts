import { getTableColumns } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { DigestKept } from '../alerts/adopt.ts';
import { ChangesKept } from '../alerts/changes.ts';
import { DigestSays } from '../alerts/digest-says.ts';
import { LineKept } from '../alerts/lines.ts';
import { LastOutcome } from '../alerts/pager.ts';
import { PersonalKept } from '../alerts/people.ts';
import { RenamedKept } from '../alerts/renamed.ts';
import { alertCursors, timelineCursors, watchAlerts } from '../alerts/tables.ts';
import { WatchEndedKept } from '../alerts/watch-end.ts';
import { audit, ChangeOutcome } from '../audit/tables.ts';
import { CHANGED } from '../changes/change.ts';
import { StoredSnapshot } from '../changes/snapshots.ts';
import { changes, Variables, workflows } from '../changes/tables.ts';
import { GapWindows } from '../coverage/gap.ts';
import {
  Domains,
  environments,
  eventCounts,
  gaps,
  Latencies,
  ReadAhead,
  ReadTo,
  successCounts,
  waitingEvents,
} from '../coverage/tables.ts';
import { failures, followers, incidents, outbreaks, outbreakWorkflows, wordings } from '../incidents/tables.ts';
import { SharedLabel } from '../judging/labels.ts';
import { Home } from '../lib/workspace.ts';
import { KNOWN_ACTIONS, TrailEntry } from '../lookups/audited.ts';
import { Initiator } from '../outbox/kinds.ts';
import { messageSubjects, slackMessages } from '../outbox/tables.ts';
import { personIds } from '../people/tables.ts';
import { Summarized } from '../reports/summary.ts';
import { Recipients, StoredChoices, sendings, triggers } from '../sendings/tables.ts';
import { ServiceProblem } from '../service/service-error.ts';
import { ChannelId } from '../store/channel-id.ts';
import type { Topic } from '../store/kv.ts';
import { MaskedTexts } from '../store/masked-texts.ts';
import { Applied } from '../store/migrate.ts';
import { StoreCode } from '../store/store-code.ts';
import { kv } from '../store/tables.ts';
import { StoredChoice } from '../watches/channel-environment.ts';
import { StoredSettings } from '../watches/settings.ts';
import { ChangesTo, mutes, watches } from '../watches/tables.ts';
import { LastHeartbeat } from './last-heartbeat.ts';
import {
  type Columns,
  json,
  nobody,
  type StoredColumn,
  type StoredJson,
  type StoredVariants,
} from './stored-columns.ts';

/** What was set aside as unreadable, and what no version writes: it can't be read, and may hold an ID anywhere. */
const LOST: StoredJson = { Value: z.never(), holds: 'sentence' };
/** What another version writes may be fine. */
const OTHER_VERSIONS: StoredJson = { Value: z.unknown(), holds: 'nobody' };
const mention = nobody('id');

/** What a message keeps, by its kind. */
const CONTENTS: Readonly<Record<string, StoredJson>> = {
  digest: json(DigestKept, { lost: nobody('key') }),
  line: json(LineKept, nobody('watchId')),
  personal: json(PersonalKept, { news: nobody('actor', 'to') }),
  changes: json(ChangesKept),
  renamed: json(RenamedKept, nobody('from', 'to')),
  'watch-ended': json(WatchEndedKept, nobody('watchId')),
  summary: json(Summarized, nobody('environments')),
  weekly: json(Summarized, nobody('environments')),
  sending: json(z.object({})),
};

/** The values of `kv`, by what their keys begin with. */
const KEPT: Record<Topic, StoredJson> = {
  alertmanager: json(LastOutcome, { trouble: nobody('why') }),
  'channel-environment': json(StoredChoice, nobody('environment')),
  'channel-id': json(ChannelId, nobody('id')),
  erased: json(z.literal(true)),
  integrations: json(StoredSnapshot, {
    ...nobody('serviceEnvironmentId'),
    integrations: nobody('key', 'name', 'identifier', 'channel', 'provider', 'conditions', 'credentialsMark'),
  }),
  interaction: json(z.literal(true)),
  'last-heartbeat': json(LastHeartbeat, nobody('why', 'at')),
  'masked-texts': json(MaskedTexts, nobody('done', 'below')),
  mention: json(z.literal(true)),
  migrations: json(Applied, 'nobody'),
  replica: json(z.literal(true)),
  // What the version before wrote, until it expires.
  sending: { Value: z.unknown(), holds: { lastRefusal: 'sentence' } },
  'store-code': json(StoreCode, 'nobody'),
  unreadable: LOST,
  workspace: json(Home, nobody('id', 'name')),
};

const ENTRY = json(TrailEntry, {
  ...nobody('workflow', 'provider', 'part', 'from', 'until', 'to', 'event', 'code', 'headline'),
  incident: nobody('channel', 'provider'),
  subscriberId: 'id',
  text: 'sentence',
  name: 'sentence',
  watch: 'filters',
});
const AUDITED = Object.fromEntries(KNOWN_ACTIONS.map((action) => [action, ENTRY]));

const CHANGES: { readonly [Kind in keyof typeof CHANGED]: StoredJson } = {
  integration: json(CHANGED.integration, nobody('name', 'identifier', 'channel', 'provider', 'aspects')),
  workflow: json(CHANGED.workflow, nobody('identifier', 'name', 'aspects')),
  deploy: json(CHANGED.deploy, { ...nobody('actor'), name: 'sentence' }),
};

const SETTINGS = json(StoredSettings, {
  filter: {
    ...nobody('environments', 'workflows', 'channels', 'providers', 'severities', 'transactions'),
    ...nobody('topics', 'contexts', 'tags', 'domains'),
    subscribers: 'id',
  },
  ...nobody('timeZone'),
  mention,
});

const TABLES = {
  environments,
  gaps,
  event_counts: eventCounts,
  success_counts: successCounts,
  waiting_events: waitingEvents,
  incidents,
  outbreaks,
  outbreak_workflows: outbreakWorkflows,
  wordings,
  failures,
  followers,
  slack_messages: slackMessages,
  message_subjects: messageSubjects,
  watch_alerts: watchAlerts,
  alert_cursors: alertCursors,
  timeline_cursors: timelineCursors,
  kv,
  sendings,
  triggers,
  person_ids: personIds,
  watches,
  mutes,
  audit,
  changes,
  workflows,
};
type Tables = { readonly [Name in keyof typeof TABLES]: Columns<(typeof TABLES)[Name]['$inferSelect']> };

/**
 * For each column with texts: how they can hold a subscriber's ID, where erasing looks for it, and what its JSON is,
 * by which the doctor finds values that this version can't read. `nobody(…)` names those that hold no subscriber's ID.
 */
const STORED: Tables = {
  environments: {
    ...nobody('environment', 'serviceEnvironmentId', 'domains'),
    readAhead: json(ReadAhead),
    readTo: json(ReadTo),
    problem: json(ServiceProblem, { ...nobody('errorId', 'wrong', 'code', 'namesake'), message: 'sentence' }),
  },
  gaps: { ...nobody('id', 'environment'), unchecked: json(GapWindows) },
  event_counts: nobody('environment', 'workflow'),
  success_counts: {
    ...nobody('environment', 'workflow', 'channel', 'provider'),
    latencies: json(Latencies),
    domains: json(Domains),
  },
  // An event isn't a person, and its row ends with its wait.
  waiting_events: nobody('environment', 'eventId'),
  incidents: {
    ...nobody('key', 'code', 'environment', 'channel', 'provider', 'headline', 'assignedTo'),
    causeText: 'sentence',
    causeKey: 'sentence',
  },
  outbreaks: {
    ...nobody('environment', 'endedBy', 'severities', 'acknowledgedBy', 'gapId'),
    shared: json(SharedLabel, { label: { value: 'id' } }),
  },
  outbreak_workflows: nobody('workflow', 'workflowName'),
  wordings: { ...nobody('key', 'headline'), causeText: 'sentence', causeKey: 'sentence' },
  // The topics, contexts and tags of their failures are deleted with the ID.
  failures: {
    ...nobody('environment', 'eventKey', 'jobId', 'provider', 'workflow', 'workflowName', 'eventId'),
    ...nobody('transactionId', 'severity', 'topics', 'contexts', 'tags', 'domain'),
    subscriberId: 'id',
  },
  followers: nobody('person', 'channel'),
  slack_messages: {
    ...nobody('id', 'kind', 'channel', 'owner', 'subject', 'orderGroup', 'threadOf', 'environment', 'lastRefusal'),
    ...nobody('ts', 'shownHash'),
    content: { selector: 'kind', variantOf: (kind) => variantOf(CONTENTS, kind) },
    initiator: json(Initiator, nobody('person', 'channel')),
  },
  message_subjects: {
    ...nobody('messageId', 'subject'),
    says: { Value: DigestSays.or(z.object({})), holds: null },
  },
  watch_alerts: nobody('watchId', 'environment', 'messageId'),
  alert_cursors: {
    ...nobody('watchId', 'environment', 'channel'),
    settings: SETTINGS,
  },
  timeline_cursors: nobody('environment'),
  kv: {
    ...nobody('key'),
    value: { selector: 'key', variantOf: (key) => variantOf(KEPT, `${key}`.split(':', 1)[0]) },
  },
  sendings: {
    ...nobody('id', 'environment', 'actor', 'channel', 'stoppedBy'),
    // Labels are offered where several people have them in common.
    choices: json(StoredChoices, nobody('workflows', 'eventKeys', 'labels')),
    lastRefusal: 'sentence',
  },
  person_ids: nobody('id', 'person'),
  // The recipients of those that are closed are deleted, with why they failed; the others are needed.
  triggers: {
    ...nobody('id', 'environment', 'workflow', 'sending', 'eventKey', 'sentAs', 'why'),
    recipients: json(Recipients, nobody('subscriberId', 'shownId')),
  },
  watches: {
    ...nobody('id', 'channel', 'createdBy'),
    settings: SETTINGS,
    changesTo: json(ChangesTo),
  },
  mutes: nobody('id', 'watchId', 'mutedBy', 'provider', 'workflow'),
  audit: {
    ...nobody('actor', 'channel', 'environment', 'intentId'),
    change: { selector: 'change', variantOf: (change) => variantOf(AUDITED, Object(change).action) },
    outcome: json(ChangeOutcome),
  },
  changes: {
    ...nobody('environment'),
    what: { selector: 'what', variantOf: (what) => variantOf(CHANGES, Object(what).kind) },
  },
  workflows: {
    ...nobody('environment', 'identifier', 'id', 'name', 'formerNames'),
    variables: json(Variables, 'nobody'),
  },
};

function variantOf(all: Readonly<Record<string, StoredJson>>, name: unknown): StoredJson {
  if (typeof name !== 'string') return LOST;
  return (Object.hasOwn(all, name) && all[name]) || OTHER_VERSIONS;
}

export interface StoredTable {
  readonly name: string;
  readonly table: PgTable;
  readonly columns: Readonly<Record<string, StoredColumn>>;
}

export const STORED_TABLES: readonly StoredTable[] = Object.entries(TABLES).map(([name, table]) => ({
  name,
  table,
  columns: STORED[name as keyof Tables],
}));

const COUNTS: readonly string[] = ['event_counts', 'success_counts'];

/** Counts are too many to look at, and the names in them are also in other tables. */
export const EXAMINED_TABLES: readonly StoredTable[] = STORED_TABLES.filter(({ name }) => !COUNTS.includes(name));

/** The name that the database has for the column that is `key` in code. */
export const columnName = ({ table }: StoredTable, key: string): string =>
  toSnakeCase(getTableColumns(table)[key]?.name ?? key);

/** `row` is by the columns' names in code. */
export const describedBy = (column: StoredJson | StoredVariants, row: Readonly<Record<string, unknown>>): StoredJson =>
  'selector' in column ? column.variantOf(row[column.selector]) : column;
