import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { ScaleFigures, withFigures } from './capacity.ts';

/** After `npm run bench -- scale`: keeps its figures in bench/scale/figures.json and writes them into docs/capacity.md. */
const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const Results = z.object({
  machine: z.unknown(),
  results: z.array(z.object({ name: z.string(), figures: z.array(z.unknown()) })),
});
const { machine, results } = Results.parse(JSON.parse(await readFile(file('../results.json'), 'utf8')));
const found = results.find(({ name }) => name === 'scale');
if (found === undefined)
  throw new Error('bench/results.json has no figures of scale: run `npm run bench -- scale` first.');
const figures = ScaleFigures.parse({ machine, figures: found.figures });
await writeFile(file('figures.json'), `${JSON.stringify(figures, null, 2)}\n`);
const page = file('../../docs/capacity.md');
await writeFile(page, withFigures(await readFile(page, 'utf8'), figures));
