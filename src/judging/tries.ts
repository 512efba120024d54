import { compareAsc } from 'date-fns';
import type { Work } from '../lib/pauses.ts';
import { FreeText } from '../lib/text/scrub.ts';
import type { ExecutionDetail, Job } from '../service/event.ts';
import { isAside, isFailed, kindsOf, type SentenceKind, says } from './detail-kinds.ts';

/** A detail of a step, read. */
export interface Try extends ExecutionDetail {
  /** What its sentence says. */
  kinds: readonly SentenceKind[];
  /** How often its provider was selected before: a detail after another selection is a retry. */
  round: number;
}

/** What was tried at one provider, or at one integration of it. */
export interface ProviderTries {
  provider: string | null;
  /** The integration's, where a selection names it. */
  identifier: string | null;
  /** How often the provider was selected. */
  rounds: number;
  tries: Try[];
}

const SAYS_OUTCOME = new Set(['Failed', 'Warning', 'Success']);

/** Returns selections and outcomes in order; all details of a push step, as others tell whether it had a device token. */
export function* triesIn(job: Job): Work<Try[]> {
  const tries: Try[] = [];
  for (const detail of inOrder(job.details)) {
    yield;
    if (detail.selected !== null || SAYS_OUTCOME.has(detail.status) || job.type === 'push')
      tries.push({ ...detail, kinds: kindsOf(detail), round: 0 });
  }
  return tries;
}

/** By time, if each has one; else as the service lists them. */
function inOrder(details: readonly ExecutionDetail[]): readonly ExecutionDetail[] {
  if (details.some(({ createdAt }) => createdAt === null)) return details;
  return details.toSorted((a, b) => compareAsc(a.createdAt ?? 0, b.createdAt ?? 0));
}

export const isOutcome = ({ selected, status }: Try): boolean => selected === null && SAYS_OUTCOME.has(status);

const NO_TOKEN = new FreeText('No device token is left');

/** Each detail belongs to the selection before it or, if nothing was selected, to the provider that it names. */
export function* triesByProvider(job: Job, details: readonly Try[]): Work<ProviderTries[]> {
  const all = new Map<string, ProviderTries>();
  const telling = tellingOf(details);
  const first = telling.find(({ selected }) => selected !== null);
  // Details before the first selection belong to it.
  const selectedFirst = first === undefined ? telling : [first, ...telling.filter((other) => other !== first)];
  // A provider is selected for an empty list of device tokens, too, but then no message is created.
  const lacksToken = job.type === 'push' && first !== undefined && !details.some((detail) => says('made', detail));
  const named = job.provider ?? telling.find(({ provider }) => provider !== null)?.provider ?? null;
  let place = { provider: named, identifier: null as string | null };
  for (const detail of selectedFirst) {
    yield;
    const { selected } = detail;
    if (selected !== null) place = selected;
    else if (first === undefined) place = { ...place, provider: detail.provider ?? job.provider ?? place.provider };
    const key = JSON.stringify([place.provider, place.identifier]);
    const here = all.get(key) ?? { ...place, rounds: 0, tries: [] };
    all.set(key, here);
    const corrected = lacksToken && says('summary', detail) ? saying(NO_TOKEN, detail) : detail;
    if (selected === null) here.tries.push({ ...corrected, round: here.rounds });
    else here.rounds += 1;
  }
  return [...all.values()];
}

/** Selections and outcomes. Where something failed, without what only sums that up or names what the message lacks. */
function tellingOf(details: readonly Try[]): readonly Try[] {
  const telling = details.filter((detail) => detail.selected !== null || isOutcome(detail));
  const isExplained = telling.some((detail) => isOutcome(detail) && isFailed(detail) && !isAside(detail));
  return isExplained ? telling.filter((detail) => !isAside(detail)) : telling;
}

/** The detail, with another sentence. */
export function saying(sentence: FreeText, detail: Try): Try {
  return { ...detail, detail: sentence, kinds: kindsOf({ detail: sentence }) };
}
