import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';
import { bold, channelLink, code, mrkdwn } from './text.ts';
import { time } from './times.ts';

const AT = new Date('2026-03-04T23:30:05.000Z');

test('plainText shows times in a zone, with their date where the format has it', () => {
  expect(plainText(mrkdwn`${time(AT, 'day')}, ${time(AT, 'time')}, ${time(AT)}`, 'Europe/Berlin')).toBe(
    'Mar 5, 00:30, 00:30, 00:30:05',
  );
  expect(plainText(time(AT, 'day'), 'UTC')).toBe('Mar 4, 23:30 UTC');
});

test('plainText contains no markup', () => {
  expect(plainText(mrkdwn`${bold('open')} ${code('#17')} in ${channelLink('C0ONCALL')}`, 'UTC')).toBe(
    'open #17 in https://slack.com/app_redirect?channel=C0ONCALL',
  );
});

test('plainText keeps what people typed', () => {
  expect(plainText(mrkdwn`${'a < b & <!channel> &amp;'}`, 'UTC')).toBe('a < b & <!channel> &amp;');
});
