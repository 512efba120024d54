import { addMilliseconds } from 'date-fns';
import { gravest } from '../failures/failure.ts';
import type { Watch, WatchSettings } from '../watches/watch.ts';
import { UNFILTERED } from '../watches/watch.ts';
import type { Candidate } from './alert-decision.ts';

export const NOON = new Date('2026-05-04T12:00:00.000Z');

export function minutesLater(minutes: number): Date {
  return addMilliseconds(NOON, minutes * 60_000);
}

export function aWatch(settings: Partial<WatchSettings> = {}): Watch {
  return {
    id: 'watch-1',
    channel: 'C1',
    number: 1,
    createdAt: NOON,
    createdBy: 'U1',
    settings: { ...UNFILTERED, ...settings },
  };
}

export function aCandidate({
  failures = 1,
  critical = false,
  ...changes
}: Partial<Candidate> & { failures?: number; critical?: boolean } = {}): Candidate {
  const episodeId = changes.episodeId ?? 1;
  return {
    episodeId,
    beganAs: 'new',
    state: 'firing',
    relapses: 0,
    tally: {
      group: {
        key: `group-${episodeId}`,
        environment: 'production',
        workflow: 'order-shipped',
        workflowName: 'Order shipped',
        channel: 'email',
        provider: 'sendgrid',
        cause: { text: 'Provider refused the request', key: 'provider refused the request' },
        announcement: 'announced',
        isTest: false,
      },
      verdict: gravest(['failed']),
      failures,
      subscribers: failures,
      events: failures,
      firstSeen: NOON,
      lastSeen: NOON,
      severity: 'high',
      critical,
      example: { eventId: 'event-1', transactionId: 'transaction-1', subscriberId: 'subscriber-1' },
    },
    parts: [
      {
        environment: 'production',
        workflow: 'order-shipped',
        workflowName: 'Order shipped',
        channel: 'email',
        provider: 'sendgrid',
        severities: ['high'],
        verdicts: ['failed'],
        topics: [],
        contexts: [],
        tags: [],
        subscribers: [],
      },
    ],
    isAcknowledged: false,
    lastAlert: null,
    wasAlertedEarlier: false,
    incidentTurns: [],
    mutedUntil: null,
    missed: 0,
    minutes: { failures: new Map(), events: new Map() },
    held: null,
    ...changes,
  };
}
