import type { RouterContext } from '@koa/router';
import type { RequestState } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import type { PersonEvent } from '../../audit/events.ts';
import { FormRefused } from '../../pages/form/form.ts';
import type { Form } from '../../pages/form/form.ts';
import { StaleForm } from '../../pages/form/csrf.ts';
import { createFormPages } from '../../pages/form/form-pages.ts';
import type { FormPage, FormPages, ListedForm, Upload } from '../../pages/form/form-pages.ts';
import { findDone } from '../../pages/frame/render.tsx';
import { sealedFormField } from './step-up.ts';
import { SessionEnded } from './session-db-store.ts';
import type { SessionDb } from './session-db-store.ts';
import { redirectToSignIn, requireSignedIn, returnWords } from './web.ts';
import type { SignedIn, StepUp } from './step-up.ts';
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

/** Who may enter an area. */
export interface Door {
  /** Returns undefined if it has responded; without a response the visitor gets 404. */
  readonly enter: (web: Web, ctx: Koa.Context) => Promise<SignedIn | undefined>;
  /** Whether a person whose session has ended may learn that the page exists. */
  readonly leadsBack: (accountId: number) => Promise<boolean>;
}

const openDoor: Door = { enter: requireSignedIn, leadsBack: async () => true };

/**
 * Pages for people who are signed in. Unless there is another `door`, other visitors are redirected to the sign-in page,
 * and back afterwards, where a form that they sent is shown again.
 */
export function createArea(web: Web, pages: readonly AreaPage[], door = openDoor): FormPages {
  const area = createFormPages<Visit>({
    csrf: web.csrf,
    enter: async (ctx) => {
      const signedIn = await door.enter(web, ctx);
      return signedIn === undefined ? undefined : toVisit(web, ctx, signedIn);
    },
    turnAway: async (ctx, form) => {
      const author = web.csrf.findAuthor(ctx, form);
      if (author === undefined || (await web.sessions.current(ctx)) !== undefined) return;
      if (await door.leadsBack(author)) await keepForm(web, { ctx, accountId: author }, form);
    },
    pages: pages.map((page) => announceWrites(web, toFormPage(web, page))),
  });
  return Object.assign(area, { forms: pages.flatMap(listForms) });
}

/** The session has ended. The sign-in page leads back to the form, with what was typed. */
async function keepForm(
  { stepUp, keptForms }: Pick<Web, 'stepUp' | 'keptForms'>,
  { ctx, accountId }: { readonly ctx: Koa.Context; readonly accountId: number },
  sent: Form,
): Promise<void> {
  const form = sent.has(sealedFormField) ? stepUp.findHeld(ctx, accountId, sent) : sent;
  if (form !== undefined) await keptForms.keep(ctx, accountId, form);
  redirectToSignIn(ctx);
}

/** Every form counts as a write, also one that fails. One whose page was for somebody else is stale. */
function announceWrites({ wrote, csrf }: Pick<Web, 'wrote' | 'csrf'>, page: FormPage<Visit>): FormPage<Visit> {
  const { submit, upload, ...rest } = page;
  const announced =
    <Sent extends Form>(handle: (visit: Visit, sent: Sent) => Promise<void>) =>
    async (visit: Visit, sent: Sent): Promise<void> => {
      const { accountId } = visit.session;
      const author = csrf.findAuthor(visit.ctx, sent) ?? accountId;
      if (author !== accountId) throw new StaleForm('the page with the form was for another person');
      try {
        await handle(visit, sent);
      } finally {
        await wrote(accountId);
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

type PageParts = Pick<Web, 'stepUp' | 'keptForms'>;

function toFormPage(web: PageParts, page: AreaPage): FormPage<Visit> {
  const { stepUp } = web;
  const { path, show, needsRecentSignIn = false, form, forms, upload } = page;
  return {
    path,
    show: async (visit) => {
      if (needsRecentSignIn && stepUp.isStale(visit.session)) stepUp.redirectToReauthenticate(visit.ctx);
      else await show(await withReturned(web, visit));
    },
    ...(form === undefined && forms === undefined ? {} : { submit: guardForms(web, page) }),
    ...(upload === undefined ? {} : { upload }),
  };
}

/** If a form was sent to this page and could not be accepted, the page shows it again. */
async function withReturned({ keptForms }: PageParts, visit: Visit): Promise<Visit> {
  const why = findDone(visit.ctx, returnWords);
  if (why === undefined) return visit;
  const typed = await keptForms.find(visit.ctx, visit.session.accountId);
  return { ...visit, frame: { ...visit.frame, returned: { isSessionEnded: why === 'session-ended', typed } } };
}

/** Continues with the form that was sent before, if this is the form that confirms the identity. */
function guardForms(web: PageParts, page: AreaPage): (visit: Visit, sent: Form) => Promise<void> {
  const { stepUp, keptForms } = web;
  return async (visit, sent) => {
    if (findDone(visit.ctx, returnWords) !== undefined) await keptForms.forget(visit.ctx, visit.session.accountId);
    const isProof = sent.has(sealedFormField);
    const confirmed = isProof ? await stepUp.confirm(visit, sent) : { session: visit.session, form: sent };
    if (confirmed === undefined) return;
    const { session, form } = confirmed;
    const current = { ...visit, session };
    const { stepUp: rule, act } = getForm(page, form);
    if (stepUp.isStale(session) && (await isStepUpNeeded(stepUp, rule, { visit: current, form }))) {
      await stepUp.askToConfirm(current, form);
    } else await unlessEnded(web, { visit: current, form }, act(current, form));
  };
}

/** A session that ends while its form is handled leads to the sign-in page, as one that ended before. */
async function unlessEnded(
  web: PageParts,
  { visit: { ctx, session }, form }: { readonly visit: Visit; readonly form: Form },
  acting: Promise<void>,
): Promise<void> {
  try {
    await acting;
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
    await keepForm(web, { ctx, accountId: session.accountId }, form);
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
