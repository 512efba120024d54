import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import { aJob } from '../service/event.testing.ts';
import { type JsonObject, Payload } from '../text/payload.ts';
import { carriedOver } from './carried-over.ts';

describe('what a repeated trigger copies', () => {
  const withOverrides = (...overrides: JsonObject[]) =>
    carriedOver({ contextKeys: [], jobs: overrides.map((one) => aJob({ overrides: new Payload(one) })) });

  test('includes the overrides of all steps, naming those that differ between steps', () => {
    const { overrides, differing } = withOverrides({ ses: { a: 1 }, fcm: 1 }, { fcm: 1 }, { ses: { a: 2 }, sns: 3 });
    expect(overrides?.forTrigger()).toEqual({ ses: { a: 1 }, fcm: 1, sns: 3 });
    expect(differing).toEqual(['ses']);
    expect(withOverrides({}).overrides).toBeNull();
  });

  test("includes one ID for each type of context, naming those that don't fit", () => {
    const contextKeys = ['tenant:acme', 'region:eu:west', 'tenant:other', 'odd', ':x', 'y:', 'tenant:acme'];
    expect(carriedOver({ jobs: [], contextKeys })).toMatchObject({
      context: { tenant: 'acme', region: 'eu:west' },
      unfit: ['tenant:other', 'odd', ':x', 'y:'],
    });
    expect(carriedOver({ jobs: [], contextKeys: [] }).context).toBeNull();
  });
});

describe('a payload edited in its masked form', () => {
  test('keeps all originals if nothing was changed, whatever it contains', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (content) => {
        const payload = new Payload(JSON.parse(JSON.stringify(content)));
        const typed = new Payload(JSON.parse(JSON.stringify(payload.masked())));
        expect(payload.edited(typed).forTrigger()).toEqual(payload.forTrigger());
      }),
    );
  });

  test('keeps the original of a masked value next to a changed one', () => {
    const payload = new Payload({ list: [{ password: 'pass-word-1', size: 1 }], email: 'ada@example.com' });
    const shown = JSON.parse(JSON.stringify(payload.masked()).replace('"size":1', '"size":2'));
    expect(payload.edited(new Payload(shown)).forTrigger()).toEqual({
      list: [{ password: 'pass-word-1', size: 2 }],
      email: 'ada@example.com',
    });
  });

  test('refuses a moved masked value, so that no mask is ever sent', () => {
    const payload = new Payload({ password: 'pass-word-1' });
    expect(() => payload.edited(new Payload({ other: '•••rd-1' }))).toThrow(InputError);
  });
});
