import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { NotAdmittedError, StandingUnknownError } from '../../domain/errors.ts';
import type { Logger } from '../../domain/logger.ts';
import { type GuestPolicy, type HomeTeam, mayVisit, type Purpose, type Standing } from '../../domain/standing.ts';

/** Who is let in, asked before anything is done for them. */
export interface Admission {
  /** Rejects with `NotAdmittedError`, or with `StandingUnknownError` where Slack does not say who somebody is. */
  admit(userId: string, purpose: Purpose): Promise<void>;
}

export interface AdmissionParts {
  readonly client: WebClient;
  readonly homeTeam: () => HomeTeam;
  readonly guests: GuestPolicy;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Whoever becomes a member is one for Notif after this long at most. */
const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 5_000;

interface Kept {
  readonly standing: Standing;
  readonly until: number;
}

/**
 * Asks Slack who somebody is (users.info), at most once in five minutes. While Slack does not answer, what it said last holds; nobody is
 * let in of whom it never said anything.
 */
export function createAdmission(parts: AdmissionParts): Admission {
  const kept = new Map<string, Kept>();
  const standingOf = async (userId: string): Promise<Standing> => {
    const now = parts.now().getTime();
    const known = kept.get(userId);
    if (known !== undefined && now < known.until) return known.standing;
    const standing = await askStanding(userId, known?.standing ?? null, parts);
    kept.delete(userId);
    kept.set(userId, { standing, until: now + KEPT_MS });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return standing;
  };
  return {
    admit: async (userId, purpose) => {
      const standing = await standingOf(userId);
      if (standing === 'member' || mayVisit(purpose, parts.guests)) return;
      throw new NotAdmittedError(standing, parts.guests === 'allow');
    },
  };
}

async function askStanding(
  userId: string,
  before: Standing | null,
  { client, homeTeam, logger }: AdmissionParts,
): Promise<Standing> {
  try {
    const { user } = await client.users.info({ user: userId });
    return standingIn(user, homeTeam());
  } catch (error) {
    if (before === null) throw new StandingUnknownError(error);
    logger.warn({ err: error, before }, 'Slack did not say who somebody is: what it said before holds');
    return before;
  }
}

const User = z.object({
  team_id: z.string().optional(),
  is_restricted: z.boolean().default(false),
  is_ultra_restricted: z.boolean().default(false),
  is_stranger: z.boolean().default(false),
  enterprise_user: z.object({ enterprise_id: z.string().optional() }).optional(),
});

/** By the user object that Slack documents ("User object"): in an organization of several workspaces, members of another are members. */
function standingIn(user: unknown, home: HomeTeam): Standing {
  const { team_id: teamId, enterprise_user: enterpriseUser, ...marks } = User.parse(user);
  const isOfHome = teamId === home.teamId || isOfOrganization(enterpriseUser?.enterprise_id, home);
  if (marks.is_stranger || !isOfHome) return 'stranger';
  return marks.is_restricted || marks.is_ultra_restricted ? 'guest' : 'member';
}

function isOfOrganization(enterpriseId: string | undefined, home: HomeTeam): boolean {
  return enterpriseId !== undefined && enterpriseId === home.enterpriseId;
}
