import { z } from 'zod';
import { anEnvironment } from '../../../src/domain/environment.testing.ts';
import { statusHeadline } from '../../../src/domain/health/headline.ts';
import { headlineWords } from '../../../src/slack/blocks/words/headline-words.ts';
import type { Store } from '../../../src/store/store.ts';
import { reportStatus } from '../../../src/use-cases/health/report-status.ts';

const ENVIRONMENTS = [anEnvironment()];

/** Returns the first line of `/notif status` and Home as of now, using the real report over the real store. */
export async function headlineOf(store: Store, pollMs: number, now: Date): Promise<string> {
  const status = await reportStatus({
    ...{ environments: ENVIRONMENTS, database: 'embedded', pollMs, logger: silent, now: () => now },
    store: {
      ...{ ...store.polling, ...store.incidents, ...store.deliveries, ...store.operation },
      ...{ trouble: store.trouble, disk: store.disk },
    },
    channels: { isPublic: async () => true },
    slackStatus: () => ({ isConnected: true, lastTrouble: null }),
    loadOf: () => ({ waiting: 0, waitingPeople: 0, running: 0, remaining: null }),
    running: { version: 'simulated', startedAt: now },
  });
  return `${headlineWords(statusHeadline(status), ENVIRONMENTS)}`;
}

const IdRow = z.object({ id: z.string() });

/** Returns the number of messages that were written and that Slack hasn't accepted, as far as Notif knows. */
export async function pendingIn(store: Store, accepted: ReadonlySet<string>): Promise<number> {
  const { rows } = await store.executeSql("SELECT id FROM messages WHERE state <> 'gone'");
  return rows.filter((row) => !accepted.has(IdRow.parse(row).id)).length;
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
