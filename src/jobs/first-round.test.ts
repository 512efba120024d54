import { expect, test } from 'vitest';
import { createFirstRound } from './first-round.ts';

function round() {
  const happened: string[] = [];
  const { polled, announcing } = createFirstRound(['production', 'staging'], async () => void happened.push('ended'));
  const announce = (during = () => {}) =>
    announcing(async () => {
      during();
      happened.push('announced');
      return 2;
    });
  return { happened, polled, announce };
}

test('the first round ends once, after the announcing that every poll has preceded', async () => {
  const { happened, polled, announce } = round();
  await announce();
  polled('production');
  await announce();
  polled('staging');
  expect(await announce()).toBe(2);
  await announce();
  expect(happened).toEqual(['announced', 'announced', 'announced', 'ended', 'announced']);
});

test("the first round isn't over with an announcing that began before the last poll's end", async () => {
  const { happened, polled, announce } = round();
  polled('production');
  await announce(() => polled('staging'));
  expect(happened).toEqual(['announced']);
  await announce();
  expect(happened).toEqual(['announced', 'announced', 'ended']);
});
