import { beforeEach } from 'vitest';
import { incidents } from '../incidents/tables.ts';
import type { Failure } from '../judging/failure.ts';
import { silent } from '../lib/logger.testing.ts';
import { createSeal } from '../lib/seal.ts';
import { aDetail, aJob, anEvent, aSubscriber } from '../service/event.testing.ts';
import type { Job } from '../service/event.ts';
import type { TriggerItem, TriggerResult } from '../service/trigger.ts';
import { at, failureOf, NOON, recordFailures } from '../store/examples.testing.ts';
import type { OpenDb } from '../store/open.ts';
import { describeStore } from '../store/store.testing.ts';
import { type Progress, progressOf } from './progress.ts';
import type { TriggerService } from './reread-events.ts';
import { brokenEvents, type ResendCommand, startResend } from './resend.ts';
import { resendChoices } from './sending.testing.ts';
import { continueSendings } from './sending-loop.ts';
import type { SendCtx } from './sending-rows.ts';

/** How many events a batch has, at first. */
export const BATCH = 50;
export const PEOPLE: readonly string[] = Array.from({ length: BATCH + 10 }, (_, index) => `user-${index}`);
export const FAILED: Job = aJob({ status: 'failed', details: [aDetail()] });

export const failuresOf = (cause: string, people: readonly string[]): readonly Failure[] =>
  people.map((subscriberId) => {
    const eventId = `event-${subscriberId}`;
    return failureOf(cause, { subscriberId, eventKey: eventId, eventId });
  });

export const answered = (status: string, items: readonly TriggerItem[]): readonly TriggerResult[] =>
  items.map(() => ({ status, errors: [] }));

/** Sends an incident's events again by a service that has them and takes them. */
export class Resends {
  /** To whom something was sent, in order. */
  sent: string[] = [];
  now = NOON;
  readonly signal = new AbortController().signal;
  readonly #store: () => OpenDb;

  constructor(store: () => OpenDb) {
    this.#store = store;
    beforeEach(() => {
      this.sent = [];
      this.now = NOON;
    });
  }

  /** `jobsOf` has the steps of a person's event as they are after the failures. */
  aCtx = (change: Partial<TriggerService> = {}, jobsOf = (_: string): Job[] => [FAILED]): SendCtx => {
    const listed = (subscriberId: string) => {
      const subscriber = aSubscriber(subscriberId);
      const jobs = jobsOf(subscriberId);
      return anEvent({ id: `event-${subscriberId}`, transactionId: `txn-${subscriberId}`, subscriber, jobs });
    };
    return {
      db: this.#store().db,
      seal: createSeal('xoxb-secret'),
      serviceOf: () => ({
        clockAheadMs: () => 0,
        retrieveEvent: async () => null,
        listEvents: async () => ({ items: [], unreadable: [], hasMore: false }),
        async *eventPages({ subscriberIds = [] }) {
          yield { items: subscriberIds.map(listed), unreadable: [], hasMore: false };
        },
        triggerEvents: async (items: readonly TriggerItem[]) => {
          this.sent.push(...items.map(({ subscriberId }) => subscriberId));
          return answered('processed', items);
        },
        ...change,
      }),
      logger: silent,
      now: () => this.now,
      newId: () => 'key',
      wakeOutbox: async () => {},
    };
  };

  incidentOfAll = async (all = PEOPLE, cause = 'Key refused'): Promise<number> => {
    await recordFailures(this.#store(), NOON, failuresOf(cause, all));
    const [row] = await this.#store().db.select().from(incidents);
    return row?.id ?? 0;
  };

  command = async (incidentId: number, intent: string): Promise<ResendCommand> => {
    const broken = await brokenEvents(this.#store().db, incidentId);
    const toSend = broken.map(({ eventKey, subscriberId }) => {
      return { eventKey, subscriberId: subscriberId ?? '', workflow: 'order-shipped' };
    });
    return { intent, actor: 'U1', channel: null, incidentId, toSend, choices: resendChoices() };
  };

  /** Begins to send all of an incident again. Returns the incident. */
  begin = async (ctx: SendCtx, people = PEOPLE): Promise<number> => {
    const incidentId = await this.incidentOfAll(people);
    await startResend(ctx, await this.command(incidentId, 'first'));
    return incidentId;
  };

  /** Continues what is sent, at each of these minutes after noon. */
  proceed = async (ctx: SendCtx, ...minutes: readonly number[]): Promise<void> => {
    for (const minute of minutes) {
      this.now = at(minute);
      await continueSendings(ctx, this.signal);
    }
  };

  progress = (incidentId: number): Promise<Progress> => progressOf(this.#store().db, { id: 'first', incidentId });

  openIn = async (incidentId: number): Promise<number> =>
    (await brokenEvents(this.#store().db, incidentId)).filter(({ sentAgain }) => sentAgain === null).length;
}

export function describeResends(title: string, tests: (resends: Resends, store: () => OpenDb) => void): void {
  describeStore(title, (store) => tests(new Resends(store), store));
}
