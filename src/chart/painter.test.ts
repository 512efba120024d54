import { decode } from 'fast-png';
import { afterEach, describe, expect, test } from 'vitest';
import { PictureError } from '../domain/charts/picture.ts';
import { CHARTS } from './charts.testing.ts';
import { createPainter, type Painter, type PainterOptions } from './painter.ts';

const REQUEST = {
  chart: CHARTS.outage,
  words: { title: 'Failures', lines: [], legend: ['a', 'b', 'c', 'd'], timeZone: 'UTC' },
};

const worker = (onMessage: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort, threadId } from 'node:worker_threads'; parentPort.on('message', (request) => { ${onMessage} });`,
    )}`,
  );
/** A worker that answers with its thread's ID instead of a picture. */
const NUMBERED = worker('parentPort.postMessage({ png: new Uint8Array([threadId]) });');

let painter: Painter;
afterEach(() => painter.close());
const open = (options: PainterOptions) => {
  painter = createPainter(options);
  return painter;
};
const refusal = async (picture: Promise<unknown>) => {
  const error = await picture.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PictureError);
  return error;
};

describe('a painter', () => {
  test('draws a chart in its thread', async () => {
    const png = await open({}).draw(REQUEST);
    expect(decode(png)).toMatchObject({ width: 800, channels: 3 });
  });

  test('draws one picture at a time in one thread, and refuses when too many wait', async () => {
    open({ file: NUMBERED, mostWaiting: 2 });
    const asked = Array.from({ length: 4 }, () => painter.draw(REQUEST));
    expect(await refusal(asked[3] ?? Promise.resolve())).toMatchObject({
      message: expect.stringContaining('too many'),
    });
    const [first, ...others] = await Promise.all(asked.slice(0, 3));
    expect(others).toEqual([first, first]);
  });

  test('ends its idle thread, and starts another for the next picture', async () => {
    open({ file: NUMBERED, idleMs: 0 });
    const first = await painter.draw(REQUEST);
    await expect.poll(() => painter.draw(REQUEST)).not.toEqual(first);
  });

  test.each([
    ['takes too long', { file: worker('for (;;);'), timeoutMs: 200 }, 'no picture within 200 ms'],
    ['dies', { file: worker("throw new Error('torn');") }, 'has failed'],
    ['leaves', { file: worker('process.exit(3);') }, 'ended with 3'],
    ["can't draw it", { file: worker("parentPort.postMessage({ failure: 'no font' });") }, 'could not be drawn'],
  ])('rejects when its thread %s', async (_, options, message) => {
    open(options);
    expect(await refusal(painter.draw(REQUEST))).toMatchObject({ message: expect.stringContaining(message) });
  });

  test('draws again after a failed picture', async () => {
    open({
      file: worker("if (request.words.title === 'x') throw new Error('torn'); parentPort.postMessage({ png: 1 });"),
    });
    await refusal(painter.draw({ ...REQUEST, words: { ...REQUEST.words, title: 'x' } }));
    expect(await painter.draw(REQUEST)).toBe(1);
  });
});
