import { expect, test } from 'vitest';
import { wakeAfterChanges } from './wake-after-changes.ts';

function storeWith<Change>(change: Change) {
  return {
    watches: {
      ...{ makeWatch: change, changeWatch: change, endWatch: change },
      ...{ setChannelEnvironment: change, mute: change, unmute: change },
    },
  };
}

const CHANGES = Object.entries(storeWith(null)).flatMap(([noun, changes]) =>
  Object.keys(changes).map((name) => [noun, name] as const),
);

test.each(CHANGES)('wakes delivery once %s.%s is stored, and returns its result', async (noun, name) => {
  const happened: string[] = [];
  const change = async (given: string) => {
    happened.push(`stored ${given}`);
    return 'result';
  };
  const waking = wakeAfterChanges(storeWith(change), async () => void happened.push('woken'));
  const changes: Record<string, Record<string, typeof change>> = { watches: { ...waking.watches } };
  expect(await changes[noun]?.[name]?.('it')).toBe('result');
  expect(happened).toEqual(['stored it', 'woken']);
});
