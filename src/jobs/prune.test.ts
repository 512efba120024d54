import { expect, it } from 'vitest';
import { pruneJob } from './prune.ts';

it('says how many rows it deleted', async () => {
  const said: object[] = [];
  const note = (fields: object): void => void said.push(fields);
  const job = pruneJob(async () => 7, { debug: note, info: note, warn: note, error: note });
  await job.run(new AbortController().signal);
  expect(said).toEqual([{ rows: 7 }]);
});
