import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT_VARIABLES } from '../src/config/environments.ts';
import { SECRETS } from '../src/config/secret-files.ts';
import { SETTINGS } from '../src/config.ts';
import { ROOT } from './source-code.ts';

const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
const documented = [...page.matchAll(/^\| `([A-Z_<>]+)` \|/gm)].map(([, variable]) => variable);
const read = [
  ...SETTINGS,
  'NOTIF_ENVIRONMENTS',
  ...[...SECRETS, 'NOTIF_<NAME>_API_KEY'].map((secret) => `${secret}_FILE`),
  ...ENVIRONMENT_VARIABLES.flatMap((key) => [`NOTIF_${key}`, `NOTIF_<NAME>_${key}`]),
];

describe('docs/configuration.md', () => {
  it('describes every variable that is read, and no other', () => {
    expect([...documented].sort()).toEqual([...new Set(read)].sort());
  });
});
