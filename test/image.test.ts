import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './source-code.ts';

const read = (file: string): string[] => readFileSync(join(ROOT, file), 'utf8').split('\n');
const dockerfile = read('Dockerfile');

/** The npm steps of the Dockerfile as the script writes them: `step <stage> <command>`. */
function npmSteps(): string[] {
  let stage = '';
  return dockerfile.flatMap((line) => {
    stage = /^FROM \S+ AS (\S+)$/.exec(line)?.[1] ?? stage;
    return line.startsWith('RUN npm ') ? [line.replace('RUN', `step ${stage}`)] : [];
  });
}

describe('the image', () => {
  test('is built by the steps that scripts/try-image-steps.sh runs', () => {
    expect(read('scripts/try-image-steps.sh').filter((line) => line.startsWith('step '))).toEqual(npmSteps());
  });

  test('copies only what .dockerignore lets in', () => {
    const copied = dockerfile
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    const rules = read('.dockerignore');
    // If only a part of a folder is let in, all of the folder must be excluded first.
    const letIn = rules
      .flatMap((line) => (line.startsWith('!/') ? [line.slice(2)] : []))
      .filter((path) => !rules.includes(`/${path}/*`));
    expect([...new Set(copied)].sort()).toEqual([...letIn].sort());
  });

  test('runs as an unprivileged user, in a process that receives signals', () => {
    expect(dockerfile).toContain('USER node');
    expect(dockerfile).toContain('CMD ["node", "dist/main.js"]');
  });
});
