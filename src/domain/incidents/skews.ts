import { LABEL_KINDS, type Label, type LabelKind } from '../failures/labels.ts';
import { MASK } from '../text/mask.ts';

/** What an incident's events share, unless most other events share it too. */
export type Skew =
  /** `events` of the `of` examined events have it, and `usually` (0 to 1) of all events. */
  | {
      readonly is: 'label';
      readonly label: Label;
      readonly events: number;
      readonly of: number;
      readonly usually: number;
    }
  /** This few of the `of` affected subscribers have `events` of the `ofEvents` events. */
  | {
      readonly is: 'subscribers';
      readonly subscribers: number;
      readonly of: number;
      readonly events: number;
      readonly ofEvents: number;
    };

/** What is shown of an incident: at most `MOST_SKEWS`. */
export interface Skews {
  /** The most significant first. */
  readonly found: readonly Skew[];
  /** How many of its newest events were examined; null if all were. */
  readonly newest: number | null;
}

export const NO_SKEWS: Skews = { found: [], newest: null };

/** A failed event of an incident, once however often it failed. */
export interface FailedEvent {
  readonly workflow: string;
  readonly subscriberId: string | null;
  readonly labels: readonly Label[];
}

/** How many events of a workflow were created during the incident's, and at most how many of them had a label. */
export interface WorkflowEvents {
  readonly events: number;
  readonly labeled: number;
}

/** Fewer events are ignored: a handful has something in common by chance. */
export const FEWEST_EVENTS = 10;

/** The least share of the events that must have something in common for a skew. */
const LEAST_SHARE = 0.8;

/** What more of all events have than this explains nothing, even if each failed one has it. */
const MOST_USUALLY = 0.5;

/**
 * The maximum probability that any of the examined labels is as frequent by chance, divided among them (Bonferroni). It's strict because a
 * row is drawn many times during an incident.
 */
const CHANCE = 0.001;

const MOST_SKEWS = 2;

/** How many labels of a kind are compared with their usual share; events can share hundreds. */
const MOST_A_KIND = 3;

/**
 * Few subscribers are at most this many, and at most a tenth of those affected. So they need no least number of events: one of ten who has
 * four in five of them has at least 36.
 */
const MOST_SUBSCRIBERS = 3;
const PART_OF_SUBSCRIBERS = 10;

/**
 * Returns the labels that may be a skew of some events; `skewsOf` decides with their usual share. A label that was masked isn't, because all
 * events are counted by their own labels (`labelNumber`).
 */
export function suspectedLabels(failed: readonly FailedEvent[]): readonly Label[] {
  if (failed.length < FEWEST_EVENTS) return [];
  return LABEL_KINDS.flatMap((kind) =>
    [...eventsByLabel(failed, kind)]
      .filter(([value, events]) => events >= LEAST_SHARE * failed.length && !value.includes(MASK))
      .toSorted(([one, events], [other, others]) => others - events || (one < other ? -1 : 1))
      .slice(0, MOST_A_KIND)
      .map(([value]) => ({ kind, value })),
  );
}

/**
 * Returns what at least 80% of an incident's events have in common, but at most half of all events of the same workflows created meanwhile:
 * one label of a kind, the one that is otherwise rarest. Requires at least ten events, and a probability of at most one in a thousand that
 * it comes about by chance. Each workflow is compared with its own events, so that a label that all events of one workflow have means
 * nothing. `usual` returns, for a suspected label and a workflow, how many events had it; null if that isn't known.
 *
 * Of subscribers, only those affected are stored. Few of them have most of the events if at most three, and at most a tenth of those
 * affected, have 80%; this also names a subscriber that most events are for anyway.
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
    // The counts must include what failed. Otherwise they are of other events, or of a value that was changed before it was stored.
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
 * Returns an upper bound of the probability that at least this many of `of` events have what each has with a probability of `usually`
 * (Chernoff's, with the relative entropy; Hoeffding, JASA 1963). Events of different workflows have different probabilities; the bound also
 * holds for their mean.
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
