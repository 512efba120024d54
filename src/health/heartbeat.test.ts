import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { PagerTrouble } from '../alerts/pager.ts';
import * as tables from '../coverage/tables.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { callAddress } from '../lib/http.ts';
import { heard } from '../lib/logger.testing.ts';
import type { BehindLoop } from '../lib/loop.ts';
import { type Served, serve } from '../lib/serve.testing.ts';
import type { Backlog } from '../outbox/backlog.ts';
import { at, NOON } from '../service/event.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { heartbeatFindings } from './doctor.ts';
import { type Finding, problem } from './finding.ts';
import { aHealth } from './health.testing.ts';
import { reasonsToWithhold, sendHeartbeat } from './heartbeat.ts';
import { lastHeartbeat, noteHeartbeat } from './last-heartbeat.ts';

const QUIET: Backlog = { waiting: 0, oldest: null, oldestUnblocked: null };

interface Change {
  health?: Parameters<typeof aHealth>[0];
  backlog?: Partial<Backlog>;
  behind?: readonly BehindLoop[];
  slackTrouble?: Finding | null;
  pager?: PagerTrouble | null;
}

describe('a heartbeat is withheld', () => {
  const reasons = (change: Change, names = ['production']) => {
    const { health, backlog, behind = [], slackTrouble = null, pager = null } = change;
    const environments = names.map((name) => anEnvironment({ name }));
    const running = { behind: () => behind, slackCheck: { trouble: () => slackTrouble } };
    const ctx = { environments, ...running, pollMs: 60_000, now: () => NOON };
    return reasonsToWithhold(ctx, [aHealth(health)], { ...QUIET, ...backlog }, pager);
  };

  test("if an environment isn't polled within two intervals and a minute, or never was", () => {
    expect(reasons({ health: { lastSuccessAt: at(-180) } })).toEqual([]);
    expect(reasons({ health: { lastSuccessAt: at(-181) } })).toEqual(["production isn't checked in time"]);
    expect(reasons({ health: { lastSuccessAt: null } })).toEqual(["production isn't checked in time"]);
    expect(reasons({}, ['new'])).toEqual(["new isn't checked in time"]);
    expect(reasons({ health: { environment: 'retired', lastSuccessAt: null } }, [])).toEqual([]);
  });

  test("if an environment is checked too slowly, which isn't getting less", () => {
    const late = { checkedTo: at(-720), tooSlowSince: at(-60) };
    expect(reasons({ health: late })).toEqual(['production is checked 12 min late']);
    expect(reasons({ health: { ...late, tooSlowSince: null } })).toEqual([]);
  });

  test('if none of at least ten new events can be read', () => {
    expect(reasons({ health: { unreadableAlone: 9 } })).toEqual([]);
    expect(reasons({ health: { unreadableAlone: 10 } })).toEqual([
      'none of the 10 newest events of production can be read',
    ]);
  });

  test('while a loop is behind', () => {
    const behind = [{ name: 'announce', label: 'Alerts' }];
    expect(reasons({ behind })).toEqual(['the loop announce is behind']);
  });

  test("while a message hasn't been posted for five minutes, and while none could be", () => {
    expect(reasons({ backlog: { oldest: at(-300) } })).toEqual([]);
    expect(reasons({ backlog: { oldest: at(-301) } })).toEqual(['messages are pending']);
    const slackTrouble = problem("Slack doesn't answer.", 'Wait.');
    expect(reasons({ slackTrouble })).toEqual(["alerts can't be posted to Slack"]);
  });

  test('while the Alertmanager has got no incidents for two minutes, since Prometheus may page by the same one', () => {
    const why = 'its address answered 503';
    expect(reasons({ pager: { why, since: at(-119) } })).toEqual([]);
    expect(reasons({ pager: { why, since: at(-120) } })).toEqual([`the pager gets no incidents: ${why}`]);
  });
});

describeStore('the heartbeat', (store) => {
  let server: Served | undefined;
  afterEach(() => server?.close());

  async function aSwitch(listener: RequestListener): Promise<string> {
    server = await serve(listener);
    return `${server.url}/ping/s3cr3t?rid=s3cr3t`;
  }

  async function heartbeat(url: string, { timeoutMs = 10_000, environments = [anEnvironment()] } = {}) {
    const { logger, lines } = heard();
    const { db } = store();
    const checkedTo = at(-10);
    const coveredFrom = at(-3_600);
    await db
      .insert(tables.environments)
      .values({ environment: 'production', checkedTo, coveredFrom, lastSuccessAt: at(-10) });
    const ctx = {
      db,
      behind: () => [],
      readUnreadable: async () => [],
      slackCheck: { trouble: () => null },
      environments,
      pollMs: 60_000,
      logger,
      now: () => NOON,
    };
    const call = (stopping: AbortSignal) => callAddress(url, { stopping, timeoutMs });
    await sendHeartbeat(ctx, call, new AbortController().signal);
    return { lines: lines(), noted: await lastHeartbeat(db) };
  }

  test('calls the address unchanged, by GET', async () => {
    const requests: string[] = [];
    const url = await aSwitch((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.end('OK');
    });
    expect(await heartbeat(url)).toEqual({ lines: [], noted: { why: null, isWithheld: false, at: NOON } });
    expect(requests).toEqual(['GET /ping/s3cr3t?rid=s3cr3t']);
  });

  test('a withheld heartbeat calls nobody, and names the reasons', async () => {
    const url = await aSwitch(() => {
      throw new Error('nobody is to call');
    });
    const environments = ['a', 'b'].map((name) => anEnvironment({ name }));
    const { lines, noted } = await heartbeat(url, { environments });
    const why = "a isn't checked in time; b isn't checked in time";
    expect(noted).toEqual({ why, isWithheld: true, at: NOON });
    expect(lines).toEqual([expect.stringMatching(/^Heartbeat withheld.*b isn't checked in time/)]);
  });

  test.each<[what: string, listener: RequestListener | null, why: string, timeoutMs?: number]>([
    ['refuses it', (_, response) => response.writeHead(404).end(), 'its address answered 404'],
    ['breaks off', (request) => request.socket.destroy(), "its address can't be reached (UND_ERR_SOCKET)"],
    ['does not answer', () => {}, "its address didn't answer in time", 200],
    ['is not there', null, "its address can't be reached (ECONNREFUSED)"],
  ])('logs and notes that the switch %s, without its address', async (_, listener, why, timeoutMs = 10_000) => {
    const url = await aSwitch(listener ?? (() => {}));
    if (listener === null) server?.close();
    const { lines, noted } = await heartbeat(url, { timeoutMs });
    expect(lines).toEqual([expect.stringContaining(why)]);
    expect(noted).toEqual({ why, isWithheld: false, at: NOON });
    expect(JSON.stringify([lines, noted])).not.toMatch(/s3cr3t|127\.0\.0\.1/);
  });

  test.each<[string, minutesAgo: number | null, what: string | undefined]>([
    ['passes when it was called lately', 3, undefined],
    ['finds that it has not been called for long', 15, "The dead man's switch has not been called for 15 min."],
    ['finds that it was never called', null, "The dead man's switch has not been called for 1 h."],
  ])("doctor's look at the switch %s", async (_, minutesAgo, what) => {
    const { db } = store();
    if (minutesAgo !== null) await noteHeartbeat(db, { why: null, isWithheld: false, at: at(-60 * minutesAgo) });
    const running = { version: '1', startedAt: at(-3_600) };
    const findings = await heartbeatFindings({ db, hasHeartbeat: true, running, now: () => NOON });
    expect(findings.map((finding) => finding.what)).toEqual(what === undefined ? [] : [what]);
  });

  test.each([
    [true, "The dead man's switch isn't called: it failed.", 'Fix that'],
    [false, "The calls of the dead man's switch fail: it failed.", 'Check NOTIF_HEARTBEAT_URL against'],
  ])('doctor says what to do about a switch whose calls are withheld or fail: %s', async (isWithheld, what, next) => {
    const { db } = store();
    await noteHeartbeat(db, { why: 'it failed', isWithheld, at: NOON });
    const running = { version: '1', startedAt: at(-3_600) };
    const [finding] = await heartbeatFindings({ db, hasHeartbeat: true, running, now: () => NOON });
    expect(finding).toMatchObject({ what, next: expect.stringContaining(next) });
  });
});
