import { z } from 'zod';
import { nextMessage, startChild } from './child.ts';
import type { BenchResult, Figure } from './result.ts';
import { median, medianRatio } from './statistics.ts';

const FEW = 2_000;
const MANY = 200_000;
const ROUNDS = 100;
/** The first answers come from a service that still compiles. */
const WARM_UP_ROUNDS = 40;
const MOST_TIMES = 2;

/** A service with many or few events: its address, and its paths by their subject. */
const Crowd = z.object({ url: z.url(), apiKey: z.string(), paths: z.record(z.string(), z.string()) });
type Crowd = z.infer<typeof Crowd>;

/** Measures how long the sandbox's service takes to answer with 200,000 events, compared to 2,000: each request goes to both in turn. */
export async function measure(): Promise<BenchResult> {
  const children = [FEW, MANY].map((events) => startChild('crowded-service.ts', String(events)));
  try {
    const [few, many] = await Promise.all(children.map(async (child) => Crowd.parse(await nextMessage(child))));
    if (!few || !many) throw new Error('Both services were to be started.');
    const figures: Figure[] = [];
    for (const what of Object.keys(few.paths))
      figures.push(await compare(what, (crowd) => get(crowd, what), few, many));
    figures.push(await compare('trigger', trigger, few, many));
    return { name: `local service, ${MANY} events`, figures };
  } finally {
    for (const child of children) child.disconnect();
  }
}

async function compare(
  label: string,
  ask: (crowd: Crowd) => Promise<unknown>,
  few: Crowd,
  many: Crowd,
): Promise<Figure> {
  const [fewMs, manyMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    fewMs.push(await timed(() => ask(few)));
    manyMs.push(await timed(() => ask(many)));
  }
  const [warmFew, warmMany] = [fewMs.slice(WARM_UP_ROUNDS), manyMs.slice(WARM_UP_ROUNDS)];
  const against = `${median(warmFew).toFixed(2)} ms with ${FEW} events`;
  return { label, value: medianRatio(warmMany, warmFew), unit: 'times', limit: MOST_TIMES, against };
}

/** Returns milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

function get(crowd: Crowd, what: string): Promise<string> {
  return send(crowd, crowd.paths[what] ?? '', {});
}

function trigger(crowd: Crowd): Promise<string> {
  const body = JSON.stringify({ events: [{ name: 'order-shipped', to: ['user-1'], payload: {} }] });
  return send(crowd, '/v1/events/trigger/bulk', { method: 'POST', body });
}

async function send({ url, apiKey }: Crowd, path: string, init: RequestInit): Promise<string> {
  const headers = { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { ...init, headers });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return await response.text();
}
