import type { Frame, Viewer } from '../../pages/frame/frame.ts';
import type { BrowserSession } from '../../protocol/session/session.ts';

/** A person who is signed in, and the frame of pages for them. */
export interface SignedIn {
  readonly session: BrowserSession;
  readonly viewer: Viewer;
  readonly frame: Frame;
}

/** For this long after a sign-in, sensitive actions need no other proof (checklist UI13). */
const recentMs = 600_000;

export function isRecent({ signedInAt }: Pick<BrowserSession, 'signedInAt'>, now: number = Date.now()): boolean {
  return now - signedInAt.getTime() < recentMs;
}

/** Whether a passkey or authenticator app was used, and not the password alone. */
export function usedFactor({ methods }: Pick<BrowserSession, 'methods'>): boolean {
  return methods.includes('mfa');
}
