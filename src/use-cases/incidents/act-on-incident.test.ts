import { describe, expect, test } from 'vitest';
import type { TargetNow } from '../../domain/incidents/incident-actions.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import type { Logger } from '../../domain/logger.ts';
import { at } from '../../domain/service/event.testing.ts';
import { UNFILTERED, type Watch } from '../../domain/watches/watch.ts';
import type { ZoneParts } from '../ports/workspace.ts';
import { type AcknowledgingStore, acknowledgeIncident, unacknowledgeIncident } from './acknowledge-incident.ts';
import type { ActParts } from './act-on-incident.ts';
import { muteInChannel } from './mute-in-channel.ts';
import { type MutingStore, muteInWatch, unmuteInWatch } from './mute-in-watch.ts';
import { type ResolvingStore, resolveIncident } from './resolve-incident.ts';

const TARGET = { messageId: 'digest-1', episodeId: 1 };
const ANN = 'U0ANN';
const OWN = { of: ANN, by: ANN };
const NOW = at(60);

describe('acknowledging', () => {
  test('redraws everybody’s messages and logs it', async () => {
    const { parts, woken, logged } = acting({});
    expect(await acknowledgeIncident(TARGET, ANN, parts)).toEqual({ is: 'done', acknowledged: { by: ANN, at: NOW } });
    expect(woken()).toBe(1);
    expect(logged).toEqual(['incident acknowledged']);
  });

  test('changes nothing for the second person', async () => {
    const first = { by: 'U0BEN', at: at(57) };
    const { parts, woken, logged } = acting({ acknowledge: async () => ({ isFirst: false, acknowledged: first }) });
    expect(await acknowledgeIncident(TARGET, ANN, parts)).toEqual({ is: 'already', acknowledged: first });
    expect([woken(), logged]).toEqual([0, []]);
  });

  test.each([
    ['that had no failure for a day', { hasEnded: true }],
    ['that has begun again', { newest: episode({ episodeId: 2 }) }],
    ['that has recovered', { episode: episode({ state: { is: 'resolved', at: at(0), by: null } }) }],
  ] as const)('is too late for an episode %s', async (_, change) => {
    const { parts, woken } = acting({ actedOn: async () => actedOn(change) });
    expect(await acknowledgeIncident(TARGET, ANN, parts)).toEqual({ is: 'over', on: actedOn(change) });
    expect(await unacknowledgeIncident(TARGET, OWN, parts)).toMatchObject({ is: 'over' });
    expect(woken()).toBe(0);
  });

  test("finds nothing if the episode isn't kept anymore", async () => {
    const { parts } = acting({ actedOn: async () => null });
    expect(await acknowledgeIncident(TARGET, ANN, parts)).toEqual({ is: 'forgotten' });
  });

  test('can be undone once', async () => {
    const taken = acting({});
    expect(await unacknowledgeIncident(TARGET, OWN, taken.parts)).toMatchObject({ is: 'done' });
    expect([taken.woken(), taken.logged]).toEqual([1, ['incident unacknowledged']]);
    const late = acting({ unacknowledge: async () => ({ is: 'already', unacknowledged: { by: ANN, at: NOW } }) });
    expect(await unacknowledgeIncident(TARGET, OWN, late.parts)).toEqual({
      is: 'already',
      unacknowledged: { by: ANN, at: NOW },
    });
    expect(late.woken()).toBe(0);
  });
});

describe('resolving', () => {
  test('is done once, and redraws everybody’s messages', async () => {
    const { parts, woken, logged } = acting({});
    expect(await resolveIncident(TARGET, ANN, parts)).toEqual({ is: 'done' });
    expect([woken(), logged]).toEqual([1, ['incident resolved']]);
    const late = acting({ resolve: async () => ({ isFirst: false, by: 'U0BEN' }) });
    expect(await resolveIncident(TARGET, ANN, late.parts)).toEqual({ is: 'already', by: 'U0BEN' });
    expect(late.woken()).toBe(0);
  });

  test('is too late for an episode after which the incident came back', async () => {
    const on = actedOn({ newest: episode({ episodeId: 2 }), cameBack: true });
    const { parts, woken } = acting({ actedOn: async () => on, resolve: async () => 'came-back' });
    expect(await resolveIncident(TARGET, ANN, parts)).toEqual({ is: 'over', on });
    expect(woken()).toBe(0);
  });
});

describe('muting', () => {
  test('ends at a time, in the watch of the message', async () => {
    const { parts, woken, logged } = acting({});
    const mute = { by: ANN, from: NOW, until: at(60 + 3_600), isRepeat: false };
    expect(await muteInWatch(TARGET, '1h', ANN, parts)).toEqual({ is: 'muted', mute });
    expect([woken(), logged]).toEqual([1, ['incident muted']]);
  });

  test("lasts until the morning of the person who mutes, or the watch's if Slack gives no time zone for them", async () => {
    const until = async (timeZone: string | null) => {
      const { parts } = acting({});
      const workspace = { person: async () => ({ timeZone }) };
      const muted = await muteInWatch(TARGET, 'morning', ANN, { ...parts, workspace });
      return muted.is === 'muted' ? muted.mute.until.toISOString().slice(11, 16) : muted.is;
    };
    expect([await until('Asia/Tokyo'), await until(null)]).toEqual(['00:00', '09:00']);
  });

  test("by a command ends by the same person's clock, or the watch's", async () => {
    const until = async (timeZone: string | null) => {
      const { parts } = acting({});
      const store = { ...parts.store, watches: async () => [WATCH] };
      const workspace = { person: async () => ({ timeZone }) };
      const end = { end: 'at', minutes: 14 * 60 } as const;
      const muted = await muteInChannel(1, 'C0ONCALL', { end, by: ANN }, { ...parts, store, workspace });
      return muted.map(({ mute }) => mute.until.toISOString().slice(11, 16));
    };
    expect([await until('Asia/Tokyo'), await until(null)]).toEqual([['05:00'], ['14:00']]);
  });

  test('by a command ends at once in all watches, however long storing each takes', async () => {
    const { parts } = acting({});
    const store = { ...parts.store, watches: async () => [WATCH, { ...WATCH, id: 'watch-2' }] };
    let seconds = 0;
    const end = { end: 'after', ms: 3_600_000 } as const;
    const own = { ...parts, store, now: () => at(seconds++) };
    const muted = await muteInChannel(1, 'C0ONCALL', { end, by: ANN }, own);
    expect(muted).toHaveLength(2);
    expect(new Set(muted.map(({ mute }) => mute.until.getTime())).size).toBe(1);
  });

  test('also covers the future: a recovered incident can be muted', async () => {
    const over = actedOn({ hasEnded: true });
    const { parts } = acting({ actedOn: async () => over });
    expect(await muteInWatch(TARGET, '1h', ANN, parts)).toMatchObject({ is: 'muted' });
  });

  test("requires a watch that hasn't ended", async () => {
    const ended = acting({ actedOn: async () => actedOn({ watch: null }) });
    expect(await muteInWatch(TARGET, '1h', ANN, ended.parts)).toEqual({ is: 'watch-ended' });
    expect(await unmuteInWatch(TARGET, ANN, ended.parts)).toEqual({ is: 'watch-ended' });
    const meanwhile = acting({ mute: async () => null });
    expect(await muteInWatch(TARGET, '1h', ANN, meanwhile.parts)).toEqual({ is: 'watch-ended' });
  });

  test('can be ended by anybody, once', async () => {
    const { parts, logged } = acting({});
    expect(await unmuteInWatch(TARGET, ANN, parts)).toEqual({ is: 'unmuted' });
    expect(logged).toEqual(['incident unmuted']);
    expect(await unmuteInWatch(TARGET, ANN, acting({ unmute: async () => false }).parts)).toEqual({
      is: 'was-not-muted',
    });
  });
});

type Store = AcknowledgingStore & ResolvingStore & MutingStore;

function acting(change: Partial<Store>) {
  const logged: string[] = [];
  let wakes = 0;
  const ignore = () => {};
  const logger: Logger = {
    debug: ignore,
    warn: ignore,
    error: ignore,
    info: (_, sentence) => void logged.push(sentence),
  };
  const store: Store = {
    actedOn: async () => actedOn(),
    acknowledge: async (_, by, now) => ({ isFirst: true, acknowledged: { by, at: now } }),
    unacknowledge: async () => ({ is: 'done', acknowledged: { by: ANN, at: at(0) } }),
    resolve: async (_, by) => ({ isFirst: true, by }),
    mute: async (_watch, _group, { by, until }, now) => ({ by, from: now, until, isRepeat: false }),
    unmute: async () => true,
    ...change,
  };
  const wakeDelivery = async () => {
    wakes += 1;
  };
  const workspace = { person: async () => ({ timeZone: null }) };
  const parts: ActParts<Store> & ZoneParts = { store, workspace, logger, now: () => NOW, wakeDelivery };
  return { parts, logged, woken: () => wakes };
}

function actedOn(change: Partial<TargetNow> = {}): TargetNow {
  return { episode: episode(), newest: episode(), hasEnded: false, cameBack: false, watch: WATCH, ...change };
}

const WATCH: Watch = {
  id: 'watch-1',
  channel: 'C0ONCALL',
  number: 1,
  createdAt: at(0),
  createdBy: ANN,
  settings: UNFILTERED,
};

function episode(change: Partial<IncidentNow> = {}): IncidentNow {
  return {
    episodeId: 1,
    asOf: at(0),
    tally: {
      group: {
        key: '00000000000000aa',
        environment: 'production',
        workflow: 'order-shipped',
        workflowName: null,
        channel: 'email',
        provider: null,
        cause: { text: 'Mailbox full', key: 'mailbox full' },
        announcement: 'announced',
        isTest: false,
      },
      verdict: 'failed',
      failures: 1,
      subscribers: 1,
      events: 1,
      firstSeen: at(0),
      lastSeen: at(0),
      severity: null,
      critical: false,
      example: { eventId: null, transactionId: 'txn_1', subscriberId: null },
    },
    outageSince: at(0),
    parts: [],
    moreParts: 0,
    shared: null,
    changedBefore: null,
    lately: { window: { from: at(0), to: at(0) }, failures: 1, attempts: 1, lastSuccessAt: null, trend: [] },
    relapses: 0,
    state: { is: 'firing' },
    acknowledged: null,
    unacknowledged: null,
    assigned: null,
    mute: null,
    note: null,
    lastTime: null,
    ...change,
  };
}
