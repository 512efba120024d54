import type { BlockedChannel } from '../../domain/health/backlog.ts';
import { type CheckResult, checkResult, counted, fine } from '../../domain/health/check-result.ts';
import { explainReading } from '../../domain/health/explain-reading.ts';
import type { EnvironmentStatus, ReadingCondition, Status, StoreStatus } from '../../domain/health/status.ts';
import { STORE_TROUBLES, type StoreTrouble } from '../../domain/health/store-trouble.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { SetupCheck } from './examine.ts';
import { messageResults } from './examine-messages.ts';
import { reportStatus, type StatusParts } from './report-status.ts';

/** The state of the database. */
export interface DatabaseFacts {
  readonly bytes: number;
  /** The newest migration applied, and the newest that this version knows. */
  readonly migration: number;
  readonly knownMigration: number;
}

export interface ExamineRunningParts extends StatusParts {
  readonly store: StatusParts['store'] & {
    databaseFacts(): Promise<DatabaseFacts>;
    /** Returns the channels that block messages, the longest blocked first. */
    blockedChannels(): Promise<readonly BlockedChannel[]>;
  };
}

/** Checks how far events are checked, which messages are pending, and the database. */
export function runningChecks(parts: ExamineRunningParts): SetupCheck[] {
  let asked: Promise<Status> | undefined;
  const status = () => {
    asked ??= reportStatus(parts);
    return asked;
  };
  return [
    {
      subject: 'Polling',
      look: async () => {
        const { environments, at } = await status();
        return environments.map((one) => pollingResult(one, at));
      },
    },
    { subject: 'Messages', look: async () => messageResults(await status(), parts) },
    { subject: 'Edits', look: async () => editResults(await status()) },
    {
      subject: 'Database',
      look: async () => {
        const { store } = await status();
        if (store === null) return [NO_DATABASE];
        return store.trouble === null
          ? databaseResults(store, await parts.store.databaseFacts())
          : [databaseTrouble(store.trouble)];
      },
    },
  ];
}

/** The conditions in which new failures cause no alerts. */
const WRONG: readonly ReadingCondition[] = ['failing', 'waits-for-store', 'silent', 'not-announced'];

function pollingResult(status: EnvironmentStatus, at: Date): CheckResult {
  const { environment, condition, health } = status;
  const subject = `${environment.label}: Polling`;
  const explained = explainReading(status, at);
  if (explained !== null) {
    const next = explained.next === '' ? 'It fixes itself: /notif status shows how far it is.' : explained.next;
    return checkResult(WRONG.includes(condition) ? 'problem' : 'advice', subject, { what: explained.what, next });
  }
  if (health === null || condition !== 'fine') {
    const what = condition === 'unknown' ? 'Status unknown.' : 'Not checked yet.';
    return checkResult('unknown', subject, { what, next: 'Try again in a minute.' });
  }
  return fine(subject, `Up to date as of ${describeDuration(at.getTime() - health.checkedTo.getTime())} ago.`);
}

/** Slack's error code says whether the channel or the workspace's settings refuse edits. */
const EDITS_REFUSED =
  'Unarchive the channel, or invite Notif there. edit_window_closed: the workspace limits how long messages can be edited. docs/runbook.md has more.';

function editResults({ store }: Status): CheckResult[] {
  return (store?.editRefusals ?? []).map(({ channel, reason }) =>
    checkResult('advice', 'Edits', {
      what: `Slack refuses edits here (${reason}), so counts in posted messages don't update:`,
      about: [{ kind: 'channel', id: channel }],
      next: EDITS_REFUSED,
    }),
  );
}

const NO_DATABASE = checkResult('problem', 'Database', {
  what: "It isn't responding. No events are checked and no alerts sent.",
  next: 'See that it runs, and that the address in DATABASE_URL or the folder in NOTIF_DATA_DIR is right; the log says more.',
});

function databaseTrouble(trouble: StoreTrouble): CheckResult {
  const { what, next } = STORE_TROUBLES[trouble];
  return checkResult('problem', 'Database', { what: `${what} No events are checked and no alerts sent.`, next });
}

/** A statement normally takes a few milliseconds. */
const SLOW_MS = 1_000;

function databaseResults({ kind, answeredInMs, replicas }: StoreStatus, facts: DatabaseFacts): CheckResult[] {
  const where = kind === 'server' ? `PostgreSQL server, ${counted(replicas, 'replica')}` : 'embedded';
  const size = `${Math.ceil(facts.bytes / 1_000_000)} MB`;
  return [
    fine('Database', `${where}, ${size}, schema version ${facts.migration}, answers in ${answeredInMs} ms.`),
    ...(answeredInMs < SLOW_MS ? [] : [slow(answeredInMs)]),
    ...(facts.migration <= facts.knownMigration ? [] : [NEWER]),
  ];
}

function slow(answeredInMs: number): CheckResult {
  return checkResult('advice', 'Database', {
    what: `It took ${answeredInMs} ms to answer.`,
    next: "See what keeps its machine busy; Notif's own statements take a few milliseconds.",
  });
}

const NEWER = checkResult('advice', 'Database', {
  what: 'A newer version of Notif has changed its tables.',
  next: 'Run the newer version everywhere.',
});
