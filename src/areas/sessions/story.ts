import type { Moment, Picture } from '../../engine/story.ts';
import type { World } from '../../engine/world.ts';
import type { Session } from './row.ts';

const hasExpired = (s: Session, world: World): boolean => s.expiresAt <= world.clock.now();

/** Returns the timeline of a session, with the end of its right to sign. */
export function sessionStory(s: Session, world: World): Moment[] {
  const expiry = new Date(s.expiresAt).toISOString();
  const ended: Moment =
    s.revokedAt !== undefined
      ? { at: s.revokedAt, what: 'Session revoked', tone: 'bad', about: s.id }
      : hasExpired(s, world)
        ? { at: expiry, what: 'Session expired', tone: 'warn', about: s.id }
        : { at: expiry, what: 'Session expires', due: true, about: s.id };
  const isRenamed = s.updatedAt > s.createdAt && s.updatedAt !== s.revokedAt;
  const renamed: Moment = { at: s.updatedAt, what: 'Nickname changed', detail: s.nickname, about: s.id };
  return [
    { at: s.createdAt, what: 'Session issued', detail: isRenamed ? undefined : s.nickname, about: s.id },
    ...(isRenamed ? [renamed] : []),
    ended,
  ];
}

/** Returns the picture of a session for its page: whether its key may sign. */
export function sessionPicture(s: Session, world: World): Picture {
  const because =
    s.revokedAt !== undefined
      ? 'revoked'
      : hasExpired(s, world)
        ? 'expired'
        : 'for its wallet, with the key of this session';
  return { may: [{ what: 'Sign', ok: s.revokedAt === undefined && !hasExpired(s, world), because }] };
}
