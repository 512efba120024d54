import { expect, test } from 'vitest';
import { parseProfiles } from './trigger-profiles.ts';
import { parseRows } from './trigger-rows.ts';

function profilesIn(text: string) {
  const { profiles, mistakes } = parseProfiles(parseRows([text]).rows, parseRows(['user-1\nuser-2']).rows);
  return {
    profiles: [...profiles].map(([id, profile]) => [id, profile.forTrigger()]),
    mistakes: mistakes.map(({ place, what }) => `${place.line} ${what}`),
  };
}

test('accepts the fields of a profile, as JSON or a table', () => {
  expect(profilesIn('user-1 {"firstName": "Ada", "data": {"plan": "pro"}}').profiles).toEqual([
    ['user-1', { firstName: 'Ada', data: { plan: 'pro' } }],
  ]);
  expect(profilesIn('subscriber,email,phone\nuser-1,ada@example.com,\nuser-2,,+491701234567')).toEqual({
    profiles: [
      ['user-1', { email: 'ada@example.com' }],
      ['user-2', { phone: '+491701234567' }],
    ],
    mistakes: [],
  });
});

test.each([
  ['user-9 {"email": "a@example.com"}', 'this subscriber is not among those that it is sent to'],
  ['user-1 {"firstname": "Ada"}', 'a profile has no such field; did you mean firstName?'],
  ['user-1 {"channels": []}', 'a profile has no such field; it has firstName, lastName, email, phone, avatar'],
  ['user-1 {"phone": 49170}', 'phone has to be a text'],
  ['user-1 {"data": "pro"}', 'data must be a JSON object'],
  ['user-1', 'nothing of the profile is named'],
  ['user-1 {}', 'nothing of the profile is named'],
])('explains what is wrong with %s', (text, mistake) => {
  expect(profilesIn(text).mistakes).toEqual([expect.stringContaining(mistake)]);
});

test('accepts only one profile per subscriber', () => {
  expect(profilesIn('user-1 {"locale": "en"}\nuser-1 {"locale": "de"}').mistakes).toEqual([
    '2 this subscriber has a profile above already',
  ]);
});
