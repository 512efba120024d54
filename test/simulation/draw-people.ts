import type { Random } from '../../sandbox/service/random.ts';
import { EVERYTHING, USUAL_SETTINGS, type WatchSettings } from '../../src/watches/settings.ts';
import { livelyTimes, mistakeAt } from './draw-incidents.ts';
import type { Stretch } from './facts.ts';
import { RENAMED, START, type StoryAct, type StoryWatch } from './story.ts';
import { HOUR, MINUTE, SECOND } from './virtual-time.ts';
import type { World } from './world.ts';

export function drawWatches(world: World, range: Stretch): StoryWatch[] {
  const random = world.random('watches');
  const share = world.size === 'brief' ? 0.25 : 0.4;
  const watch = (channel: string, filter: Partial<WatchSettings['filter']>): StoryWatch => {
    const settings = { ...USUAL_SETTINGS, filter: { ...EVERYTHING, ...filter }, summaryAt: null };
    const drawn = world.has('watch-settings') ? drawSettings(random, settings, range) : settings;
    return {
      channel,
      settings: world.has('mentions') ? { ...drawn, ...drawMention(world.random(`mention ${channel}`)) } : drawn,
    };
  };
  const some = [
    watch('C0MAIL', { channels: ['email'] }),
    watch('C0CODES', { workflows: ['login-code', 'new-message'] }),
    watch('C0NOTHING', { workflows: ['no-such-workflow'] }),
  ];
  const covered = world.has('watch-settings') ? [watch('C0ALL', { channels: ['sms'] })] : [];
  const later = [
    ...(world.has('labels-later') ? [watch('C0TAGGED', { tags: ['late'] })] : []),
    ...(world.has('renamed-workflows') ? [watch('C0NAMED', { workflows: [RENAMED] })] : []),
  ];
  return [watch('C0ALL', {}), ...covered, ...later, ...some.filter(() => random.chance(share))];
}

function drawMention(random: Random): Pick<WatchSettings, 'mention' | 'escalateMs' | 'hasThread'> {
  const mention = random.pick([
    { kind: 'person', id: 'U0EVE' },
    { kind: 'user-group', id: 'S0ONCALL' },
  ] as const);
  return {
    mention,
    escalateMs: random.pick([5, 5, 10] as const) * MINUTE,
    hasThread: random.chance(0.8),
  };
}

/** Returns the settings with other values of what holds alerts back. */
function drawSettings(random: Random, settings: WatchSettings, { to }: Stretch): WatchSettings {
  const midnight = Date.parse('2026-03-23');
  const begins = Math.floor((random.between(START, to) - midnight) / MINUTE);
  // In minutes of the day.
  const quiet = { from: begins % 1440, to: (begins + random.between(10, 60)) % 1440 };
  const withinMs = random.pick([5, 15, 60] as const) * MINUTE;
  const threshold = { failures: random.between(2, 5), withinMs, rate: random.pick([null, 0.1, 0.5] as const) };
  return {
    ...settings,
    threshold: random.chance(0.4) ? threshold : null,
    everyMs: random.pick([0, 0, 10, 60, 1440] as const) * MINUTE,
    quiet: random.chance(0.3) ? quiet : null,
    hasAllClear: random.chance(0.5),
  };
}

/** Draws what people do to incidents and watches, in no order. */
export function drawActs(world: World, range: Stretch, pollMs: number): StoryAct[] {
  const { to: calmFrom } = range;
  const random = world.random('acts');
  const times = (count: number) => Array.from({ length: count }, () => random.between(START + 2 * pollMs, calmFrom));
  const people = world.has('people') ? times(random.between(2, 6)) : [];
  const mutedAt = mistakeAt(world, pollMs);
  const drawnEdits = world.has('watches-edited') ? times(random.between(1, 4)) : [];
  const edits = drawnEdits.filter((at) => mutedAt === null || at > mutedAt + MISTAKE_POLLS * pollMs);
  const resends = world.has('sending-again') ? times(random.between(1, 3)) : [];
  const usual = { ...USUAL_SETTINGS, summaryAt: null };
  const coveringNothing = { workflows: ['no-such-workflow'] };
  const filters = [
    {},
    ...[coveringNothing, coveringNothing],
    { channels: ['email', 'sms'] },
    { workflows: ['login-code'] },
  ] as const;
  const mistaken = { ...usual, filter: { ...EVERYTHING, ...coveringNothing } };
  return [
    ...people.map((at) => drawAct(random, at, 2 * pollMs)),
    ...(world.has('people') ? drawTimely(world, range, pollMs) : []),
    ...edits.map((at): StoryAct => {
      const settings = { ...usual, filter: { ...EVERYTHING, ...random.pick(filters) } };
      return {
        at,
        place: random.next(),
        about: null,
        actor: 'U0ANN',
        does: 'edits',
        undoneAt: random.chance(0.5) ? at + random.between(1, 12) * MINUTE : null,
        settings: drawSettings(random, settings, range),
      };
    }),
    ...(mutedAt === null ? [] : drawMistake(mutedAt, pollMs, mistaken)),
    ...resends.flatMap((at) => {
      const resend = { at, ...drawTarget(random), does: 'sends-again' } as const;
      return [
        { ...resend, actor: 'U0ANN' },
        { ...resend, actor: 'U0BEN' },
      ];
    }),
  ];
}

/** Draws what somebody does to incidents. A mute takes `leastMs`, and up to two hours more. */
export function drawAct(random: Random, at: number, leastMs: number): StoryAct {
  const [what, actor] = [random.pick(DONE_TO_INCIDENTS), random.pick(['U0ANN', 'U0BEN'] as const)];
  const until = random.chance(0.8) ? at + leastMs + random.between(0, random.pick([20, 120])) * MINUTE : null;
  const target = drawTarget(random);
  return random.chance(0.65)
    ? { at, ...target, actor, does: 'acts', what }
    : { at, ...target, actor, does: 'mutes', isWhole: random.chance(0.4), until };
}

/** Most acts are about what goes on for long, or comes back. */
function drawTarget(random: Random): Pick<StoryAct, 'place' | 'about'> {
  const place = random.next();
  return { place, about: place < 0.4 ? 'lively' : place < 0.7 ? 'coming back' : null };
}

/** An act that stands here several times is drawn so much more often. */
const DONE_TO_INCIDENTS = [
  ...(['acknowledged', 'acknowledged', 'unacknowledged'] as const),
  ...(['resolved', 'resolved', 'reopened'] as const),
  ...(['followed', 'followed', 'followed', 'unfollowed'] as const),
  'assigned',
] as const;

/** How long a mute lasts in which somebody edits its watch by mistake. */
const MISTAKE_POLLS = 4;

/** Somebody edits a muted watch by mistake, and undoes that before the mute ends: what failed meanwhile is owed. */
function drawMistake(at: number, pollMs: number, settings: WatchSettings): StoryAct[] {
  const after = (polls: number) => at + polls * pollMs;
  const common = { place: 0, about: null, actor: 'U0ANN' } as const;
  return [
    { ...common, at, does: 'mutes', isWhole: true, until: after(MISTAKE_POLLS) },
    { ...common, at: after(1.5), does: 'edits', settings, undoneAt: after(3) },
  ];
}

/** Somebody takes the incident `lively` before it gets worse, and somebody mutes `coming back` for longer than it lasts. */
function drawTimely(world: World, range: Stretch, pollMs: number): StoryAct[] {
  const random = world.random('timely acts');
  const { beginsAt } = livelyTimes(world, range, pollMs);
  // At the first poll after its first failure.
  const toldAt = START + Math.ceil((beginsAt + SECOND - START) / pollMs) * pollMs;
  const taken = { at: toldAt + 0.3 * pollMs, place: 0, about: 'lively', actor: 'U0BEN' };
  const mutedAt = START + 1.3 * pollMs;
  const muted = { at: mutedAt, place: 0, about: 'coming back', actor: 'U0ANN' };
  return [
    ...(random.chance(0.5) ? [{ ...taken, does: 'acts', what: 'acknowledged' } as const] : []),
    ...(random.chance(0.5) ? [{ ...muted, does: 'mutes', isWhole: false, until: mutedAt + 2 * HOUR } as const] : []),
  ];
}
