import { InputError } from '../../domain/errors.ts';
import { watchesMeant } from '../../domain/watches/numbered-watches.ts';
import type { Watch } from '../../domain/watches/watch.ts';

export interface EndWatchStore {
  watches(channel: string): Promise<Watch[]>;
  watch(watchId: string): Promise<Watch | null>;
  endWatch(watchId: string, by: string, now: Date): Promise<boolean>;
}

export interface EndWatchParts {
  readonly store: EndWatchStore;
  readonly now: () => Date;
}

export type Ending =
  | { readonly is: 'ended'; readonly watch: Watch }
  | { readonly is: 'ended-before' }
  /** `NOTIF_DIGEST_CHANNEL` requires it. */
  | { readonly is: 'configured' };

export async function endWatch(watchId: string, by: string, { store, now }: EndWatchParts): Promise<Ending> {
  const watch = await store.watch(watchId);
  if (watch === null) return { is: 'ended-before' };
  if (watch.createdBy === null) return { is: 'configured' };
  return (await store.endWatch(watchId, by, now())) ? { is: 'ended', watch } : { is: 'ended-before' };
}

/** Returns a channel's watch to remove: by its number, or the only one. Throws an `InputError` if that isn't clear. */
export async function watchToEnd(channel: string, number: number | null, { store }: EndWatchParts): Promise<Watch> {
  const [first, ...others] = watchesMeant(number, await store.watches(channel));
  if (others.length === 0) return first;
  const question = `This channel has ${others.length + 1} watches. Which one? /notif watches lists them with their numbers.`;
  throw new InputError('number', question, '/notif unwatch 2');
}
