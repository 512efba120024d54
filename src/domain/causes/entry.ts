/** A public page, always by https. */
export type PublicPage = `https://${string}`;

/**
 * Whose problem a cause is: the recipient's, the provider's, our credentials', our message's content, our limits (plan, rate,
 * balance), the network between, our setup (integration, sender, workflow), or nobody's: it works as designed.
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

/** Whether sending the same again can help: never, once the next step is done, or after so many minutes. */
export type Again = 'never' | 'once-fixed' | number;

/** What a known cause means and what to do about it. Every text is Notif's own or a team's, and ends without a full stop in `meaning`. */
export interface CauseEntry {
  /** What happened, as a sentence without its full stop. */
  readonly meaning: string;
  readonly whose: Responsible;
  readonly again: Again;
  /** The next step, as one or two sentences. */
  readonly next: string;
  /** Where that is documented. A team's own entry may have none. */
  readonly source: PublicPage | null;
}

type Some = string | readonly string[];

/**
 * How an entry is recognized. A code is `value`, or `field=value` where the number alone would be ambiguous: the field's name in small
 * letters without separators (`errcode=6`). `having` narrows a code to texts with that phrase; a broad code is shared by many errors, so
 * that any text says more. A text is a phrase of at least two words.
 */
export type Recognized =
  | { readonly code: Some; readonly having?: string; readonly isBroad?: true; readonly text?: Some }
  | { readonly text: Some; readonly code?: undefined; readonly having?: undefined; readonly isBroad?: undefined };

/** An entry of the catalog: without a source on one of its catalog's hosts it doesn't compile. */
export type CatalogueEntry<Host extends string> = Recognized &
  Omit<CauseEntry, 'source'> & { readonly source: `https://${Host}/${string}` };

/** What errors a catalog is about: those of some providers, of a channel whatever the provider, or any. */
export type Scope = { readonly providers: readonly string[] } | { readonly channel: string } | 'any';

/** What the codes in a catalog are. The kind decides which of several matches says most. */
export type CodeKind = 'own' | 'smtp' | 'network' | 'http';

export interface Catalogue {
  readonly scope: Scope;
  readonly codes: CodeKind;
  readonly hosts: readonly string[];
  readonly entries: readonly CatalogueEntry<string>[];
}

/** Makes a catalog. The hosts that its entries' sources may be on are part of its type. */
export function catalogue<const Host extends string>(given: {
  readonly scope: Scope;
  readonly codes: CodeKind;
  readonly hosts: readonly Host[];
  readonly entries: readonly CatalogueEntry<NoInfer<Host>>[];
}): Catalogue {
  return given;
}

/** One or several, as a list. */
export function listed(some: Some | undefined): readonly string[] {
  if (some === undefined) return [];
  return typeof some === 'string' ? [some] : some;
}
