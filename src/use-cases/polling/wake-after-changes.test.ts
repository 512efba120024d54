import { expect, it } from 'vitest';
import { wakeAfterChanges } from './wake-after-changes.ts';

const CHANGES = [
  'makeWatch',
  'changeWatch',
  'endWatch',
  'takeOver',
  'mute',
  'unmute',
  'setChannelEnvironment',
  'settleChange',
] as const;

it.each(CHANGES)('wakes the delivery once %s is stored, and gives back its result', async (name) => {
  const happened: string[] = [];
  const change = async (given: string) => {
    happened.push(`stored ${given}`);
    return 'result';
  };
  const store = {
    makeWatch: change,
    changeWatch: change,
    endWatch: change,
    takeOver: change,
    mute: change,
    unmute: change,
    setChannelEnvironment: change,
    settleChange: change,
  };
  const waking = wakeAfterChanges(store, async () => void happened.push('woken'));
  expect(await waking[name]('it')).toBe('result');
  expect(happened).toEqual(['stored it', 'woken']);
});
