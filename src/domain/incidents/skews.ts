import { LABEL_KINDS, type Label, type LabelKind } from '../failures/labels.ts';

/** What the events of an incident have in common, as far as that isn't so of most events anyway. */
export type Skew =
  /** `events` of the `of` events that were looked at have it, and `usually` of all events: 0 to 1. */
  | {
      readonly is: 'label';
      readonly label: Label;
      readonly events: number;
      readonly of: number;
      readonly usually: number;
    }
  /** So few of the `of` subscribers that were hit have `events` of the `ofEvents` events. */
  | {
      readonly is: 'subscribers';
      readonly subscribers: number;
      readonly of: number;
      readonly events: number;
      readonly ofEvents: number;
    };

/** What is said of an incident: at most `MOST_SKEWS`. */
export interface Skews {
  /** The most telling first. */
  readonly found: readonly Skew[];
  /** How many of its newest events were looked at; null where that were all of them. */
  readonly newest: number | null;
}

export const NO_SKEWS: Skews = { found: [], newest: null };

/** An event of an incident that failed, once however often it did. */
export interface FailedEvent {
  readonly workflow: string;
  readonly subscriberId: string | null;
  readonly labels: readonly Label[];
}

/** How many events of a workflow there were while the incident's were created, and how many of them had a label, at most. */
export interface WorkflowEvents {
  readonly events: number;
  readonly labeled: number;
}

/** Of fewer events nothing is said: a handful has something in common by chance. */
export const FEWEST_EVENTS = 10;

/** What at least this share of the events has in common is a skew. */
const LEAST_SHARE = 0.8;

/** What more of all events have than this explains nothing, even where each that failed has it. */
const MOST_USUALLY = 0.5;

/**
 * How probable it may be, at most, that any of the labels that were looked at is as frequent by chance: each has its part of it (Bonferroni).
 * It's strict because a row is drawn many times while an incident goes on.
 */
const CHANCE = 0.001;

const MOST_SKEWS = 2;

/** Labels of a kind whose usual share is asked for: events can have hundreds in common. */
const MOST_A_KIND = 3;

/** Few subscribers are at most these, and a tenth of those that were hit, which have at least as many events as `FEWEST_HITS`. */
const MOST_SUBSCRIBERS = 3;
const PART_OF_SUBSCRIBERS = 10;
const FEWEST_HITS = 20;

/** The labels that may be a skew of some events, with whose usual share `skewsOf` decides. */
export function suspectedLabels(failed: readonly FailedEvent[]): readonly Label[] {
  if (failed.length < FEWEST_EVENTS) return [];
  return LABEL_KINDS.flatMap((kind) =>
    [...eventsByLabel(failed, kind)]
      .filter(([, events]) => events >= LEAST_SHARE * failed.length)
      .toSorted(([one, events], [other, others]) => others - events || (one < other ? -1 : 1))
      .slice(0, MOST_A_KIND)
      .map(([value]) => ({ kind, value })),
  );
}

/**
 * What at least 80% of an incident's events have in common, and at most half of all events of the same workflows created meanwhile have:
 * one label of a kind, the one that is rarest otherwise. It's said of ten events or more, and only where it would come about by chance
 * once in a thousand incidents at most. Each workflow is compared with its own events, so that a label which all events of one workflow have
 * says nothing. `usual` says of a suspected label, workflow by workflow, how many events had it; null where that isn't known.
 *
 * Of subscribers nothing is stored but who was hit. Few of them are said to have most of the events where at most three, and at most a tenth
 * of those hit, have 80%; a subscriber that most events are for anyway is named likewise.
 */
export function skewsOf(
  failed: readonly FailedEvent[],
  usual: (label: Label, workflow: string) => WorkflowEvents | null,
): readonly Skew[] {
  const labels = suspectedLabels(failed).flatMap((label) => labelSkew(label, failed, usual));
  const rarest = LABEL_KINDS.flatMap(
    (kind) => labels.filter(({ label }) => label.kind === kind).toSorted((a, b) => a.usually - b.usually)[0] ?? [],
  ).toSorted((a, b) => a.usually - b.usually);
  return [...rarest, ...subscriberSkew(failed)].slice(0, MOST_SKEWS);
}

type LabelSkew = Extract<Skew, { is: 'label' }>;

function labelSkew(
  label: Label,
  failed: readonly FailedEvent[],
  usual: Parameters<typeof skewsOf>[1],
): readonly LabelSkew[] {
  const having = failed.filter((event) => hasLabel(event, label));
  const havingIn = countsOf(having.map(({ workflow }) => workflow));
  let expected = 0;
  for (const [workflow, own] of countsOf(failed.map((event) => event.workflow))) {
    const all = usual(label, workflow);
    // What failed is among what was counted. Where it isn't, the counts are of other events, or of a value that was changed before it was kept.
    if (all === null || all.events < own || all.labeled < (havingIn.get(workflow) ?? 0)) return [];
    expected += own * (all.labeled / all.events);
  }
  const of = failed.length;
  const usually = expected / of;
  const events = having.length;
  const looked = LABEL_KINDS.reduce((sum, kind) => sum + eventsByLabel(failed, kind).size, 0);
  const isSkewed = usually <= MOST_USUALLY && chanceOf(events, of, usually) * looked <= CHANCE;
  return isSkewed ? [{ is: 'label', label, events, of, usually }] : [];
}

/**
 * An upper bound of how probable it is that so many or more of `of` events have what each has with a probability of `usually` (Chernoff's,
 * with the relative entropy; Hoeffding, JASA 1963). Events of different workflows have different probabilities, for whose mean it holds too.
 */
export function chanceOf(events: number, of: number, usually: number): number {
  const share = events / of;
  if (share <= usually) return 1;
  const others = share === 1 ? 0 : (1 - share) * Math.log((1 - share) / (1 - usually));
  return Math.exp(-of * (share * Math.log(share / usually) + others));
}

function subscriberSkew(failed: readonly FailedEvent[]): readonly Skew[] {
  const hits = failed.flatMap(({ subscriberId }) => subscriberId ?? []);
  const counts = [...countsOf(hits).values()].toSorted((a, b) => b - a);
  const most = Math.min(MOST_SUBSCRIBERS, Math.floor(counts.length / PART_OF_SUBSCRIBERS));
  if (hits.length < FEWEST_HITS) return [];
  for (let subscribers = 1; subscribers <= most; subscribers += 1) {
    const events = counts.slice(0, subscribers).reduce((sum, count) => sum + count, 0);
    if (events < LEAST_SHARE * hits.length) continue;
    return [{ is: 'subscribers', subscribers, of: counts.length, events, ofEvents: hits.length }];
  }
  return [];
}

function eventsByLabel(failed: readonly FailedEvent[], kind: LabelKind): ReadonlyMap<string, number> {
  return countsOf(
    failed.flatMap(({ labels }) => [
      ...new Set(labels.filter((label) => label.kind === kind).map(({ value }) => value)),
    ]),
  );
}

function countsOf(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function hasLabel({ labels }: FailedEvent, { kind, value }: Label): boolean {
  return labels.some((label) => label.kind === kind && label.value === value);
}
