import { expect, test } from 'vitest';
import { onceAtATime } from './share-route.ts';

test('does the same work once while it is underway, and again afterwards, also if it failed', async () => {
  const once = onceAtATime();
  const done: string[] = [];
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const work = (what: string) => async () => {
    done.push(what);
    await finished;
  };
  const first = once(['U1', 'C1'], work('first'));
  await once(['U1', 'C1'], work('second'));
  const other = once(['U2', 'C1'], work('by somebody else'));
  finish();
  await Promise.all([first, other]);
  await expect(once(['U1', 'C1'], () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  await once(['U1', 'C1'], work('later'));
  expect(done).toEqual(['first', 'by somebody else', 'later']);
});
