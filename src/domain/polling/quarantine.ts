import { createHash } from 'node:crypto';
import { subMilliseconds } from 'date-fns';

/** An event that could not be recorded because of its contents. */
export interface RefusedEvent {
  readonly eventKey: string;
  readonly createdAt: Date | null;
  /** PostgreSQL's SQLSTATE, or the class of one of Notif's own errors. */
  readonly code: string;
}

/** A refused event as stored: by a hash, without its ID. */
export interface QuarantinedEvent {
  readonly environment: string;
  readonly hash: string;
  readonly code: string;
  readonly reason: string;
  readonly createdAt: Date | null;
  readonly firstSeenAt: Date;
  readonly lastTriedAt: Date;
  readonly appVersion: string;
  readonly attempts: number;
}

/** Returns the SHA-256 of environment and event, which distinguishes refused events. */
export function quarantineHash(environment: string, eventKey: string): string {
  return createHash('sha256').update(`${environment}\0${eventKey}`).digest('hex');
}

/** A refused event is retried after this long, and at once by a new version. */
const RETRY_AFTER_MS = 24 * 3_600_000;

/** Returns the time: events last tried before it are due again. */
export function retryBefore(now: Date): Date {
  return subMilliseconds(now, RETRY_AFTER_MS);
}

/** SQLSTATE classes that are about the data, not the database. */
const REASONS: Readonly<Record<string, string>> = {
  '21': 'its parts contradict each other',
  '22': 'it holds a value that the database does not take',
  '23': 'it contradicts a rule of the tables',
  '54': 'a field is larger than the database can index',
};

/** Returns whether a database error is about the given data, so that the same would be refused again and other data accepted. */
export function isAboutData(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && code.slice(0, 2) in REASONS;
}

/** Returns why an event could not be recorded, in Notif's words: never a part of the event. */
export function reasonOf(code: string): string {
  return isAboutData(code) ? (REASONS[code.slice(0, 2)] ?? '') : 'Notif could not work out what it means';
}
