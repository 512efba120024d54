import { expect, test } from 'vitest';
import { parseConfig } from '../config.ts';
import { silent } from '../lib/logger.testing.ts';
import { at } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { noteReplica, replicasOf } from './replicas.ts';

describeStore('Replicas', (store) => {
  test('that are configured differently are told by the variable, in the log too, until one is changed', async () => {
    const warned: unknown[] = [];
    const logger = { ...silent, warn: (fields: object) => void warned.push(fields) };
    const starts = (name: string, operators: string, minute: number) => {
      const tokens = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', PORT: `${minute}` };
      const service = { NOTIF_API_URL: 'https://api.example.com', NOTIF_API_KEY: 'key' };
      const { hashes } = parseConfig({ ...tokens, ...service, NOTIF_OPERATORS: operators });
      return noteReplica({ db: store().db, logger, now: () => at(minute) }, name, hashes);
    };
    await starts('a', 'U0ANN', 0);
    await starts('b', 'U0ANN', 1);
    expect(warned).toEqual([]);
    await starts('b', 'U0BEN', 2);
    expect(warned).toEqual([{ variables: ['NOTIF_OPERATORS'] }]);
    expect(await replicasOf(store().db, at(2))).toEqual({ count: 2, differing: ['NOTIF_OPERATORS'] });
    expect(await replicasOf(store().db, at(4))).toEqual({ count: 1, differing: [] });
    await starts('a', 'U0BEN', 2);
    expect(warned).toHaveLength(1);
  });
});
