/** How bad an outbreak is, from a few people's own trouble to everything at its channel and provider. It rises and falls. */
export const BADNESSES = ['one', 'some', 'many', 'every'] as const;
export type Badness = (typeof BADNESSES)[number];

const rankOf = (badness: Badness): number => BADNESSES.indexOf(badness);

export const isWorse = (badness: Badness, than: Badness): boolean => rankOf(badness) > rankOf(than);

export const worseOf = (a: Badness, b: Badness): Badness => (isWorse(a, b) ? a : b);

/** Attempts of an outbreak's place in a time range: those that failed in it, and all. */
export interface Attempts {
  since: Date;
  failed: number;
  tried: number;
}

export type AttemptCounts = Omit<Attempts, 'since'>;

/** Fewer attempts can all fail by chance. */
export const FEWEST_FOR_EVERY = 5;
/** Of fewer attempts, a share says little. */
const FEWEST_FOR_A_SHARE = 10;

/** All of at least five, or nine tenths of at least ten. */
export const isEvery = ({ failed, tried }: AttemptCounts): boolean =>
  (tried >= FEWEST_FOR_EVERY && failed >= tried) || (tried >= FEWEST_FOR_A_SHARE && 10 * failed >= 9 * tried);

/** A tenth of at least ten; a single failure never is. */
const isMany = ({ failed, tried }: AttemptCounts): boolean =>
  tried >= FEWEST_FOR_A_SHARE && failed > 1 && 10 * failed >= tried;

/** What hit many at its worst still does at half that share, so that explanations don't go back and forth near the bound. */
export function isStillMany(attempts: AttemptCounts, worst: Badness): boolean {
  const wasMany = worst === 'many' || worst === 'every';
  return isMany(attempts) || (wasMany && 20 * attempts.failed >= attempts.tried);
}

/** Whom an outbreak hit, and whose fault it is. */
export interface Hit {
  failures: number;
  subscribers: number;
  isRecipientFault: boolean;
  isFaultUnknown: boolean;
}

/** What so many people have isn't their own trouble. */
const FEWEST_PEOPLE = 3;

/**
 * Whether it could be the own trouble of one or two people: it is their fault, or nobody knows whose. Such an outbreak is single if `isSingle` agrees:
 * it is posted together with others, and rings nobody.
 */
export const canBeSingle = ({ isRecipientFault, isFaultUnknown, subscribers }: Omit<Hit, 'failures'>): boolean =>
  (isRecipientFault || isFaultUnknown) && subscribers < FEWEST_PEOPLE;

/** An error of unknown fault is the recipient's only while its provider delivers to others. */
export function isSingle(hit: Omit<Hit, 'failures'>, attempts: AttemptCounts = { failed: 0, tried: 0 }): boolean {
  const hasEnough = attempts.tried >= FEWEST_FOR_A_SHARE;
  return canBeSingle(hit) && !isMany(attempts) && (hit.isRecipientFault || hasEnough);
}

/** `attempts` are of the last five minutes, or of the last hour where those have too few; null where they can't be counted. */
export function badnessOf(hit: Hit, attempts: AttemptCounts | null): Badness {
  if (attempts !== null && isEvery(attempts)) return 'every';
  if (attempts !== null && isMany(attempts)) return 'many';
  if (hit.failures <= 1) return 'one';
  return isSingle(hit, attempts ?? undefined) ? 'one' : 'some';
}
