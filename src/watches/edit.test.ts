import { expect, test } from 'vitest';
import { mergeEdit, type SettingsEdit, shownIn } from './edit.ts';
import { EVERYTHING, USUAL_SETTINGS, type WatchSettings } from './settings.ts';

const watching = (names: string, threshold: WatchSettings['threshold'] = null): WatchSettings => {
  return { ...USUAL_SETTINGS, threshold, filter: { ...EVERYTHING, workflows: names.match(/\w+/g) ?? [] } };
};

/** The form showed a watch of the workflows a and b. */
function merged(stored: WatchSettings, edited: WatchSettings, edit: Partial<SettingsEdit> = {}) {
  const shown = shownIn(watching('a b'));
  const { filters, conflicts, meanwhile } = mergeEdit(stored, { shown, settings: edited, leaves: [], ...edit });
  return { filters, conflicts: conflicts.map(({ key }) => key), meanwhile: meanwhile.map(({ key }) => key) };
}

test.each<
  [
    what: string,
    stored: string,
    edited: string,
    saved: string[],
    outcome: { conflicts?: string[]; meanwhile?: string[] },
  ]
>([
  ['what the form leaves', 'c', 'a b', ['c'], { meanwhile: ['workflow'] }],
  ['what the form has in another order', 'c', 'b a', ['c'], { meanwhile: ['workflow'] }],
  ['the same to the same', 'c', 'c', ['c'], { meanwhile: ['workflow'] }],
  ['nothing', 'a b', 'c', ['c'], {}],
  ['the same to something else', 'c', '', [], { conflicts: ['workflow'] }],
])(
  'an edit is saved if somebody else changed %s meanwhile',
  (_what, stored, edited, workflow, { conflicts = [], meanwhile = [] }) => {
    expect(merged(watching(stored), watching(edited))).toMatchObject({ filters: { workflow }, conflicts, meanwhile });
  },
);

test('a setting that somebody else changed, too, is left as it is if that was chosen', () => {
  const left = merged(watching('c'), watching('d'), { leaves: ['workflow'] });
  expect(left).toMatchObject({ filters: { workflow: ['c'] }, conflicts: [], meanwhile: ['workflow'] });
});

test('settings that depend on each other are one', () => {
  const rate = { failures: 1, withinMs: 600_000, rate: 0.05 };
  const count = merged(watching('a b', rate), watching('a b', { failures: 2, withinMs: 60_000, rate: null }));
  expect(count).toMatchObject({ filters: { min: ['2'], within: ['1m'], rate: [] }, conflicts: ['min'] });
});

test('a form of the version before, which does not say what it showed, is saved whole', () => {
  const older = merged(watching('c'), watching('d'), { shown: {} });
  expect(older).toMatchObject({ filters: { workflow: ['d'] }, conflicts: [], meanwhile: [] });
});
