import { readdirSync, readFileSync } from 'node:fs';
import { causesIn, type KnownCause } from './load-causes.ts';

const FOLDER = new URL('catalog/', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, FOLDER), 'utf8');
const SHARED = textOf('../shared-causes.yml');

export const CATALOG: readonly KnownCause[] = readdirSync(FOLDER)
  .sort()
  .flatMap((file) => causesIn(textOf(file), SHARED));
