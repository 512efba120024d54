import { describe, expect, test } from 'vitest';
import { incidentMeant, isIncidentNumber, type NamedIncident } from './incident-names.ts';

const OPEN: readonly NamedIncident[] = [
  { episodeId: 17, channel: 'email', provider: 'sendgrid', workflows: ['order-shipped', 'ops/nightly'] },
  { episodeId: 18, channel: 'email', provider: 'ses', workflows: ['order-shipped'] },
  { episodeId: 19, channel: 'in_app', provider: null, workflows: ['welcome'] },
];
const meant = (text: string, open = OPEN) => incidentMeant(text === '' ? [] : text.split(' '), open);

describe('an incident', () => {
  test.each([
    ['#17', 17],
    ['17', 17],
    ['#99', 99],
    ['#17.', 17],
    ['#17,', 17],
    ['(#17)', 17],
    ['incident #17', 17],
    ['Incident 17!', 17],
    ['sendgrid,', 17],
    ['sendgrid', 17],
    ['SendGrid order-shipped', 17],
    ['Email · SES — order-shipped', 18],
    ['ses/order-shipped', 18],
    ['ops/nightly', 17],
    ['in-app', 19],
    ['InApp', 19],
    ['welcome', 19],
  ])('is named by %j', (text, episodeId) => {
    expect(meant(text)).toEqual({ is: 'one', episodeId });
  });

  test.each([
    ['email', [17, 18]],
    ['order-shipped', [17, 18]],
    ['', [17, 18, 19]],
  ])('is one of several for %j', (text, episodeIds) => {
    expect(meant(text)).toEqual({ is: 'several', by: 'names', episodeIds });
  });

  test.each(['#17 #99', '#17, #99', '#17,#99', '17 and #99', 'incidents #17 + 99', '#17 #99 #17'])(
    'is one of several for the numbers in %j',
    (text) => {
      expect(meant(text)).toEqual({ is: 'several', by: 'numbers', episodeIds: [17, 99] });
    },
  );

  test.each(['#17 sendgrid', '#17 and', 'and', 'incidentally #17', 'coincident #17'])('is not named by %j', (text) => {
    expect(meant(text).is).toBe('none');
  });

  test('is named by a number that is typed twice', () => {
    expect(meant('#17 #17')).toEqual({ is: 'one', episodeId: 17 });
  });

  test("isn't guessed, even if only one is open", () => {
    expect(meant('', OPEN.slice(0, 1))).toEqual({ is: 'several', by: 'names', episodeIds: [17] });
  });

  test.each([
    ['sengrid', 'sendgrid'],
    ['email sendgird', 'email sendgrid'],
    ['welcome ses', null],
    ['mailgun', null],
  ])("isn't found by %j, with the suggestion %j", (text, nearest) => {
    expect(meant(text)).toEqual({ is: 'none', nearest });
  });

  test("isn't found if none is open", () => {
    expect(meant('', [])).toEqual({ is: 'none', nearest: null });
    expect(meant('sendgrid', [])).toEqual({ is: 'none', nearest: null });
  });

  test("isn't looked for by more than ten words, or by a word of more than 200 characters", () => {
    const many = (count: number, word: string) => Array.from({ length: count }, () => word);
    const found = { is: 'several', by: 'names', episodeIds: [17, 18] };
    const none = { is: 'none', nearest: null };
    for (const blank of [' ', '/']) {
      expect(meant(many(10, 'email').join(blank))).toEqual(found);
      expect(meant(many(11, 'email').join(blank))).toEqual(none);
    }
    expect(meant(many(11, '#17').join(' '))).toEqual(none);
    expect(meant('email'.padEnd(200, '!'))).toEqual(found);
    expect(meant('email'.padEnd(201, '!'))).toEqual(none);
  });

  test('is suggested for up to four words', () => {
    expect(meant('sengrid email order-shipped email')).toMatchObject({
      nearest: 'sendgrid email order-shipped email',
    });
    expect(meant('sengrid email order-shipped email email')).toMatchObject({ nearest: null });
  });

  test('is named by words around signs that name nothing', () => {
    expect(meant('— ses /')).toEqual({ is: 'one', episodeId: 18 });
    expect(meant('—')).toEqual({ is: 'several', by: 'names', episodeIds: [17, 18, 19] });
  });

  test("has a number that can't be confused with a watch's", () => {
    expect(['#2', '#2.', '2', '#x', '2h'].map(isIncidentNumber)).toEqual([true, true, false, false, false]);
  });
});
