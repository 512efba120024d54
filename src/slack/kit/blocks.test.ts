import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actions, button, dashboardButton, lineSections, SECTION_TEXT, section } from './blocks.ts';
import { joined, mrkdwn } from './text.ts';

test('lineSections keeps every line, in order, in sections that Slack accepts', () => {
  const line = fc.integer({ min: 1, max: 250 }).map((length) => 'x'.repeat(length));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const sections = lineSections(lines.map((text) => mrkdwn`${text}`));
      expect(sections.map(({ text }) => text?.text).join('\n')).toBe(lines.join('\n'));
      for (const { text } of sections) expect(text?.text.length).toBeLessThanOrEqual(SECTION_TEXT);
    }),
  );
});

test('lineSections uses one section if the lines fit', () => {
  expect(lineSections(['a', 'b'].map((text) => mrkdwn`${text}`))).toHaveLength(1);
  expect(lineSections([])).toEqual([]);
  expect(lineSections([joined([], '')])).toEqual([]);
});

test('a button whose value or link is too long for Slack is left out, with its empty row', () => {
  const link = dashboardButton('event.dashboard', `https://dashboard.example/${'x'.repeat(3_000)}`);
  expect(actions([link])).toEqual([]);
  expect(section(mrkdwn`Row`, button('Go', 'go', 'x'.repeat(2_001)))).toEqual(section(mrkdwn`Row`));
});
