import { ServiceError } from '../../../src/domain/errors.ts';
import { UNFILTERED } from '../../../src/domain/watches/watch.ts';
import { channelVia } from '../../../src/slack/blocks/incident/channel-name.ts';
import type { Store } from '../../../src/store/store.ts';
import { announceFailures } from '../../../src/use-cases/alerting/announce-failures.ts';
import { deliverMessages } from '../../../src/use-cases/alerting/deliver-messages.ts';
import { poll } from '../../../src/use-cases/polling/poll.ts';
import { recheckEvents } from '../../../src/use-cases/polling/recheck.ts';
import { type ChannelCheck, createChannelCheck } from '../channel/check-channel.ts';
import { createPlantedIncidents, type PlantedIncidents } from '../channel/planted-incidents.ts';
import { createPlantedMutes, type PlantedMutes } from '../channel/planted-mutes.ts';
import { headlineOf, pendingIn } from '../channel/status.ts';
import { createModelService } from '../week/model-service.ts';
import { createModelSlack, type StandingMessage } from '../week/model-slack.ts';
import type { Workflow } from '../week/week.ts';
import { type Attempt, weekOf } from './planted-week.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A scripted action of a person. */
export interface Act {
  readonly at: number;
  readonly words: string;
  run(night: Acting): Promise<void>;
}

/** What an act can use. */
export interface Acting {
  readonly store: Store;
  readonly watchId: string;
  readonly planted: PlantedIncidents;
  readonly mutes: PlantedMutes;
  readonly now: () => Date;
  /** Returns the number of the newest incident that #oncall shows for a place such as 'Email · SendGrid'. Throws if it shows none. */
  incidentAt(place: string): number;
}

export interface Night {
  readonly from: number;
  readonly to: number;
  readonly workflows: readonly Workflow[];
  readonly attempts: readonly Attempt[];
  readonly acts: readonly Act[];
  readonly slackAway: readonly { readonly from: number; readonly to: number }[];
  readonly pollMs: number;
}

/** What #oncall shows at a time: a posted message, its contents after an edit, or an act. */
export type Scene =
  | { readonly at: number; readonly act: string }
  | { readonly at: number; readonly message: StandingMessage };

export interface PlayedNight {
  readonly scenes: readonly Scene[];
  readonly check: ChannelCheck;
}

/** How often the simulation checks for due deliveries. */
const TICK_MS = 10 * SECOND;

/** Plays a night against the product's polling, announcing and delivery, on an empty store, and checks each minute what #oncall says. */
export async function playNight(night: Night, store: Store): Promise<PlayedNight> {
  const { from, to, pollMs } = night;
  const scenes: Scene[] = [];
  let now = from;
  const clock = {
    now: () => new Date(now),
    passes: (ms: number) => {
      now += ms;
    },
  };
  const isIn = (ranges: Night['slackAway'], at: number) => ranges.some((one) => at >= one.from && at < one.to);
  const mutes = createPlantedMutes();
  const planted = createPlantedIncidents(channelVia, mutes);
  const check = createChannelCheck(planted, mutes, pollMs);
  const service = createModelService(weekOf(night.attempts, night.workflows, from, to), {
    ...{ clock, requestMs: 40, requestsAWindow: 150, problemAt: () => null },
    onAnswered: planted.sees,
  });
  const slack = createModelSlack({
    ...{ clock, callMs: 150, losesOneIn: Number.POSITIVE_INFINITY, isAway: (at: number) => isIn(night.slackAway, at) },
    onShown: (message) => {
      scenes.push({ at: now, message });
      check.shown(message);
    },
  });
  const settings = { ...UNFILTERED, mention: { kind: 'user-group', id: 'S0ONCALL' } as const, summaryAt: null };
  await store.polling.takeCursor('production', new Date(from - MINUTE));
  const watch = await store.watches.makeWatch(
    { channel: 'C0ONCALL', createdBy: 'U0ANN', settings },
    new Date(from - MINUTE),
  );
  const signal = new AbortController().signal;
  const parts = { logger: silent, now: clock.now, signal };
  const reading = {
    ...parts,
    store: store.polling,
    service: { ...service, clockAheadMs: () => 0 },
    horizonMs: 72 * 60 * MINUTE,
    pollMs,
  };
  const acts = night.acts.toSorted((a, b) => a.at - b.at);
  const incidentAt = (place: string) => check.newestNumber(place);
  let checkedTo = from;
  let editableSince = from;

  for (let tick = from; tick < to; tick += TICK_MS) {
    now = Math.max(now, tick);
    if (isIn(night.slackAway, tick)) editableSince = tick + TICK_MS;
    for (let act = acts[0]; act !== undefined && act.at <= tick; act = acts[0]) {
      scenes.push({ at: now, act: act.words });
      await act.run({ store, watchId: watch.id, planted, mutes, now: clock.now, incidentAt });
      acts.shift();
    }
    if ((tick - from) % pollMs === 0) {
      await poll('production', reading).catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
      });
      checkedTo = tick;
      await recheckEvents('production', { ...reading, abortAfter: () => signal });
      planted.settles(checkedTo, now);
      await announceFailures('production', { ...parts, store: store.alerting });
    }
    await deliverMessages({ ...parts, store: store.deliveries, publisher: slack, operators: [] });
    await store.deliveries.noteDelivered(clock.now(), pollMs);
    if ((tick - from) % MINUTE === 30 * SECOND) {
      const headline = await headlineOf(store, pollMs, clock.now());
      const pending = await pendingIn(store, slack.accepted);
      const minute = { at: now, checkedTo, editableSince, isUnchecked: false, pending };
      check.minute(slack.standing.values(), headline, minute);
    }
  }
  return { scenes, check };
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
