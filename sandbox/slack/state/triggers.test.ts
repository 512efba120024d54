import { beforeEach, describe, expect, test } from 'vitest';
import { Triggers } from './issued.ts';

describe('a trigger', () => {
  let now: number;
  let triggers: Triggers;
  beforeEach(() => {
    now = 1_700_000_000_000;
    triggers = new Triggers(() => now, 3_000);
  });

  test('opens a view for 3 s', () => {
    const [inTime, late] = [triggers.issue('U0ANN'), triggers.issue('U0ANN')];
    now += 3_000;
    expect(triggers.redeem(inTime)).toBe('U0ANN');
    now += 1;
    expect(() => triggers.redeem(late)).toThrow('expired_trigger_id');
  });

  test('opens only one view', () => {
    const trigger = triggers.issue('U0ANN');
    triggers.redeem(trigger);
    expect(() => triggers.redeem(trigger)).toThrow('exchanged_trigger_id');
  });

  test('is refused if nobody issued it', () => {
    expect(() => triggers.redeem('1.unknown')).toThrow('invalid_trigger_id');
  });
});
