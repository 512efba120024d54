import { ApiError } from './errors.ts';

const WINDOW_SECONDS = 5;

/** The tokens that each plan allows per second: the defaults of the public implementation. */
const perSecond = {
  free: { global: 30, configuration: 15, trigger: 60 },
  business: { global: 300, configuration: 150, trigger: 600 },
  enterprise: { global: 3000, configuration: 1500, trigger: 6000 },
} as const;

export type Plan = keyof typeof perSecond;

/** What a request costs, and from which of a plan's budgets. */
export interface Cost {
  budget: 'global' | 'configuration' | 'trigger';
  kind: 'single' | 'bulk';
}

const tokensOf = { single: 1, bulk: 100 } as const;

/** Token buckets that refill in every window of 5 seconds. */
export class RateLimits {
  readonly #plan: Plan;
  readonly #buckets = new Map<Cost['budget'], { window: number; left: number }>();

  constructor(plan: Plan = 'free') {
    this.#plan = plan;
  }

  /** Takes tokens and returns the headers that say what is left. Throws the service's 429 if there aren't enough. */
  take(cost: Cost, now: number): Record<string, string> {
    const window = Math.floor(now / 1000 / WINDOW_SECONDS);
    const bucket = this.#buckets.get(cost.budget);
    const left = bucket?.window === window ? bucket.left : perSecond[this.#plan][cost.budget] * WINDOW_SECONDS;
    const rest = left - tokensOf[cost.kind];
    const secondsToReset = String(Math.ceil((window + 1) * WINDOW_SECONDS - now / 1000));
    const headers = this.#headers(cost, Math.max(0, rest), secondsToReset);
    if (rest < 0) throw new ApiError(429, 'API rate limit exceeded', {}, { ...headers, 'Retry-After': secondsToReset });
    this.#buckets.set(cost.budget, { window, left: rest });
    return headers;
  }

  #headers({ budget, kind }: Cost, remaining: number, secondsToReset: string): Record<string, string> {
    const limit = perSecond[this.#plan][budget] * WINDOW_SECONDS;
    const burst = Math.floor(limit * 1.1);
    return {
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': secondsToReset,
      'RateLimit-Policy': `${limit};w=${WINDOW_SECONDS};burst=${burst};comment="token bucket";category="${budget}";cost="${kind}";serviceLevel="${this.#plan}"`,
    };
  }
}
