import { ApiError } from './errors.ts';

const WINDOW_MS = 5000;

/** What the smallest plan may use in one window: reads and updates cost 1 token, a bulk trigger 100. */
const budgets = { global: 150, trigger: 300 } as const;
export type Budget = keyof typeof budgets;

/** Buckets of tokens that fill up again with every window of 5 seconds. */
export class RateLimits {
  readonly #buckets = new Map<Budget, { window: number; left: number }>();

  /** Takes tokens and returns the headers that say what is left. Throws the service's 429 when they do not suffice. */
  take(budget: Budget, tokens: number, now: number): Record<string, string> {
    const window = Math.floor(now / WINDOW_MS);
    const bucket = this.#buckets.get(budget);
    const left = bucket?.window === window ? bucket.left : budgets[budget];
    const secondsToReset = String(Math.ceil(((window + 1) * WINDOW_MS - now) / 1000));
    const headers = headersOf(budget, tokens, Math.max(0, left - tokens), secondsToReset);
    if (left < tokens)
      throw new ApiError(429, 'API rate limit exceeded', {}, { ...headers, 'Retry-After': secondsToReset });
    this.#buckets.set(budget, { window, left: left - tokens });
    return headers;
  }
}

function headersOf(budget: Budget, tokens: number, remaining: number, secondsToReset: string): Record<string, string> {
  const limit = budgets[budget];
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': secondsToReset,
    'RateLimit-Policy': `${limit};w=${WINDOW_MS / 1000};burst=${limit};category="${budget}";cost="${tokens}"`,
  };
}
