import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

/** A hundred rows, which nearly fill a field. */
const ROWS = Array.from({ length: 100 }, (_, row) => `user-${row} {"resetLink": "r"}`).join('\n');

/** A hundred events take a while on a slow machine. */
const A_HUNDRED_MS = 120_000;

describe('a form with a hundred rows', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ database: 'embedded' });
  });
  afterAll(() => world.close());

  const opens = async () => {
    await world.ann.types('/notif trigger password-reset');
    return world.ann.seesModal('Send a test');
  };

  /** Submits the form and waits for the preview. */
  const isShown = async () => {
    expect(await world.ann.submits()).toEqual([]);
    return world.ann.seesModal('Preview · 100 events');
  };
  const sent = () => world.service.requests.count('triggerEvents');
  const lastSent = () => world.service.requests.findLast(({ operation }) => operation === 'triggerEvents')?.body;
  const ALL_ROWS = { events: expect.objectContaining({ length: 100 }) };

  test('keeps them while the service is unreachable, and sends them when it is back', async () => {
    const { ann, lines } = world;
    await opens();
    await ann.fillsIn({ Subscribers: ROWS });
    await isShown();
    await lines.service.cut();
    await ann.fillsIn({ Preview: 'Yes, send' });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('Nothing was sent.');
    await lines.service.restore();
    const before = sent();
    await isShown();
    await ann.fillsIn({ Preview: 'Yes, send' });
    expect(await ann.submits()).toEqual([]);
    await ann.sees('100 of 100 done', ann.directMessages, A_HUNDRED_MS);
    expect(sent()).toBe(before + 1);
    expect(lastSent()).toMatchObject(ALL_ROWS);
    await ann.closesAll();
  });

  test('sends them once after a double click', async () => {
    const { ann } = world;
    const before = sent();
    await opens();
    await ann.fillsIn({ Subscribers: ROWS });
    await isShown();
    await ann.fillsIn({ Preview: 'Yes, send' });
    await Promise.all([ann.submits(), ann.submits()]);
    await ann.gets("This form was submitted already: it's sent only once.");
    await world.slack.workspace.until(() => sent() > before, { what: 'the request', timeoutMs: A_HUNDRED_MS });
    expect(sent()).toBe(before + 1);
    expect(lastSent()).toMatchObject(ALL_ROWS);
    await ann.closesAll();
  });
});
