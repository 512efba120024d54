import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { StoreTroubleError } from '../../../lib/errors.ts';
import { silent } from '../../../lib/logger.testing.ts';
import { dbAnswering } from '../../../store/store.testing.ts';
import { mergeEdit, shownIn } from '../../../watches/edit.ts';
import { allFiltersOf, filtersOf, parseWatchSettings, WATCH_KEYS } from '../../../watches/parse-settings.ts';
import { EVERYTHING, USUAL_SETTINGS, type WatchSettings } from '../../../watches/settings.ts';
import { CTX, expectView, fieldsIn, HOSTILE, PRODUCTION, STAGING, wordsOf } from '../../slack.testing.ts';
import { editRoutes, searchOptions } from './edit.ts';
import { parseWatchForm, watchView } from './form.ts';
import { hiddenIn } from './form-fields.ts';

const environments = [PRODUCTION, STAGING];
const userGroups = [{ id: 'S0ONCALL', handle: 'oncall' }];
const WHOLE = { isWhole: true };
const FOLDED = { isWhole: false };
const viewOf = (settings: WatchSettings, offered = environments, groups = userGroups, { isWhole } = WHOLE) =>
  watchView({
    kept: {
      watchId: 'w',
      channel: 'C1',
      isWhole,
      answerAt: null,
      shown: shownIn(settings),
      conflicts: [],
      isConfirmed: false,
    },
    filters: filtersOf(settings),
    environments: offered,
    userGroups: groups,
    above: [],
  });

const Option = z.object({ value: z.string() });
const Input = z.object({
  type: z.literal('input'),
  block_id: z.string(),
  element: z.object({
    initial_value: z.string().optional(),
    initial_user: z.string().optional(),
    initial_time: z.string().optional(),
    initial_option: Option.optional(),
    initial_options: z.array(Option).default([]),
  }),
});

function unchanged(settings: WatchSettings, offered = environments, groups = userGroups, form = WHOLE) {
  const inputs = viewOf(settings, offered, groups, form).blocks.map((block) => Input.safeParse(block).data);
  const valuesIn = (blockId: string) => {
    const element = inputs.find((input) => input?.block_id === blockId)?.element;
    const all = [element?.initial_value, element?.initial_user, element?.initial_time, element?.initial_option?.value];
    return [...all, ...(element?.initial_options ?? []).map(({ value }) => value)].filter(
      (value) => value !== undefined,
    );
  };
  return { valuesIn, valueIn: (blockId: string) => valuesIn(blockId)[0] ?? null };
}

describe("a watch's form", () => {
  test.each<[title: string, settings: Partial<WatchSettings>]>([
    ['of everything', {}],
    ['without a summary', { summaryAt: null }],
    ['for a user group that Slack does not list', { mention: { kind: 'user-group', id: 'S0GONE' } }],
    [
      'with names that menus offer, and others',
      {
        filter: { ...EVERYTHING, channels: ['pigeon', 'email'], severities: ['dire', 'high'] },
        mention: { kind: 'user-group', id: 'S0ONCALL' },
        hasChanges: true,
        hasAllClear: true,
        silence: 'off',
      },
    ],
    [
      'with everything else',
      {
        filter: {
          ...EVERYTHING,
          environments: ['staging'],
          workflows: ['a, b', 'c'],
          verdicts: ['bounced'],
          subscribers: ['user-42', 'a•••@example.com'],
        },
        threshold: { failures: 5, withinMs: 3_600_000, rate: 0.025 },
        mention: { kind: 'person', id: 'U0ANN' },
        quiet: { from: 1320, to: 420 },
        summaryAt: 17 * 60,
        timeZone: 'Asia/Tokyo',
        everyMs: 900_000,
        escalateMs: 600_000,
        hasThread: false,
      },
    ],
  ])('changes nothing of a watch %s when submitted unchanged, folded or not', (_title, change) => {
    const settings = { ...USUAL_SETTINGS, ...change };
    const first = parseWatchForm(unchanged(settings, environments, userGroups, FOLDED), FOLDED);
    const shown = parseWatchSettings(first, { environments, timeZone: 'UTC' });
    expect(mergeEdit(settings, { shown: shownIn(settings), settings: shown, leaves: hiddenIn(FOLDED) })).toMatchObject({
      conflicts: [],
      meanwhile: [],
      filters: allFiltersOf(settings),
    });
    const { email, ...filters } = parseWatchForm(unchanged(settings), WHOLE);
    expect(email).toBeUndefined();
    expect(parseWatchSettings(filters, { environments, timeZone: 'UTC' })).toEqual(settings);
  });

  test('takes names without what a page or a phone adds', () => {
    const typed: Readonly<Record<string, string>> = {
      'watch.subscriber': '\u200buser-1\n“user-2”\n`user-3`\u00a0\n\u200b',
      'watch.email': '\u2068anna@example.com\u2069',
      'watch.min': '\u200b5',
    };
    const form = parseWatchForm({ valueIn: (blockId) => typed[blockId] ?? null, valuesIn: () => [] }, WHOLE);
    expect(form).toMatchObject({ subscriber: ['user-1', 'user-2', 'user-3'], email: ['anna@example.com'], min: ['5'] });
  });

  test("keeps a watch's environment that is no longer configured", () => {
    const settings = { ...USUAL_SETTINGS, filter: { ...EVERYTHING, environments: ['old-staging'] } };
    expect(wordsOf(viewOf(settings))).toContain('old-staging');
    expect(parseWatchForm(unchanged(settings), WHOLE).env).toEqual(['old-staging']);
  });

  test("keeps a watch's user group and environment that come after the first hundred", () => {
    const many = Array.from({ length: 121 }, (_, index) => `${index}`);
    const settings = { ...USUAL_SETTINGS, filter: { ...EVERYTHING, environments: ['120'] } };
    const mention = { kind: 'user-group', id: 'S120' } as const;
    const offered = many.map((name) => ({ ...PRODUCTION, name }));
    const groups = many.map((handle) => ({ id: `S${handle}`, handle }));
    expectView(viewOf({ ...settings, mention }, offered, groups));
    const form = parseWatchForm(unchanged({ ...settings, mention }, offered, groups), WHOLE);
    expect(form).toMatchObject({ env: ['120'], mention: ['<!subteam^S120>'] });
  });

  test('fits and has a field for each setting, under which its error is shown', () => {
    const view = viewOf(USUAL_SETTINGS);
    expectView(view);
    const names = Array.from({ length: 20 }, (_, index) => `${index} ${HOSTILE}`.slice(0, 100));
    expectView(
      viewOf({ ...USUAL_SETTINGS, filter: { ...EVERYTHING, workflows: names, channels: names, tags: names } }),
    );
    const fields = view.blocks.map(({ block_id }) => block_id);
    expect(WATCH_KEYS.filter((key) => !fields.includes(`watch.${key}`))).toEqual(['thread', 'changes']);
    const mandatory = view.blocks.filter((block) => 'optional' in block && !block.optional);
    expect(mandatory.map(({ block_id }) => block_id)).toEqual(['watch.tz']);
    expect(view.private_metadata?.length).toBeLessThan(1_000);
  });
});

test('a folded form asks first for what most people set, and is as short as that', () => {
  const view = viewOf(USUAL_SETTINGS, environments, userGroups, FOLDED);
  expectView(view);
  expect(Object.keys(fieldsIn(view))).toEqual([
    ...['Environments', 'Workflows', 'Providers', 'Mention a person', 'Or mention a user group'],
    ...['How soon', 'Summary'],
  ]);
});

test('a menu offers what is known and fits, and what was typed if it is neither', () => {
  const offered = (typed: string) => searchOptions(['order-shipped', 'Welcome'], typed).map(({ value }) => value);
  expect(offered('')).toEqual(['order-shipped', 'Welcome']);
  expect(offered('welc')).toEqual(['Welcome', 'welc']);
  expect(offered('WELCOME')).toEqual(['Welcome']);
  expect(
    searchOptions(
      Array.from({ length: 200 }, (_, n) => `workflow-${n}`),
      'workflow',
    ),
  ).toHaveLength(100);
});

type Typed = ReturnType<typeof unchanged>;

function submit(typed: Typed) {
  const db = dbAnswering(() => Promise.reject(new StoreTroubleError('not-answering')));
  const workspace = { userGroups: async () => [] };
  const ctx = { ...CTX, db, workspace, logger: silent, newReference: () => '7F3K2', serviceOf: () => null };
  const routes = editRoutes(Object.assign(Object.create(null), ctx));
  const form = { ...typed, blockIds: [], initialIn: () => null, privateMetadata: '{"watchId":"w"}' };
  const [submitted] = routes.flatMap((route) => (route.surface === 'view' ? [route.take(form)] : []));
  return submitted;
}

function typing(texts: Readonly<Record<string, string>>, ticked: readonly string[] = []): Typed {
  const valuesIn = (blockId: string) => (blockId === 'watch.all-clear' ? [...ticked] : [texts[blockId] ?? []].flat());
  return { valuesIn, valueIn: (blockId) => valuesIn(blockId)[0] ?? null };
}

test('every field that is wrong is shown at once, and what goes with it only where it is wrong itself', () => {
  const lines = { 'watch.workflow': 'x'.repeat(101), 'watch.email': 'anna' };
  const words = { 'watch.min': 'some', 'watch.within': '10m', 'watch.quiet': '25:00', 'watch.tz': 'Berlin, please' };
  expect(submit(typing({ ...lines, ...words }, ['all-clear']))).toEqual({
    is: 'invalid',
    errors: {
      'watch.workflow': 'Takes at most 20 values of up to 100 characters.',
      'watch.email': 'Takes email addresses, at most 10.',
      'watch.min': 'Takes a number of failures, from 1 to 100,000.',
      'watch.quiet': 'Takes two times of the day, or off.',
      'watch.tz': 'Takes the name of a time zone, with a continent and a city.',
      'watch.all-clear': 'Is a reply in the thread, and needs thread:on.',
    },
  });
  expect(submit(typing({ 'watch.within': '10m' }))).toEqual({
    is: 'invalid',
    errors: { 'watch.within': 'Goes with min: or rate:.' },
  });
});

test('the form is shown again with what was typed while the database is away, which may have stored it', async () => {
  const submitted = submit(unchanged({ ...USUAL_SETTINGS, filter: { ...EVERYTHING, topics: ['launch'] } }));
  if (submitted?.is !== 'accepted') throw new Error('the form is accepted');
  const update = vi.fn(async (_view: object) => 'shown' as const);
  const reply = Object.create(null);
  await submitted.answer({ userId: 'U0ANN', channelId: null, reply, modal: { update } });
  const drawn = JSON.stringify(update.mock.calls);
  expect(drawn).toContain("Notif's database isn't responding.");
  expect(drawn).not.toContain('Nothing is saved');
  expect(drawn).toContain('"value":"launch"');
});
