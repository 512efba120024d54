import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Preview } from '../../../alerts/preview.ts';
import { storableId } from '../../../judging/filter.ts';
import { filtersOf, parseWatchSettings } from '../../../watches/parse-settings.ts';
import type { MuteTarget } from '../../../watches/set-mutes.ts';
import { EVERYTHING, USUAL_SETTINGS, type Watch, type WatchSettings } from '../../../watches/settings.ts';
import { aWatch } from '../../../watches/watch.testing.ts';
import { writeValue } from '../../kit/button-values.ts';
import { RUN } from '../../kit/buttons.ts';
import { mrkdwn } from '../../kit/text.ts';
import {
  at,
  buttonsOf,
  buttonValue,
  expectFit,
  HOSTILE,
  NOON,
  PRODUCTION,
  STAGING,
  wordsOf,
} from '../../slack.testing.ts';
import * as messages from './messages.ts';
import { previewLine, previewMessage } from './preview-message.ts';

const EVERYTHING_MUTED: MuteTarget = { incidentId: null, provider: null, workflow: null };

const environments = [PRODUCTION, STAGING];

function watchWith(settings: Partial<WatchSettings> = {}, change: Partial<Watch> = {}): Watch {
  return aWatch({ settings: { ...USUAL_SETTINGS, timeZone: 'Europe/Berlin', ...settings }, ...change });
}

const made = (watch: Watch) => messages.watchMessage(mrkdwn`A watch was created`, watch, environments, null);

/** As many names as a filter accepts, each as hostile as possible. */
const names = Array.from({ length: 20 }, (_, index) => `${index} ${HOSTILE}`.slice(0, 100));
const WORST: Partial<WatchSettings> = {
  filter: {
    ...EVERYTHING,
    workflows: names,
    channels: names,
    providers: names,
    subscribers: names,
    severities: names,
    topics: names,
    contexts: names,
    tags: names,
  },
  threshold: { failures: 100_000, withinMs: 86_400_000, rate: 0.0001 },
  mention: { kind: 'user-group', id: 'S0ONCALL' },
  quiet: { from: 1320, to: 420 },
};

describe('the messages to a channel about its watches', () => {
  test('describe all settings in words', () => {
    const settings: Partial<WatchSettings> = {
      filter: { ...EVERYTHING, workflows: ['order-shipped'], channels: ['in_app'], environments: ['staging'] },
      threshold: { failures: 5, withinMs: 600_000, rate: 0.05 },
      everyMs: 900_000,
      quiet: { from: 22 * 60, to: 7 * 60 },
      summaryAt: null,
    };
    const message = made(watchWith(settings));
    expect(wordsOf(message).split('\n').slice(0, 3)).toEqual([
      'A watch was created',
      'Only workflow order-shipped, channel in_app, environment staging',
      'after 5 failures and a failure rate of 5% per workflow in 10 min · at least 15 min between alerts · quiet 22:00 – 07:00 · no summary · times in Europe/Berlin',
    ]);
    expect(buttonsOf(message)).toEqual(['Edit', 'Remove']);
    expect(wordsOf(message)).not.toContain('Alertmanager');
    expect(wordsOf(made(watchWith({ escalateMs: 600_000 })))).toContain('Calls come from an Alertmanager');
  });

  test('fit, whatever the names', () => {
    const watch = watchWith(WORST);
    expectFit(made(watch));
    expectFit(messages.endedMessage(watch, 'U0BEN', environments));
    expectFit(
      messages.mutedMessage(
        { watches: [watch], target: EVERYTHING_MUTED, from: NOON, to: NOON, isPlanned: false },
        'U0BEN',
      ),
    );
  });
});

describe('the list of watches', () => {
  const listed = (count: number, settings: Partial<WatchSettings>) =>
    Array.from({ length: count }, (_, index) => ({
      watch: watchWith(settings, { id: `watch-${index}`, number: 2 * index + 1 }),
      mutes: [],
    }));

  test('says how to list the rest if not all fit', () => {
    const message = messages.watchesMessage(listed(20, WORST), { environments, now: NOON, total: 20, lost: [] });
    expectFit(message);
    const shown = buttonsOf(message).filter((label) => label === 'Edit').length;
    expect(wordsOf(message)).toContain(`More: /notif watches ${2 * shown + 1}`);
  });

  test('says what keeps a watch from sending alerts', () => {
    const [one] = listed(1, { quiet: { from: 12 * 60, to: 14 * 60 }, timeZone: 'UTC' });
    const mute = { ...EVERYTHING_MUTED, mutedBy: 'U0BEN', beginsAt: NOON, until: at(3_600) };
    const mutes = [mute, { ...mute, incidentId: 17 }];
    const words = (change: object) =>
      wordsOf(
        messages.watchesMessage(one ? [{ ...one, ...change }] : [], { environments, now: NOON, total: 20, lost: [] }),
      );
    expect(words({})).toContain('🌙 quiet until 14:00');
    expect(words({ mutes })).toContain('🔕 muted by <@U0BEN> until');
    expect(words({ mutes })).toContain('🔕 1 incident muted');
  });

  test('has a button that unmutes the whole watch, where it is muted now or later, and leaves a part to its command', () => {
    const times = { beginsAt: at(60), until: at(3_600), madeAt: NOON };
    const planned = { id: 'mute-1', watchId: 'w', ...EVERYTHING_MUTED, outbreak: null, mutedBy: 'U0BEN', ...times };
    const drawn = (mute: typeof planned) =>
      messages.watchesMessage([{ watch: aWatch(), mutes: [mute] }], { environments, now: NOON, total: 1, lost: [] });
    expect(buttonsOf(drawn(planned))).toContain('Unmute');
    const part = drawn({ ...planned, provider: 'twilio' });
    expect(buttonsOf(part)).toContain('Mute 1 h');
    expect(wordsOf(part)).toContain('/notif unmute provider:twilio');
  });

  test('has no Remove button for the configured watch', () => {
    const watch = watchWith({}, { createdBy: null });
    const message = messages.watchesMessage([{ watch, mutes: [] }], { environments, now: NOON, total: 20, lost: [] });
    expect(buttonsOf(message)).toEqual(['Edit', 'Mute 1 h']);
  });
});

test('a watch with unknown names fits in a message whatever its names, and says what to do where a button has no room for them', () => {
  const worst = names.map((name) => ({ kind: 'workflows' as const, name, similar: null }));
  const message = messages.unconfirmedMessage(
    {
      is: 'unconfirmed',
      unknown: worst,
      isShared: true,
      settings: watchWith(WORST).settings,
      addresses: [{ email: 'anna@example.com', subscriberIds: names.map((name) => `${name}${HOSTILE}`), misfits: [] }],
    },
    null,
  );
  expect(buttonsOf(message)).toEqual([]);
  expect(wordsOf(message)).toContain('create it with fewer values');
  expectFit(message);
});

test.each([
  [['w1'], messages.UNMUTE, 'w1'],
  [['w1', 'w2'], RUN, 'unmute'],
])('a mute of watches %j has a button that ends it', (ids, action, value) => {
  const muted = {
    watches: ids.map((id) => ({ ...aWatch(), id })),
    target: EVERYTHING_MUTED,
    from: NOON,
    to: at(7_200),
    isPlanned: false,
  };
  expect(buttonValue(messages.mutedMessage(muted, 'U0ANN'), action)).toBe(writeValue([value]));
});

const WEEK = { from: at(-7 * 86_400), to: NOON };

type Previewed = Preview['incidents'][number];

const incident = (change: Partial<Previewed> = {}): Previewed => ({
  id: 7,
  channel: 'email',
  provider: 'sendgrid',
  cause: 'key expired',
  failures: 48,
  firstAt: at(-3_600),
  code: '1f2e3d4c',
  ...change,
});

function aPreview(change: Partial<Preview> = {}): Preview {
  const incidents = [7, 6, 5].map((id) => incident({ id }));
  const messages = [{ at: at(-3_600), environment: 'production', rings: true, incidents: [7, 6] }];
  return { range: WEEK, incidents, messages, belowThreshold: 1, hasMention: true, ...change };
}

test('the preview counts the incidents, and those below the threshold', () => {
  expect(`${previewLine(aPreview())}`).toBe(
    '🔮 It would have alerted to 3 incidents in the last 7 days, in 1 message, 1 with the mention; 1 incident stayed below its threshold.',
  );
  expect(`${previewLine(aPreview({ incidents: [], messages: [], belowThreshold: 0 }))}`).toBe(
    '🔮 It would have alerted to nothing in the last 7 days.',
  );
  expect(`${previewLine(aPreview({ range: { from: at(-3_600), to: NOON } }))}`).toMatch(/ 3 incidents since <!date/);
  expect(`${previewLine(aPreview({ hasMention: false }))}`).toContain(', in 1 message; 1 incident');
});

test('the preview lists the incidents, and fits however many there are', () => {
  const words = wordsOf(previewMessage(aPreview()));
  expect(words).toContain('#7 Email · SendGrid: key expired | 🔔 2026-03-04 11:00 UTC | 48 | ');
  const many = Array.from({ length: 400 }, () => incident({ provider: HOSTILE, cause: HOSTILE.repeat(9) }));
  const long = previewMessage(aPreview({ incidents: many }));
  expectFit(long);
  expect(wordsOf(long)).toMatch(/^\d+ of 400 incidents$/m);
  expect(wordsOf(previewMessage(aPreview({ hasMention: false })))).not.toContain('🔔');
});

const DEFAULTS = { environments: [PRODUCTION, STAGING], timeZone: 'Asia/Tokyo' };

/** Names that a command would change or refuse, as people can type them in a form. */
const NAMES = ['Say “hi”', 'a `b`', 'it’s', 'order–shipped', 'a&amp;b', '<@U1|ann>', 'a, b', 'a|b%7C', 'env:', HOSTILE];

const name = fc
  .oneof(fc.constantFrom(...NAMES), fc.string({ unit: 'grapheme' }))
  .map((text) => text.replaceAll('"', '').slice(0, 100).trim())
  .filter((text) => text !== '');
const someNames = fc.uniqueArray(name, { maxLength: 5 });

function settingsWith(workflows: readonly string[], topics: readonly string[]): WatchSettings {
  const quiet = { from: 22 * 60, to: 7 * 60 };
  return { ...USUAL_SETTINGS, quiet, timeZone: 'Europe/Berlin', filter: { ...EVERYTHING, workflows, topics } };
}

test('the settings in a button come back the same, whatever its names are', () => {
  fc.assert(
    fc.property(someNames, someNames, (workflows, topics) => {
      const settings = settingsWith(workflows, topics.map(storableId));
      const shown = messages.parseFilters(messages.writeFilters(filtersOf(settings)));
      const { email, ...filters } = shown ?? {};
      expect(email).toBeUndefined();
      expect(parseWatchSettings(filters, DEFAULTS)).toEqual(settings);
    }),
  );
});

test.each(['', 'v0|{}', 'v1|{}|a', 'v1|{"older":["a"]}'])('a button with %j is of another version', (value) => {
  expect(messages.parseFilters(value)).toBeNull();
});
