import { readdirSync, readFileSync } from 'node:fs';
import { causesIn, type KnownCause } from './load-causes.ts';

const FOLDER = new URL('catalog/', import.meta.url);

export const CATALOG: readonly KnownCause[] = readdirSync(FOLDER)
  .sort()
  .flatMap((file) => causesIn(readFileSync(new URL(file, FOLDER), 'utf8')));
