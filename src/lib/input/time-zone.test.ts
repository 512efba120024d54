import { expect, test } from 'vitest';
import { parseTimeZone, typableZone } from './time-zone.ts';

test.each([
  ['  New   York ', 'America/New_York'],
  ['utc', 'UTC'],
  ['São Paulo', 'America/Sao_Paulo'],
  ['etc/gmt+5', 'Etc/GMT+5'],
])('the name of a zone or of its city is accepted: %j', (text, name) => {
  expect(parseTimeZone(text)).toBe(name);
});

test.each(['Europe/Nowhere', 'BST', 'CEST', '+02:00', ''])('%j is refused', (text) => {
  const message = 'tz: takes the name of a time zone, with a continent and a city.';
  expect(() => parseTimeZone(text)).toThrow(
    expect.objectContaining({ field: 'tz', message, example: 'tz:Europe/Berlin' }),
  );
});

test.each([
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['EST', 'America/Panama'],
])("%s, as Slack may say of a person's zone, has a name that can be typed: %s", (name, typable) => {
  expect(typableZone(name)).toBe(typable);
  expect(parseTimeZone(typable)).toBe(typable);
});

test.each(['', '+02:00', 'Europe/Nowhere'])('no zone is called %j', (name) => {
  expect(typableZone(name)).toBeNull();
});
