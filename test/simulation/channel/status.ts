import { anEnvironment } from '../../../src/domain/environment.testing.ts';
import type { Status } from '../../../src/domain/health/status.ts';
import type { Store } from '../../../src/store/store.ts';
import { reportStatus } from '../../../src/use-cases/health/report-status.ts';

/** Returns what `/notif status` and Home would say now, using the real report over the real store. */
export function statusOf(store: Store, pollMs: number, now: Date): Promise<Status> {
  return reportStatus({
    ...{ environments: [anEnvironment()], database: 'embedded', pollMs, logger: silent, now: () => now },
    store: {
      ...{ ...store.polling, ...store.incidents, ...store.deliveries, ...store.operation },
      ...{ trouble: store.trouble, disk: store.disk },
    },
    channels: { isPublic: async () => true },
    slackStatus: () => ({ isConnected: true, lastTrouble: null }),
    loadOf: () => ({ waiting: 0, waitingPeople: 0, running: 0, remaining: null }),
    running: { version: 'simulated', startedAt: now },
  });
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
