import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { act } from '../incidents/verbs.ts';
import { heard, silent } from '../lib/logger.testing.ts';
import { serve } from '../lib/serve.testing.ts';
import { at, failure, NOON, recordFailures } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { muteUntil, watchCtx } from '../watches/watches.testing.ts';
import { updateWatch } from '../watches/watches.ts';
import { aNight } from './night.testing.ts';
import { alertmanagerTrouble, createAlertmanagerLoop, forgetAlertmanager } from './pager.ts';

/** Alertmanager's OpenAPI v2: `postableAlerts`. */
const Labels = z.record(z.string().regex(/^[a-zA-Z_]\w*$/), z.string());
const times = { startsAt: z.iso.datetime(), endsAt: z.iso.datetime() };
const PostableAlerts = z.array(z.strictObject({ labels: Labels, annotations: Labels, ...times }));
const STATUS = JSON.stringify({ cluster: { status: 'ready', peers: [] }, versionInfo: { version: '0.25.0' } });

type Answer = (response: ServerResponse) => unknown;

describeStore('an Alertmanager', (store) => {
  /** Its first answers can be others'. */
  async function receiving(status = 200, others: readonly Answer[] = []) {
    const first = [...others];
    const received: z.output<typeof PostableAlerts>[] = [];
    const answer = { status };
    const requests: (string | undefined)[] = [];
    const served = await serve(async (request, response) => {
      requests.push(request.url, request.headers.authorization);
      const other = first.shift();
      if (other !== undefined) return other(response);
      if (request.method === 'GET') return response.writeHead(answer.status).end(STATUS);
      received.push(PostableAlerts.parse(JSON.parse(Buffer.concat(await request.toArray()).toString())));
      return response.writeHead(answer.status).end();
    });
    const alertmanager = { url: served.url, authorization: 'Bearer a-token', environments: ['production'] };
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
    await recordFailures(store(), NOON, [failure({ subscriberId: 'user-1', occurredAt: at(30) })]);
    using manager = await receiving();
    const open = { alertname: 'NotifIncident', environment: 'production', channel: 'email', provider: 'sendgrid' };
    const [first, ...others] = (await manager.send()) ?? [];
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      labels: { ...open, critical: 'false', acknowledged: 'false' },
      startsAt: NOON.toISOString(),
      endsAt: at(5).toISOString(),
    });
    expect(JSON.stringify(first)).not.toContain('user-1');
    expect(manager.requests).toEqual(['/api/v2/status', '/api/v2/alerts'].flatMap((path) => [path, 'Bearer a-token']));
    const id = Number(first?.labels.incident);
    const acting = { db: store().db, logger: silent, now: () => at(1), wakeAnnouncing: async () => {} };
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

  test.for([
    ['a mute of it', { mute: 1 }, 'muted'],
    ['a mute of the watch', { mute: null }, 'muted'],
    ['quiet hours', { quiet: { from: 23 * 60, to: 13 * 60 } }, 'quiet-hours'],
  ] as const)('gets an incident as held while each watch that alerted to it is held by %s', async ([, how, held]) => {
    const night = await aNight(store());
    const watch = await night.watch();
    await night.poll(night.refused(0));
    await night.watch({ filter: { ...EVERYTHING, workflows: ['another'] } }, 'C0OTHER');
    using manager = await receiving();
    expect((await manager.send())?.[0]?.labels).not.toHaveProperty('held');
    const acting = watchCtx(store().db, NOON);
    if ('quiet' in how) await updateWatch(store().db, watch.id, { settings: { ...watch.settings, quiet: how.quiet } });
    else await muteUntil(acting, watch.id, how.mute, { actor: 'U0ANN', until: at(3_600) });
    expect((await manager.send())?.[0]?.labels).toMatchObject({ incident: '1', held });
    await night.watch({}, 'C0THIRD');
    await night.poll(night.refused(1));
    expect((await manager.send())?.[0]?.labels).not.toHaveProperty('held');
  });

  const NOT_ITS_API = "its address answered 200, but not as Alertmanager's API does";
  const page = (status: number) => (response: ServerResponse) =>
    response.writeHead(status, { location: '/login' }).end('<html>Sign in</html>');
  const text = (words: string) => (response: ServerResponse) => response.end(words);
  const pour = (response: ServerResponse) => {
    while (response.write(' '.repeat(65_536)));
    response.once('drain', () => pour(response));
  };
  const noGzip = (response: ServerResponse) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(STATUS);

  test.for<[what: string, why: string, ...answers: Answer[]]>([
    ['redirects to a login page', 'its address redirects elsewhere (302)', page(302)],
    ['redirects alerts to another address', 'its address redirects elsewhere (307)', text(STATUS), page(307)],
    ['asks for a login', 'its address answered 401', page(401)],
    ['answers with a page', NOT_ITS_API, page(200)],
    ['answers alerts with a page', NOT_ITS_API, text(STATUS), page(200)],
    ['answers with nothing', NOT_ITS_API, text('')],
    ['answers alerts with 204', 'its address answered 204', text(STATUS), page(204)],
    ['answers with JSON of its own', NOT_ITS_API, text('{"status":"success"}')],
    ['answers alerts with JSON of its own', NOT_ITS_API, text(STATUS), text('{"ok":true}')],
    ['never stops answering', NOT_ITS_API, pour],
    ['breaks off', NOT_ITS_API, (response) => response.write('{', () => response.destroy())],
    ['says gzip and sends none', NOT_ITS_API, noGzip],
  ])('that %s is a trouble, and is followed nowhere', async ([, why, ...answers]) => {
    await recordFailures(store(), NOON, [failure()]);
    using manager = await receiving(200, answers);
    await manager.send();
    expect(await alertmanagerTrouble(store().db)).toEqual({ why, since: NOON });
    expect(manager.requests).toHaveLength(2 * answers.length);
  });

  test('that is away is a trouble also while nothing is open, which ends where none is configured', async () => {
    using manager = await receiving(503);
    await manager.send();
    expect(await alertmanagerTrouble(store().db)).toMatchObject({ why: 'its address answered 503' });
    await forgetAlertmanager(store().db);
    expect(await alertmanagerTrouble(store().db)).toBeNull();
  });
});
