import { expect, test } from 'vitest';
import { InputError } from '../lib/errors.ts';
import { ServiceError, type ServiceProblem } from '../service/service-error.ts';
import { type BatchFate, fateOf } from './resend-batch.ts';
import type { FailedWrite } from './try-write.ts';

const refusedFor = (problem: ServiceProblem): FailedWrite => ({
  is: 'refused',
  error: new ServiceError('production', 'triggerEvents', problem),
});
const unknownFor = (problem: ServiceProblem): FailedWrite => ({
  is: 'unknown',
  error: new ServiceError('production', 'triggerEvents', problem, { outcomeUnknown: true }),
});

const MALFORMED = { kind: 'refused', status: 422, message: 'malformed' } as const;
const TOO_LARGE = { kind: 'refused', status: 413, message: 'too large' } as const;
const KEY_REFUSED = { kind: 'key-refused', status: 401 } as const;
const SERVER_ERROR = { kind: 'service-error', status: 500, errorId: null } as const;

const OWN_ERROR = 'something went wrong in Notif itself';

test.for<[title: string, write: FailedWrite, events: number, fate: BatchFate]>([
  [
    'of one event that the service refuses is refused for good',
    refusedFor(MALFORMED),
    1,
    { is: 'refused', why: 'it refused the request (422): malformed' },
  ],
  [
    'of several is put back: one of them may be the reason',
    refusedFor(MALFORMED),
    2,
    { is: 'put-back', refusal: 'it refused the request (422): malformed' },
  ],
  ['that is too large is halved', refusedFor(TOO_LARGE), 25, { is: 'halved', batchSize: 13 }],
  [
    "of one event that is too large can't be halved",
    refusedFor(TOO_LARGE),
    1,
    { is: 'refused', why: 'it refused the request (413): too large' },
  ],
  [
    'is put back if the key is refused, also with one event',
    refusedFor(KEY_REFUSED),
    1,
    { is: 'put-back', refusal: 'the API key was refused (401)' },
  ],
  [
    'is put back, and nothing is counted, if the service is away',
    refusedFor({ kind: 'unreachable' }),
    2,
    { is: 'put-back', refusal: null },
  ],
  [
    'is put back if it was stopped before it was sent',
    { is: 'refused', error: new InputError('incident', 'It was stopped.') },
    2,
    { is: 'put-back', refusal: OWN_ERROR },
  ],
  [
    'of one event without an answer was tried',
    unknownFor(SERVER_ERROR),
    1,
    { is: 'unanswered', why: 'it reported an error of its own (500)', countsAsTry: true },
  ],
  [
    "of several without an answer is nobody's try",
    unknownFor(SERVER_ERROR),
    2,
    { is: 'unanswered', why: 'it reported an error of its own (500)', countsAsTry: false },
  ],
  [
    'may have been sent before an error in Notif itself',
    { is: 'unknown', error: new TypeError('unforeseen') },
    1,
    { is: 'unanswered', why: OWN_ERROR, countsAsTry: true },
  ],
])('a batch %s', ([, write, events, fate]) => {
  expect(fateOf(write, events)).toEqual(fate);
});
