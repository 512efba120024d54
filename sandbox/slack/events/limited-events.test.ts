import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Delivery } from '../delivery.ts';
import type { Json } from '../page-protocol.ts';
import { Grants } from '../state/grants.ts';
import { Events } from './events.ts';

const NOW = 1_700_000_000_000;

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Creates a bot that answers every event in the same way, and records them. */
function botThat(answers: Delivery): { readonly events: Events; readonly told: Json[] } {
  const told: Json[] = [];
  const deliver = async (_type: string, body: Json): Promise<Delivery> => {
    told.push(body);
    return answers;
  };
  const grants = new Grants([]);
  const wrap = (event: Json) => ({ event });
  const events = new Events({ subscriptions: ['app_home_opened'], grants, bot: { deliver }, now: () => NOW, wrap });
  return { events, told };
}

const tell = async (events: Events, count: number) => {
  for (let index = 0; index < count; index += 1) await events.tell({ type: 'app_home_opened' });
};

test('a bot gets 30,000 events in an hour, and then a notice of the rate limit instead', async () => {
  const { events, told } = botThat({ ok: true, ackMs: 1, response: {} });
  await tell(events, 30_003);
  expect(told).toHaveLength(30_001);
  expect(told.at(-2)).toEqual({ event: { type: 'app_home_opened' } });
  const minute_rate_limited = Math.floor(NOW / 60_000) * 60;
  expect(told.at(-1)).toMatchObject({ type: 'app_rate_limited', team_id: 'T0SANDBOX', minute_rate_limited });
});

test('a bot that accepts none of a thousand events gets no more', async () => {
  const { events, told } = botThat({ ok: false, ackMs: 1, error: 'dispatch_failed', retry: null });
  await tell(events, 1_001);
  expect(told).toHaveLength(1_000);
});
