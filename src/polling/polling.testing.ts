import { addMilliseconds } from 'date-fns';
import { beforeEach } from 'vitest';
import { explainCause } from '../causes/explain-cause.ts';
import { environmentOf } from '../coverage/environments.ts';
import { gapsIn } from '../coverage/gaps.ts';
import { ALL_FAILURES } from '../judging/filter.ts';
import { createTraffic } from '../judging/traffic.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { silent } from '../lib/logger.testing.ts';
import { eventsIn } from '../lookups/checked.ts';
import { failuresIn } from '../lookups/failures.ts';
import { aFailedEvent, anEvent, at } from '../service/event.testing.ts';
import type { Db } from '../store/db.ts';
import { keptStore } from '../store/store.testing.ts';
import { ModelService, settled } from './model-service.testing.ts';
import { readPresent } from './poll.ts';
import { readPast } from './read-past.ts';
import type { PollingCtx } from './reading.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const ALWAYS = { from: at(-1e7), to: at(1e7) };
const ALL_OF_IT = { range: ALWAYS, coverage: ALWAYS };
export const NEVER = new AbortController().signal;

let environments = 0;

/** An environment that is new before each test, and polled at a service without events. Times are seconds after noon. */
export class PolledEnvironment {
  name = '';
  now = at(0);
  service = new ModelService(() => this.now);
  readonly #store = keptStore();

  constructor() {
    beforeEach(async () => {
      // Else the next environment would go on with the coverage of one that is no longer configured.
      await this.db.write('UPDATE environments SET service_environment_id = NULL');
      environments += 1;
      this.name = `environment-${environments}`;
      this.now = at(0);
      this.service = new ModelService(() => this.now, this.name);
    });
  }

  get db(): Db {
    return this.#store().db;
  }

  ctx(change: Partial<PollingCtx> = {}): PollingCtx {
    return {
      db: this.db,
      environments: [anEnvironment({ name: this.name })],
      serviceOf: () => this.service,
      logger: silent,
      now: () => this.now,
      pollMs: MINUTE,
      horizonMs: 72 * HOUR,
      traffic: createTraffic(),
      explainCause,
      ...change,
    };
  }

  async poll(seconds: number, change?: Partial<PollingCtx>) {
    this.now = at(seconds);
    return readPresent(this.ctx(change), this.name, NEVER);
  }

  async past(seconds: number, change?: Partial<PollingCtx>) {
    this.now = at(seconds);
    return readPast(this.ctx(change), this.name, addMilliseconds(this.now, 10 * MINUTE), NEVER);
  }

  /** Polls at a minute, and then reads the past. */
  async both(minute: number, change?: Partial<PollingCtx>): Promise<void> {
    await this.poll(minutes(minute), change);
    await this.past(minutes(minute), change);
  }

  known = () => environmentOf(this.db, this.name);
  found = async () => ({
    ...(await failuresIn(this.db, this.name, ALL_OF_IT, ALL_FAILURES)),
    ...(await eventsIn(this.db, this.name, ALL_OF_IT)),
  });
  gaps = () => gapsIn(this.db, this.name, ALWAYS);
}

export const minutes = (count: number) => count * 60;
export const failsAt = (seconds: number, id = `failed ${seconds}`) =>
  settled({ ...aFailedEvent({ id }), createdAt: at(seconds) });
export const sentAt = (seconds: number, id = `sent ${seconds}`) =>
  settled({ ...anEvent({ id }), createdAt: at(seconds) });
