import { setTimeout as pause } from 'node:timers/promises';
import { CHARTS } from '../src/chart/charts.testing.ts';
import { createPainter } from '../src/chart/painter.ts';
import type { PictureRequest } from '../src/domain/charts/picture.ts';
import { buildBot } from './built-bot.ts';
import type { BenchResult } from './result.ts';

/** The built thread, as in production: the one in the sources would have to be compiled first. */
const THREAD = new URL('../dist/chart-thread.js', import.meta.url);
const ROUNDS = 5;
const MB = 2 ** 20;
/** In milliseconds: acknowledgments wait for the event loop, and must not wait for a picture. */
const LONGEST_WORK = 10;

const REQUESTS = [CHARTS['three days'], CHARTS['many causes'], CHARTS.outage].map(
  (chart): PictureRequest => ({
    chart,
    words: {
      title: 'Failures',
      lines: ['Wed 4 Mar'],
      legend: chart.series.map(() => 'a cause'),
      timeZone: 'Europe/Berlin',
    },
  }),
);

/**
 * The time of a thread's first picture and of the others, in milliseconds; how long the event loop was busy with the slowest one; and how
 * much memory the process held.
 */
interface Round {
  readonly first: number;
  readonly others: number;
  readonly busy: number;
  readonly drawingMb: number;
}

/**
 * Measures how drawing charts affects the rest of the process: a thread is started, draws three pictures and ends, five times. The event
 * loop's work is that of the best round, so that the machine's other load doesn't count.
 */
export async function measure(): Promise<BenchResult> {
  await buildBot();
  const before = process.memoryUsage().rss;
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) rounds.push(await drawThree());
  await pause(500);
  const least = (of: (round: Round) => number) => Math.min(...rounds.map(of));
  return {
    name: 'charts, three at a time',
    figures: [
      { label: 'the first, with its thread', value: least(({ first }) => first), unit: 'ms' },
      { label: 'another', value: least(({ others }) => others), unit: 'ms' },
      {
        label: 'work of the event loop for one, longest',
        value: least(({ busy }) => busy),
        unit: 'ms',
        limit: LONGEST_WORK,
        against: `best of ${ROUNDS}`,
      },
      {
        label: 'memory while drawing',
        value: Math.max(...rounds.map(({ drawingMb }) => drawingMb)) - before / MB,
        unit: 'MB',
      },
      { label: 'memory half a second after the last', value: (process.memoryUsage().rss - before) / MB, unit: 'MB' },
    ],
  };
}

async function drawThree(): Promise<Round> {
  const painter = createPainter({ file: THREAD });
  const times: number[] = [];
  const work: number[] = [];
  for (const request of REQUESTS) {
    const loop = performance.eventLoopUtilization();
    const begun = performance.now();
    await painter.draw(request);
    times.push(performance.now() - begun);
    work.push(performance.eventLoopUtilization(loop).active);
  }
  const drawingMb = process.memoryUsage().rss / MB;
  await painter.close();
  const [first = 0, ...others] = times;
  return { first, others: Math.max(...others), busy: Math.max(...work), drawingMb };
}
