import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EarlierEpisode, remembered } from './last-time.ts';
import type { Note } from './note.ts';

const at = (hours: number) => new Date(Date.UTC(2026, 2, 4) + hours * 3_600_000);
const NOBODY = { acknowledgedBy: null, assignedTo: null, resolvedBy: null };
const NOTE: Note = { by: 'U0ANN', at: at(1), text: 'key rotated in vault' };

function episode(from: number, change: Partial<EarlierEpisode> = {}): EarlierEpisode {
  return { beganAs: 'back', firstSeen: at(from), lastSeen: at(from + 2), taken: NOBODY, notes: [], ...change };
}

describe('the last time', () => {
  test('is the previous outage, with its note and the people who took it', () => {
    const taken = { acknowledgedBy: 'U0ANN', assignedTo: 'U0BEN', resolvedBy: null };
    const before = episode(0, { taken, notes: [NOTE, { ...NOTE, text: 'an earlier one' }] });
    expect(remembered([episode(50), before]).lastTime).toEqual({ from: at(0), to: at(2), taken, note: NOTE, since: 0 });
  });

  test.each(['acknowledgedBy', 'assignedTo', 'resolvedBy'])('is worth showing without a note: %s', (action) => {
    const taken = { ...NOBODY, [action]: 'U0ANN' };
    expect(remembered([episode(50), episode(0, { taken })]).lastTime).toMatchObject({ taken, note: null });
  });

  test.each<[string, readonly EarlierEpisode[]]>([
    ['nothing came before', []],
    ['it came and went by itself', [episode(0)]],
  ])('is null if %s', (_, before) => {
    expect(remembered([episode(50, { notes: [NOTE] }), ...before])).toEqual({ note: NOTE, lastTime: null });
  });

  test('is an earlier outage if later ones have no information, and says how many those were', () => {
    const past = [episode(80), episode(60), episode(0, { notes: [NOTE] }), episode(-50, { notes: [NOTE] })];
    expect(remembered([episode(99), ...past]).lastTime).toMatchObject({ from: at(0), since: 2 });
  });

  test("isn't the previous day of the same outage, whose note belongs to this one", () => {
    const days = [episode(48, { beganAs: 'goes-on' }), episode(24, { beganAs: 'goes-on', notes: [NOTE] }), episode(0)];
    expect(remembered(days)).toEqual({ note: NOTE, lastTime: null });
  });

  test('spans all days of a continuing outage, with the last actions', () => {
    const first = episode(0, { taken: { ...NOBODY, acknowledgedBy: 'U0ANN', assignedTo: 'U0ANN' }, notes: [NOTE] });
    const second = episode(24, { beganAs: 'goes-on', taken: { ...NOBODY, assignedTo: 'U0BEN', resolvedBy: 'U0CAT' } });
    expect(remembered([episode(99), second, first]).lastTime).toEqual({
      from: at(0),
      to: at(26),
      taken: { acknowledgedBy: 'U0ANN', assignedTo: 'U0BEN', resolvedBy: 'U0CAT' },
      note: NOTE,
      since: 0,
    });
  });

  test('always has information, and ended before the current one began', () => {
    const some = fc.record({
      goesOn: fc.boolean(),
      isNoted: fc.boolean(),
      resolvedBy: fc.option(fc.constantFrom('U0ANN', 'U0BEN')),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), (given) => {
        const episodes = given.map(({ goesOn, isNoted, resolvedBy }, index) =>
          episode(-24 * index, {
            beganAs: goesOn ? 'goes-on' : 'back',
            notes: isNoted ? [NOTE] : [],
            taken: { ...NOBODY, resolvedBy },
          }),
        );
        const { lastTime } = remembered(episodes);
        if (lastTime === null) return;
        expect(lastTime.note !== null || lastTime.taken.resolvedBy !== null).toBe(true);
        const began = episodes.find(({ beganAs }) => beganAs !== 'goes-on');
        expect(lastTime.to < (began?.firstSeen ?? at(1e6))).toBe(true);
      }),
    );
  });
});
