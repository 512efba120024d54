import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Delivery } from './delivery.ts';
import { parseJson, stringIn } from './json.ts';
import { Envelopes } from './socket-mode.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each<[number, Partial<Delivery>]>([
  [2_999, { ok: true }],
  [3_000, { ok: false, ackMs: 3_000, error: 'operation_timeout' }],
])('a bot has less than 3 s to acknowledge: after %i ms', async (afterMs, delivery) => {
  const envelopes = new Envelopes(3_000);
  const ids: string[] = [];
  const bot = { send: (frame: string) => void ids.push(stringIn(parseJson(frame), 'envelope_id') ?? '') };
  const sending = envelopes.send(bot, 'slash_commands', {});
  vi.advanceTimersByTime(afterMs);
  for (const id of ids) envelopes.acknowledge(JSON.stringify({ envelope_id: id }));
  expect(await sending).toMatchObject(delivery);
});
