/** A public page, always by https. */
export type PublicPage = `https://${string}`;

/**
 * Who is responsible for a cause: the recipient, the provider, our credentials, our message's content, our limits (plan, rate, balance),
 * the network between, our setup (integration, sender, workflow), or nobody, since it works as designed.
 */
export const RESPONSIBLE = [
  'recipient',
  'provider',
  'credentials',
  'content',
  'limits',
  'network',
  'setup',
  'nobody',
] as const;
export type Responsible = (typeof RESPONSIBLE)[number];

/** Whether resending can help: never, once the next step is done, or after this many minutes. */
export type Again = 'never' | 'once-fixed' | number;

/** What a known cause means and what to do about it. Every text is written by Notif or a team; `meaning` ends without a full stop. */
export interface CauseEntry {
  /** What happened, in a sentence without a full stop. */
  readonly meaning: string;
  readonly whose: Responsible;
  readonly again: Again;
  /** The next step, in one or two sentences. */
  readonly next: string;
  /** Where that is documented. A team's own entry may have no source. */
  readonly source: PublicPage | null;
}

type Some = string | readonly string[];

/**
 * How an entry is recognized. A code is `value`, or `field=value` if the number alone would be ambiguous, with the field's name in
 * lowercase without separators (`errcode=6`). `having` limits a code to texts with one of these words or phrases; a broad code is shared by many errors, so
 * any matching text is more specific. A broad code of the network says only where a mail client was when it failed, so a mail server's
 * reply is more specific than it and its texts. A text is a phrase of at least two words.
 */
export type Recognized =
  | { readonly code: Some; readonly having?: Some; readonly isBroad?: boolean; readonly text?: Some }
  | { readonly text: Some; readonly code?: undefined; readonly having?: undefined; readonly isBroad?: undefined };

type PageOn<Host extends string> = `https://${Host}/${string}`;

/** An entry of the catalog. It compiles only with a source on one of its catalog's hosts. */
export type CatalogueEntry<Host extends string> = Recognized &
  Omit<CauseEntry, 'source'> & { readonly source: PageOn<Host> };

/** The errors that a catalog covers: those of some providers, of a channel with any provider, or all. */
export type Scope = { readonly providers: readonly string[] } | { readonly channel: string } | 'any';

/** The kind of a catalog's codes, which decides which of several matches is the most specific. */
export type CodeKind = 'own' | 'smtp' | 'network' | 'http';

export interface Catalogue {
  readonly scope: Scope;
  readonly codes: CodeKind;
  readonly hosts: readonly string[];
  readonly entries: readonly CatalogueEntry<string>[];
}

/** An entry as it's written: without a source, it has its catalog's. */
type GivenEntry<Host extends string> = Recognized & Omit<CauseEntry, 'source'> & { readonly source?: PageOn<Host> };

/**
 * Makes a catalog. Its type includes the hosts that its sources can be on; `source` is that of the entries without one, if need be by an
 * entry's first code ('' if it has none).
 */
export function catalogue<const Host extends string>(given: {
  readonly scope: Scope;
  readonly codes: CodeKind;
  readonly hosts: readonly Host[];
  readonly source: PageOn<NoInfer<Host>> | ((code: string) => PageOn<NoInfer<Host>>);
  readonly entries: readonly GivenEntry<NoInfer<Host>>[];
}): Catalogue {
  const { source, entries, ...about } = given;
  const sourceOf = typeof source === 'string' ? () => source : source;
  return { ...about, entries: entries.map((entry) => ({ source: sourceOf(listed(entry.code)[0] ?? ''), ...entry })) };
}

/** Returns one or several as a list. */
export function listed(some: Some | undefined): readonly string[] {
  if (some === undefined) return [];
  return typeof some === 'string' ? [some] : some;
}
