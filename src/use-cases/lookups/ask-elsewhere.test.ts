import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../../domain/environment.testing.ts';
import { ServiceError } from '../../domain/errors.ts';
import { askElsewhere } from './ask-elsewhere.ts';

const [HERE, YES, NO, DOWN] = ['here', 'yes', 'no', 'down'].map((name) => anEnvironment({ name }));

function ask(knows: (environment: string) => Promise<boolean>) {
  const warnings: object[] = [];
  const log = (fields: object) => void warnings.push(fields);
  const environments = [HERE, YES, NO, DOWN].filter((one) => one !== undefined);
  const logger = { debug: log, info: log, warn: log, error: log };
  const here = HERE ?? anEnvironment();
  return { warnings, known: askElsewhere(knows, here, { environments, logger }) };
}

describe('asking the other environments', () => {
  test("names those that match, and logs one that can't be asked", async () => {
    const asked: string[] = [];
    const { known, warnings } = ask(async (name) => {
      asked.push(name);
      if (name === 'down') throw new ServiceError(name, 'listMessages', { kind: 'unreachable' });
      return name === 'yes';
    });
    expect(await known).toEqual([YES]);
    expect(asked).toEqual(['yes', 'no', 'down']);
    expect(warnings).toMatchObject([{ environment: 'down' }]);
  });

  test("doesn't hide its own bugs", async () => {
    const { known } = ask(() => Promise.reject(new TypeError('not a problem of the service')));
    await expect(known).rejects.toThrow(TypeError);
  });
});
