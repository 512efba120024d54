import { readdirSync, readFileSync } from 'node:fs';
import { causesIn, type KnownCause } from './load-causes.ts';

const FOLDER = new URL('catalog/', import.meta.url);

/** The build puts them into the bundle as JSON, which saves it from parsing YAML at each start. */
export const CATALOG: readonly KnownCause[] = readdirSync(FOLDER)
  .sort()
  .flatMap((file) => causesIn(readFileSync(new URL(file, FOLDER), 'utf8')));
