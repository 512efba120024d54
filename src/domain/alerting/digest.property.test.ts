import { addMinutes } from 'date-fns';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aCandidate, aWatch, minutesLater } from './alert-decision.testing.ts';
import {
  type Candidate,
  GROWTH,
  type Held,
  type IncidentTurn,
  MOST_TURNS,
  SAME_INCIDENT_MS,
} from './alert-decision.ts';
import { type PlannedRow, planDigest } from './digest.ts';

const EPISODES = [0, 1, 2];
const MINUTES_A_ROUND = 10;
/** From the sixth poll to the twelfth. */
const QUIET = { from: 13 * 60, to: 14 * 60 };

const change = fc.record({
  failures: fc.integer({ min: 0, max: 40 }),
  isMuted: fc.boolean(),
  isGone: fc.boolean(),
});
type Change = { readonly failures: number; readonly isMuted: boolean; readonly isGone: boolean };
interface Step {
  readonly changes: readonly Change[];
  readonly isAllMuted: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  changes: fc.array(change, { minLength: EPISODES.length, maxLength: EPISODES.length }),
  isAllMuted: fc.boolean(),
});
const CALM: Step = {
  changes: EPISODES.map(() => ({ failures: 0, isMuted: false, isGone: false, relapses: 0, wasCritical: false })),
  isAllMuted: false,
};

test('alerts to every episode, never without a reason, to an incident once in half an hour, and never during silence', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.integer({ min: 0, max: 30 }), (steps, everyMinutes) => {
      const memory = new Memory(everyMinutes * 60_000);
      for (const [index, step] of [...steps, ...Array.from({ length: 12 }, () => CALM)].entries())
        memory.announcing(step, index);
      for (const episode of memory.episodes) {
        expect(episode).toMatchObject({ held: null, missed: 0 });
        expect(episode.failures === 0 || episode.lastAlert?.isGone === false).toBe(true);
      }
    }),
  );
});

interface Known {
  failures: number;
  lastAlert: Candidate['lastAlert'];
  incidentTurns: readonly IncidentTurn[];
  held: Held | null;
  isMuted: boolean;
  missed: number;
  isFresh: boolean;
}

class Memory {
  readonly episodes = EPISODES.map(
    (): Known => ({
      failures: 0,
      lastAlert: null,
      incidentTurns: [],
      held: null,
      isMuted: false,
      missed: 0,
      isFresh: false,
    }),
  );
  readonly #everyMs: number;
  #lastAlertAt: Date | null = null;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  announcing({ changes, isAllMuted }: Step, index: number): void {
    const now = minutesLater(index * MINUTES_A_ROUND);
    this.#each(changes, (episode, change) => happen(episode, change, isAllMuted));
    const { message, held } = planDigest(
      {
        watch: aWatch({ quiet: QUIET, everyMs: this.#everyMs }),
        candidates: this.episodes.flatMap((episode, episodeId) => candidateOf(episode, episodeId, now)),
        lastAlertAt: this.#lastAlertAt,
        mute: isAllMuted ? { by: 'U1', from: now, until: minutesLater(index * MINUTES_A_ROUND + 1) } : null,
      },
      now,
    );
    for (const [id, episode] of this.episodes.entries()) {
      const why = held.find(({ episodeId }) => episodeId === id)?.why;
      episode.held = why ? { why, since: now } : null;
    }
    if (message === null) return;
    expect(isAllMuted || (index >= 6 && index < 12)).toBe(false);
    if (this.#lastAlertAt) expect(now.getTime() - this.#lastAlertAt.getTime()).toBeGreaterThanOrEqual(this.#everyMs);
    this.#lastAlertAt = now;
    this.#each(
      message.rows,
      (episode, row) => tell(episode, row, now),
      message.rows.map((row) => row.episodeId),
    );
  }

  #each<Item>(
    items: readonly Item[],
    visit: (episode: Known, item: Item) => void,
    ids: readonly number[] = EPISODES,
  ): void {
    for (const [index, item] of items.entries()) {
      const episode = this.episodes[ids[index] ?? -1];
      if (episode) visit(episode, item);
    }
  }
}

function happen(episode: Known, { failures, isMuted, isGone }: Change, isAllMuted: boolean): void {
  episode.failures += failures;
  episode.isFresh = failures > 0;
  episode.isMuted = isMuted;
  if (isMuted || isAllMuted) episode.missed += failures;
  if (failures > 0 && isGone && episode.lastAlert) {
    episode.lastAlert = { ...episode.lastAlert, isGone: true, relapses: 0, wasCritical: false };
    episode.incidentTurns = episode.incidentTurns.map((turn) => ({ ...turn, isDeleted: true }));
  }
}

function candidateOf(episode: Known, episodeId: number, now: Date): Candidate[] {
  const { failures, lastAlert, incidentTurns, held, isMuted, missed } = episode;
  if (!episode.isFresh && held === null) return [];
  const mutedUntil = isMuted ? addMinutes(now, 1) : null;
  return [
    aCandidate({ episodeId, failures, lastAlert, incidentTurns, held, mutedUntil, missed: isMuted ? 0 : missed }),
  ];
}

function tell(episode: Known, { reason, missed }: PlannedRow, now: Date): void {
  expect(episode.isMuted).toBe(false);
  const lately = episode.incidentTurns.filter(({ at }) => now.getTime() - at.getTime() < SAME_INCIDENT_MS);
  expect(lately.filter(({ isDeleted }) => !isDeleted)).toEqual([]);
  expect(lately.length).toBeLessThan(MOST_TURNS);
  if (reason === 'new') expect(episode.lastAlert).toBeNull();
  if (reason === 'goes-on') expect(episode.lastAlert?.isGone).toBe(true);
  if (reason === 'grown') expect(episode.failures).toBeGreaterThanOrEqual(GROWTH * (episode.lastAlert?.failures ?? 0));
  expect(missed ?? 0).toBe(episode.missed);
  Object.assign(episode, {
    lastAlert: { failures: episode.failures, isGone: false, relapses: 0, wasCritical: false },
    missed: 0,
  });
  episode.incidentTurns = [...episode.incidentTurns, { at: now, isDeleted: false }];
}
