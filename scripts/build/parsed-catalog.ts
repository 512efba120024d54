import { readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vitest/config';

const FOLDER = new URL('../../src/causes/catalog/', import.meta.url);

const isCatalog = (id: string): boolean => id.endsWith('/src/causes/catalog.ts');

/** Replaces the catalog of causes by JSON: parsing and checking its YAML takes longer than all the rest of a start. */
export function parsedCatalog(): Plugin {
  return {
    name: 'parsed-catalog',
    async load(id) {
      if (!isCatalog(id)) return null;
      const { CATALOG } = await import('../../src/causes/catalog.ts');
      return `export const CATALOG = JSON.parse(${JSON.stringify(JSON.stringify(CATALOG))});`;
    },
    configureVitest: ({ experimental_defineCacheKeyGenerator: addToKey }) =>
      addToKey(({ id }) =>
        isCatalog(id) ? [...readdirSync(FOLDER), '../shared-causes.yml'].map(textOf).join() : null,
      ),
  };
}

const textOf = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');
