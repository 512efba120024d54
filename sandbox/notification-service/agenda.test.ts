import { describe, expect, test } from 'vitest';
import { Agenda } from './agenda.ts';

describe('an agenda', () => {
  test('does what is due by time, and at the same time in the order of planning', () => {
    const agenda = new Agenda();
    const done: string[] = [];
    for (const [at, name] of [
      [3, 'c'],
      [1, 'a'],
      [3, 'd'],
      [2, 'b'],
      [9, 'later'],
    ] as const)
      agenda.plan(at, () => done.push(name));
    agenda.runUntil(3);
    expect(done).toEqual(['a', 'b', 'c', 'd']);
    expect(agenda.size).toBe(1);
  });

  test('also does what its acts plan, if that is due', () => {
    const agenda = new Agenda();
    const done: number[] = [];
    const again = (at: number) => {
      done.push(at);
      agenda.plan(at + 10, again);
    };
    agenda.plan(5, again);
    agenda.runUntil(30);
    expect(done).toEqual([5, 15, 25]);
  });
});
