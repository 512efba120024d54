import { createHash } from 'node:crypto';

/** An event that could not be recorded, because of what is in it. */
export interface RefusedEvent {
  readonly eventKey: string;
  readonly createdAt: Date | null;
  /** PostgreSQL's SQLSTATE, or the class of an error of Notif's own. */
  readonly code: string;
}

/** A refused event as it is kept: by a hash, without its id. */
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

/** SHA-256 of environment and event: what tells refused events apart. */
export function quarantineHash(environment: string, eventKey: string): string {
  return createHash('sha256').update(`${environment}\0${eventKey}`).digest('hex');
}

/** An event that was refused is tried again after this, and by a new version at once. */
const RETRY_AFTER_MS = 24 * 3_600_000;

/** Events last tried before then are due again. */
export function retryBefore(now: Date): Date {
  return new Date(now.getTime() - RETRY_AFTER_MS);
}

/** SQLSTATE classes that say something of the data, and nothing of the database. */
const REASONS: Readonly<Record<string, string>> = {
  '22': 'it holds a value that the database does not take',
  '23': 'it contradicts a rule of the tables',
  '54': 'a field is larger than the database can index',
};

/** Whether a code of the database is about the data it was given: the same would be refused again, and other data taken. */
export function isAboutData(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && code.slice(0, 2) in REASONS;
}

/** Why an event could not be recorded, in words of ours: never a part of the event. */
export function reasonOf(code: string): string {
  return isAboutData(code) ? (REASONS[code.slice(0, 2)] ?? '') : 'Notif could not work out what it means';
}
