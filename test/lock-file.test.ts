import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ROOT } from './source-code.ts';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      optionalDependencies: z.record(z.string(), z.string()).optional(),
      dev: z.boolean().optional(),
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

describe('package-lock.json', () => {
  it('has an entry for each platform’s package, without which npm ci rejects the lock file on any platform', () => {
    const names = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)));
    const optional = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    expect(optional.filter((name) => !names.has(name))).toEqual([]);
  });

  it('has only runtime packages with an allowed license', () => {
    expect(atRunTime.length).toBeGreaterThan(50);
    const others = atRunTime.filter(([, { license = 'none' }]) => !LICENSES.includes(license));
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  it('has the digest of each package, and no runtime package with an install script', () => {
    expect(locked.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))).toEqual([]);
    expect(atRunTime.filter(([, { hasInstallScript = false }]) => hasInstallScript)).toEqual([]);
  });

  it('names no registry, because each machine has its own', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
