/** A person who is signed in. Before a sensitive action, one whose sign-in is too old confirms their identity again (checklist UI13). */
import type Koa from 'koa';

import type { PersonEvent } from '../../audit/events.ts';
import type { BrowserSession } from '../../protocol/session/session.ts';
import type { Form } from '../../pages/form/form.ts';
import type { Frame, Viewer } from '../../pages/frame/frame.ts';

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

/** Hidden field of the page that confirms the identity: the form that was sent before, sealed, or `-`. */
export const sealedFormField = 'held';

export interface Reauthentication extends SignedIn {
  readonly ctx: Koa.Context;
  readonly event: PersonEvent;
}

interface Confirmed {
  /** The session, under a new id. */
  readonly session: BrowserSession;
  /** The form that was sent before. */
  readonly form: Form;
}

export interface StepUp {
  /** Whether the last sign-in is too long ago for a sensitive form. */
  isStale(session: BrowserSession): boolean;
  /** Whether a password alone does not prove the person's identity. */
  hasAuthenticatorApp(accountId: number): Promise<boolean>;
  /** Redirects to `/reauthenticate`, which leads back to the requested page. */
  redirectToReauthenticate(ctx: Koa.Context): void;
  /** Responds with the page that confirms the identity and keeps the form. */
  askToConfirm(reauthentication: Reauthentication, form: Form): Promise<void>;
  /** The form that the form of that page keeps. */
  findHeld(ctx: Koa.Context, accountId: number, form: Form): Form | undefined;
  /** Checks the form of that page. Returns undefined if it has responded: the proof was wrong, or no form was kept. */
  confirm(reauthentication: Reauthentication, form: Form): Promise<Confirmed | undefined>;
}
