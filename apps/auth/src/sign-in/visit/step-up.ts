/** Before something sensitive, who is signed in proves it again unless they did so lately (checklist UI13). */
import type Koa from 'koa';

import type { PersonEvent } from '../../audit/events.ts';
import type { BrowserSession } from '../../protocol/session/session.ts';
import type { Form } from '../../pages/http/form.ts';
import type { SignedIn } from './signed-in.ts';

/**
 * What of a page is sensitive:
 * - `true`: every form of it; a list: the forms whose hidden field `action` is one of these.
 * - `'page'`: the page too, so that nobody fills in a form to be asked afterwards.
 * - `'asks-password'`: every form, each of which asks for the password itself: that is a proof of its own, so only
 *   who has an authenticator app as well is asked.
 * - `false`: nothing.
 */
export type Sensitive = boolean | 'page' | 'asks-password' | readonly string[];

/** The hidden field of the question: what was sent to the page, sealed, or empty. */
export const heldField = 'held';

interface Asked extends SignedIn {
  readonly ctx: Koa.Context;
  readonly event: PersonEvent;
}

interface Answered {
  /** The session, under another id. */
  readonly session: BrowserSession;
  /** The form that was held. */
  readonly form: Form;
}

export interface StepUp {
  /** Whether the proof is too old for what is sensitive. */
  isStale(session: BrowserSession): boolean;
  isSensitive(sensitive: Sensitive, session: BrowserSession, form: Form): Promise<boolean>;
  /** Answers a request for a page: the question comes first, and leads back to it. */
  leadToQuestion(ctx: Koa.Context): void;
  /** Answers a form with the question, which keeps the form. */
  ask(asked: Asked, form: Form): Promise<void>;
  /** Takes the answer to the question. Undefined when this has answered: it was refused, or there is no form left. */
  answer(asked: Asked, form: Form): Promise<Answered | undefined>;
}
