import { expect, test } from 'vitest';
import { storeOn } from '../store/store.ts';
import { createFlows } from './flows.ts';

/** Over a hundred environments, which no select lists: Slack asks for them by the field's ID. */
const ENVIRONMENTS = Array.from({ length: 150 }, (_, index) => ({ name: `shop-${index + 1}`, label: 'Shop' }));

/** Nothing else is called, so the other parts are missing. */
const { routes } = createFlows(
  Object.assign(Object.create(null), { environments: ENVIRONMENTS, store: storeOn(Object.create(null)) }),
);

test.each([
  ['to send a test or to find something', 'form.environment', 'everyone'],
  ['of a watch', 'watch.env', 'members'],
])('environments are searched while somebody types in the form %s', async (_what, id, access) => {
  const [route, ...others] = routes.flatMap((one) => (one.surface === 'options' && one.id === id ? [one] : []));
  expect([route?.for, others]).toEqual([access, []]);
  expect(await route?.answer({ typed: 'shop-14', blockId: id })).toMatchObject([
    { value: 'shop-14' },
    ...Array.from({ length: 10 }, (_, digit) => ({ value: `shop-14${digit}` })),
  ]);
});
