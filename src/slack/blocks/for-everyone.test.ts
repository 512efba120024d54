import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CATALOG } from '../../domain/causes/catalog.ts';
import { actions, button, message } from './blocks.ts';
import { parseValue, writeValue } from './button-value.ts';
import { forEveryone, textForEveryone } from './for-everyone.ts';
import { mrkdwn } from './text.ts';

const withButton = (value: string) =>
  forEveryone(message(mrkdwn`An answer`, actions([button('Chart', 'failures.chart', value)])));

test("a button's value stays as it is, or the button is left out", () => {
  const part = fc.oneof(
    fc.constantFrom('mobile', 'whatsapp', 'eu-mobile', 'call', 'sms'),
    fc.integer({ min: 0, max: 2_000_000_000_000 }).map(String),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const value = writeValue(parts);
      const [block] = withButton(value).blocks;
      const shown = block?.type === 'actions' ? block.elements : [];
      expect(shown.every((element) => 'value' in element && element.value === value)).toBe(true);
    }),
  );
  const { blocks } = withButton(writeValue(['mobile', '1795000000000', '1795386803689', '0']));
  expect(parseValue(JSON.stringify(blocks).match(/v1[^"]*/)?.[0] ?? '')).toEqual([
    'mobile',
    '1795000000000',
    '1795386803689',
    '0',
  ]);
});

test('a button whose value holds a contact is left out', () => {
  expect(withButton(writeValue(['production', 'anna@example.com'])).blocks).toEqual([]);
});

test("Notif's own advice has nothing that everyone would see masked, such as a sample of a phone number", () => {
  const texts = CATALOG.flatMap(({ meaning, next }) => [meaning, next]);
  expect(texts.filter((text) => textForEveryone(text) !== text)).toEqual([]);
});
