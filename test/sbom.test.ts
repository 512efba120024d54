import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT } from './source-code.ts';

/** The fields of CycloneDX 1.5 that readers need. */
const Bom = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.5'),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f-]{36}$/),
  version: z.literal(1),
  metadata: z.object({
    timestamp: z.iso.datetime(),
    component: z.object({ type: z.literal('application'), name: z.literal('notif'), 'bom-ref': z.string() }),
  }),
  components: z.array(
    z.object({
      type: z.literal('library'),
      'bom-ref': z.string(),
      name: z.string(),
      version: z.string(),
      purl: z.string().startsWith('pkg:npm/'),
      hashes: z.tuple([z.object({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) })]),
      licenses: z
        .array(z.object({ license: z.object({ id: z.string() }) }).or(z.object({ expression: z.string() })))
        .min(1),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string(), dev: z.boolean().optional(), integrity: z.string().optional() }),
  ),
});

const { packages } = Lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
const locked = Object.entries(packages)
  .filter(([path, { dev = false }]) => path !== '' && !dev)
  .map(([path, { version, integrity = '' }]) => ({
    ref: `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
    digest: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
  }));

describe('npm run sbom', () => {
  let bom: z.infer<typeof Bom>;
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/sbom.ts'], {
      cwd: ROOT,
      maxBuffer: 64 * 2 ** 20,
    });
    bom = Bom.parse(JSON.parse(stdout));
  });

  test('lists each runtime package with its digest from the lock file, and no others', () => {
    const listed = bom.components.map((each) => `${each['bom-ref']} ${each.hashes[0].content}`);
    expect(listed.sort()).toEqual([...new Set(locked.map(({ ref, digest }) => `${ref} ${digest}`))].sort());
  });

  test('says what each package depends on, and names only packages that it lists', () => {
    const refs = new Set([bom.metadata.component['bom-ref'], ...bom.components.map((each) => each['bom-ref'])]);
    const named = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(named.filter((ref) => !refs.has(ref))).toEqual([]);
    expect(bom.dependencies.find(({ ref }) => ref.startsWith('notif@'))?.dependsOn).toContain(
      bom.components.find(({ name }) => name === 'zod')?.['bom-ref'],
    );
  });
});
