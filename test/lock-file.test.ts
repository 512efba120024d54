import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT } from './source-code.ts';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      optionalDependencies: z.record(z.string(), z.string()).optional(),
      dev: z.boolean().optional(),
      engines: z.record(z.string(), z.string()).optional().catch(undefined),
      license: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

const { packages } = Lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
const locked = Object.entries(packages).filter(([path]) => path !== '');
const atRunTime = locked.filter(([, { dev = false }]) => !dev);

/** Licenses that let Notif be run and redistributed with no more than their text. */
const LICENSES = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', '(MIT OR CC0-1.0)'];

/** Versions of Node around those from which packages can be installed. */
const NODES = ['20.18.0', '20.19.0', '21.7.0', '22.12.0', '22.13.0', '23.4.0', '23.11.0', '24.0.0', '26.0.0'];

function version(text: string): number[] {
  const parts = text.trim().split('.').map(Number);
  return [0, 1, 2].map((index) => parts[index] || 0);
}

const isAtLeast = (one: readonly number[], other: readonly number[]): boolean => {
  const index = one.findIndex((part, place) => part !== other[place]);
  return index < 0 || (one[index] ?? 0) > (other[index] ?? 0);
};

/** Returns whether a version is in a range of npm's, as packages write them: '^20.17.0 || >= 22', '18 || 20'. */
function isIn(range: string, node: readonly number[]): boolean {
  return range.split('||').some((part) => {
    const [, operator = '', least = ''] = /^\s*(\^|>=|)\s*([\d.x]+)\s*$/.exec(part) ?? [];
    const from = version(least);
    return isAtLeast(node, from) && (operator === '>=' || node[0] === from[0]);
  });
}

describe('package-lock.json', () => {
  test('has only packages that each Node takes which package.json allows: npm is strict about it', () => {
    const manifest = z.object({ engines: z.object({ node: z.string() }) });
    const { engines: own } = manifest.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
    expect(packages['']?.engines).toEqual(own);
    const allowed = NODES.filter((node) => isIn(own.node, version(node)));
    expect(allowed).toEqual(['20.19.0', '22.13.0', '24.0.0', '26.0.0']);
    const refused = locked.flatMap(([path, { engines: { node: range } = {} }]) =>
      allowed.filter((node) => range !== undefined && !isIn(range, version(node))).map((node) => `${path}: ${node}`),
    );
    // Its range has an upper end, which isn't read here: any version from 0.7.3 on will do.
    expect(refused.filter((one) => !one.startsWith('node_modules/tunnel: '))).toEqual([]);
  });

  test('has an entry for each platform’s package, without which npm ci rejects the lock file on any platform', () => {
    const names = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)));
    const optional = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    expect(optional.filter((name) => !names.has(name))).toEqual([]);
  });

  test('has only runtime packages with an allowed license', () => {
    expect(atRunTime.length).toBeGreaterThan(50);
    const others = atRunTime.filter(([, { license = 'none' }]) => !LICENSES.includes(license));
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  test('has the digest of each package, and no runtime package with an install script', () => {
    expect(locked.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))).toEqual([]);
    expect(atRunTime.filter(([, { hasInstallScript = false }]) => hasInstallScript)).toEqual([]);
  });

  test('names no registry, because each machine has its own', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
