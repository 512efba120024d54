import { expect, test } from 'vitest';
import { createRequestLimits, MOST_AT_ONCE } from './register.ts';

test("one person's requests run some at a time, while another's run at once", async () => {
  const limited = createRequestLimits();
  const ended: (() => void)[] = [];
  const begun: string[] = [];
  const asks = (person: string) =>
    limited(person, async () => {
      begun.push(person);
      await new Promise<void>((end) => void ended.push(end));
    });
  const eager = Array.from({ length: MOST_AT_ONCE + 9 }, () => asks('U0ANN'));
  const other = asks('U0BEN');
  await expect.poll(() => begun).toEqual([...Array(MOST_AT_ONCE).fill('U0ANN'), 'U0BEN']);
  // Each that ends lets another begin, until all have ended.
  while (begun.length < eager.length + 1 || ended.length > 0) {
    ended.shift()?.();
    await Promise.resolve();
  }
  await Promise.all([...eager, other]);
});
