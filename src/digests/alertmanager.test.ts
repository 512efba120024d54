import { expect, test } from 'vitest';
import { z } from 'zod';
import { act } from '../incidents/actions.ts';
import { heard, silent } from '../lib/logger.testing.ts';
import { serve } from '../lib/serve.testing.ts';
import { at, failure, NOON, recordFailures } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { alertmanagerTrouble, createAlertmanagerLoop } from './alertmanager.ts';
import { aNight } from './night.testing.ts';

/** Alertmanager's OpenAPI v2: `postableAlerts`. */
const Labels = z.record(z.string().regex(/^[a-zA-Z_]\w*$/), z.string());
const times = { startsAt: z.iso.datetime(), endsAt: z.iso.datetime() };
const PostableAlerts = z.array(z.strictObject({ labels: Labels, annotations: Labels, ...times }));

describeStore('an Alertmanager', (store) => {
  async function receiving(status = 200) {
    const received: z.output<typeof PostableAlerts>[] = [];
    const answer = { status };
    const requests: (string | undefined)[] = [];
    const served = await serve(async (request, response) => {
      requests.push(request.url, request.headers.authorization);
      received.push(PostableAlerts.parse(JSON.parse(Buffer.concat(await request.toArray()).toString())));
      response.writeHead(answer.status).end();
    });
    const alertmanager = { url: served.url, token: 'a-token', environments: ['production'] };
    const words = { summary: 'SendGrid refuses every email', nextStep: 'Replace the API key' };
    const { logger, sentences } = heard();
    const clock = { now: NOON };
    const ctx = { db: store().db, now: () => clock.now, logger, alertmanager, wordsOf: () => words };
    const run = createAlertmanagerLoop(ctx);
    const send = async () => {
      await run(new AbortController().signal);
      return received.at(-1);
    };
    return { send, clock, answer, requests, sentences, [Symbol.dispose]: served.close };
  }

  test('gets an open incident, and its end once its labels change or it is resolved', async () => {
    await recordFailures(store(), NOON, [failure({ subscriberId: 'user-1' })]);
    using manager = await receiving();
    const open = { alertname: 'NotifIncident', environment: 'production', channel: 'email', provider: 'sendgrid' };
    const [first, ...others] = (await manager.send()) ?? [];
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      labels: { ...open, critical: 'false', acknowledged: 'false' },
      endsAt: at(5).toISOString(),
    });
    expect(JSON.stringify(first)).not.toContain('user-1');
    expect(manager.requests.slice(0, 2)).toEqual(['/api/v2/alerts', 'Bearer a-token']);
    const id = Number(first?.labels.incident);
    const acting = { db: store().db, logger: silent, now: () => at(1), wakeDelivery: async () => {} };
    await act(acting, { incidentId: id }, { what: 'acknowledged' }, 'U0ANN');
    manager.clock.now = at(1);
    const acknowledged = await manager.send();
    const isOpen = (alert: { endsAt: string }) => alert.endsAt > at(1).toISOString();
    const isOpenByLabel = acknowledged?.map((alert) => `${alert.labels.acknowledged} ${isOpen(alert)}`);
    expect(isOpenByLabel).toEqual(['true true', 'false false']);
    await act(acting, { incidentId: id }, { what: 'resolved' }, 'U0ANN');
    manager.clock.now = at(2);
    expect((await manager.send())?.map(({ endsAt }) => endsAt < at(2).toISOString())).toEqual([true]);
  });

  test("gets no alert for one recipient's own trouble or a test", async () => {
    const gone = { text: '550 5.1.1 no such user', key: '550 5.1.1 no such user' };
    await recordFailures(store(), NOON, [failure({ cause: gone }), failure({ eventKey: 'event-2', isTest: true })]);
    using manager = await receiving();
    expect(await manager.send()).toBeUndefined();
  });

  test('gets trouble that may be one recipient’s own if a channel was alerted to it as an incident', async () => {
    const night = await aNight(store());
    await night.watch();
    using manager = await receiving();
    await night.poll(
      night.gone(0),
      night.refused(1, { provider: 'mailjet', cause: { text: 'policy issue', key: 'p' } }),
    );
    expect(night.alerts()).toEqual([['new #2 1', 'single #1']]);
    expect((await manager.send())?.map(({ labels }) => labels.incident)).toEqual(['2']);
  });

  test('that refuses is a trouble until it answers again, and gets what it missed', async () => {
    await recordFailures(store(), NOON, [failure()]);
    using manager = await receiving(503);
    await manager.send();
    expect(await alertmanagerTrouble(store().db)).toEqual({ why: 'its address answered 503', since: NOON });
    expect(manager.sentences()).toEqual(["Alertmanager didn't take the open incidents"]);
    manager.answer.status = 200;
    expect(await manager.send()).toHaveLength(1);
    expect(await alertmanagerTrouble(store().db)).toBeNull();
  });
});
