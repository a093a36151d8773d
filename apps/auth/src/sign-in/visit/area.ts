import type { RouterContext } from '@koa/router';
import type { RequestState } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import type { PersonEvent } from '../../audit/events.ts';
import { FormRefused } from '../../pages/form/form.ts';
import type { Form } from '../../pages/form/form.ts';
import { createFormPages } from '../../pages/form/form-pages.ts';
import type { FormPage, FormPages, ListedForm, Upload } from '../../pages/form/form-pages.ts';
import { sealedFormField } from './step-up.ts';
import type { StepUp } from './step-up.ts';
import { SessionEnded } from './session-db-store.ts';
import type { SessionDb } from './session-db-store.ts';
import { redirectToSignIn, requireSignedIn } from './web.ts';
import type { SignedIn } from './signed-in.ts';
import type { Web } from './web.ts';

/** A person who is signed in requests a page, or sends a form of it. */
export interface Visit extends SignedIn {
  readonly ctx: Koa.Context;
  /** @throws Error if the path of the page has no parameter of this name. */
  readonly param: (name: string) => string;
  /** For writes that give lasting access to the account: they fail if the session has ended since the request arrived. */
  readonly sessionDb: SessionDb;
  /** The members that all events of this visit have in common. */
  readonly event: PersonEvent;
}

/**
 * When a form needs a sign-in of the last ten minutes (checklist UI13):
 * - `'recent'`: always.
 * - `'asks-password'`: from people with an authenticator app. The form asks for the password itself, which is proof
 *   enough for everyone else.
 * - `'none'`: never.
 * - a function: if it returns true for this form.
 */
type StepUpRule = 'recent' | 'asks-password' | 'none' | ((visit: Visit, form: Form) => Promise<boolean>);

/** A form of a page. */
export interface AreaForm {
  readonly stepUp: StepUpRule;
  /** Runs after the CSRF check and, if `stepUp` requires it, after the person has confirmed their identity. */
  readonly act: (visit: Visit, form: Form) => Promise<void>;
}

export interface AreaPage {
  readonly path: string;
  /** Responds with the page; without a response the visit gets 404. */
  readonly show: (visit: Visit) => Promise<void>;
  /** The page also needs a recent sign-in, so that nobody fills in a form before they have to confirm their identity. */
  readonly needsRecentSignIn?: true;
  /** The form without a field `action`. */
  readonly form?: AreaForm;
  /** The other forms, by their field `action`. */
  readonly forms?: Readonly<Record<string, AreaForm>>;
  /** A form with a file. It needs no recent sign-in: files are too large to keep while a person confirms their identity. */
  readonly upload?: Upload<Visit>;
}

/** Who may enter an area. Returns undefined if it has responded; without a response the visitor gets 404. */
export type Door = (web: Web, ctx: Koa.Context) => Promise<SignedIn | undefined>;

/**
 * Pages for people who are signed in. Unless there is another `door`, other visitors are redirected to the sign-in page,
 * and back afterwards.
 */
export function createArea(web: Web, pages: readonly AreaPage[], door: Door = requireSignedIn): FormPages {
  const area = createFormPages<Visit>({
    csrf: web.csrf,
    enter: async (ctx) => {
      const signedIn = await door(web, ctx);
      return signedIn === undefined ? undefined : toVisit(web, ctx, signedIn);
    },
    pages: pages.map((page) => announceWrites(web, toFormPage(web.stepUp, page))),
  });
  return Object.assign(area, { forms: pages.flatMap(listForms) });
}

/** Every form counts as a write, also one that fails. */
function announceWrites({ wrote }: Pick<Web, 'wrote'>, page: FormPage<Visit>): FormPage<Visit> {
  const { submit, upload, ...rest } = page;
  const announced =
    <Sent>(handle: (visit: Visit, sent: Sent) => Promise<void>) =>
    async (visit: Visit, sent: Sent): Promise<void> => {
      try {
        await handle(visit, sent);
      } finally {
        await wrote(visit.session.accountId);
      }
    };
  return {
    ...rest,
    ...(submit === undefined ? {} : { submit: announced(submit) }),
    ...(upload === undefined ? {} : { upload: { ...upload, submit: announced(upload.submit) } }),
  };
}

function toVisit({ atSession }: Web, ctx: RouterContext, signedIn: SignedIn): Visit {
  const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
  return {
    ...signedIn,
    ctx,
    param: (name) => requireParam(ctx, name),
    sessionDb: atSession(signedIn.session.uid),
    event: { requestId, clientId: undefined, accountId: signedIn.session.accountId },
  };
}

function requireParam({ params }: RouterContext, name: string): string {
  const { [name]: value } = params;
  if (value === undefined) throw new Error(`the path has no parameter ${name}`);
  return value;
}

function toFormPage(stepUp: StepUp, page: AreaPage): FormPage<Visit> {
  const { path, show, needsRecentSignIn = false, form, forms, upload } = page;
  return {
    path,
    show: async (visit) => {
      if (needsRecentSignIn && stepUp.isStale(visit.session)) stepUp.redirectToReauthenticate(visit.ctx);
      else await show(visit);
    },
    ...(form === undefined && forms === undefined ? {} : { submit: guardForms(stepUp, page) }),
    ...(upload === undefined ? {} : { upload }),
  };
}

/** Continues with the form that was sent before, if this is the form that confirms the identity. */
function guardForms(stepUp: StepUp, page: AreaPage): (visit: Visit, sent: Form) => Promise<void> {
  return async (visit, sent) => {
    const isProof = sent.has(sealedFormField);
    const confirmed = isProof ? await stepUp.confirm(visit, sent) : { session: visit.session, form: sent };
    if (confirmed === undefined) return;
    const { session, form } = confirmed;
    const current = { ...visit, session };
    const { stepUp: rule, act } = getForm(page, form);
    if (stepUp.isStale(session) && (await isStepUpNeeded(stepUp, rule, { visit: current, form }))) {
      await stepUp.askToConfirm(current, form);
    } else await unlessEnded(current, act(current, form));
  };
}

/** A session that ends while its form is handled leads to the sign-in page, as one that ended before. */
async function unlessEnded({ ctx }: Visit, acting: Promise<void>): Promise<void> {
  try {
    await acting;
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
    redirectToSignIn(ctx);
  }
}

/** @throws FormRefused if the page has no such form. */
function getForm({ form, forms = {} }: AreaPage, sent: Form): AreaForm {
  const action = sent.text('action');
  const found = Object.hasOwn(forms, action) ? forms[action] : form;
  if (found === undefined) throw new FormRefused(400, `This page has no action ${JSON.stringify(action)}.`);
  return found;
}

async function isStepUpNeeded(
  stepUp: StepUp,
  rule: StepUpRule,
  { visit, form }: { readonly visit: Visit; readonly form: Form },
): Promise<boolean> {
  if (typeof rule === 'function') return await rule(visit, form);
  if (rule === 'asks-password') return await stepUp.hasAuthenticatorApp(visit.session.accountId);
  return rule === 'recent';
}

function listForms({ path, form, forms = {}, upload }: AreaPage): readonly ListedForm[] {
  const toListed = (stepUp: StepUpRule) =>
    ({ path, kind: 'form', stepUp: typeof stepUp === 'function' ? 'by-content' : stepUp }) as const;
  return [
    ...(form === undefined ? [] : [toListed(form.stepUp)]),
    ...Object.entries(forms).map(([action, { stepUp }]) => ({ ...toListed(stepUp), action })),
    ...(upload === undefined ? [] : [{ path, kind: 'file', stepUp: 'none' } as const]),
  ];
}
