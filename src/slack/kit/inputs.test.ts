import { describe, expect, test } from 'vitest';
import { expectInForm, PRODUCTION, STAGING } from '../slack.testing.ts';
import { environmentInput, environmentOptions, parseEnvironmentInput } from './inputs.ts';

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...STAGING, name: `shop-${index + 1}`, label: `Shop ${index + 1}` }));

describe("a form's environment", () => {
  test.each([
    ['lists', 100, 'static_select'],
    ['loads while the person types', 101, 'external_select'],
  ])('%s its choices, %d of them, with the chosen one selected', (_title, count, type) => {
    const environments = many(count);
    const blocks = environmentInput(environments, environments.at(-1), 'dispatches');
    expectInForm({ blocks });
    expect(blocks).toMatchObject([
      { dispatch_action: true, element: { type, initial_option: { value: `shop-${count}` } } },
    ]);
  });

  test('finds environments by name or label, at most a hundred at once', () => {
    const environments = [PRODUCTION, ...many(150)];
    const found = (typed: string) => environmentOptions(environments, typed).map(({ value }) => value);
    expect(found('SHOP-15')).toEqual(['shop-15', 'shop-150']);
    expect(found(' shop 149 ')).toEqual(['shop-149']);
    expect(found('')).toHaveLength(100);
    expect(found('mars')).toEqual([]);
  });

  test("isn't asked for if there is only one", () => {
    expect(environmentInput([PRODUCTION], PRODUCTION, 'waits')).toEqual([]);
    expect(parseEnvironmentInput(() => null, [PRODUCTION])).toBe('production');
  });
});
