import Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { RequestState } from '@linnet/service/request-log';
import type Koa from 'koa';

import type { PersonEvent } from '../../audit/events.ts';
import type { Form } from '../../pages/http/form.ts';
import { mount } from '../../pages/http/mount.ts';
import type { FileField, FileForm } from '../../pages/http/file-form.ts';
import { readOwnFileForm, readOwnForm } from './own-form.ts';
import { sealedFormField } from './sensitive-forms.ts';
import type { Sensitive } from './sensitive-forms.ts';
import { requireSignedIn } from './web.ts';
import type { SignedIn } from './signed-in.ts';
import type { Web } from './web.ts';

/** A person who is signed in requests a page, or sends a form of it. */
export interface Visit extends SignedIn {
  readonly ctx: Koa.Context;
  /** @throws Error if the path of the page has no parameter of this name. */
  readonly param: (name: string) => string;
  /**
   * Returns the form that was sent. It has passed the CSRF check and, if the page declares it sensitive, the person
   * has confirmed their identity: the caller may act on it.
   * @throws FormRefused, CrossSiteRequest or StaleForm; each has its own error page.
   */
  readonly readForm: () => Promise<Form>;
  /** Like `readForm`, for a form with a file. @throws FileTooLong as well. */
  readonly readFileForm: (field: FileField) => Promise<FileForm>;
  /** The members that all events of this visit have in common. */
  readonly event: PersonEvent;
  /**
   * For forms that are sensitive depending on their content. Returns false if it has responded with the page that
   * confirms the identity; that page sends the same form again.
   */
  readonly isConfirmed: () => Promise<boolean>;
}

interface ShownPage {
  readonly path: string;
  /** Responds with the page; without a response the visit gets 404. */
  readonly show: (visit: Visit) => Promise<void>;
}

interface ActingPage extends ShownPage {
  readonly act: (visit: Visit) => Promise<void>;
  /** Which of its forms need a recent sign-in (checklist UI13). */
  readonly sensitive: Sensitive;
}

export type AreaPage = (ShownPage & { readonly act?: never; readonly sensitive?: never }) | ActingPage;

/** Pages for people who are signed in. Other visitors are redirected to the sign-in page, and back afterwards. */
export function createArea(web: Web, pages: readonly AreaPage[]): Koa.Middleware {
  const router = new Router({ sensitive: true, strict: true });
  const forSignedIn = (answer: (visit: Visit) => Promise<void>) => async (ctx: RouterContext) => {
    const signedIn = await requireSignedIn(web, ctx);
    if (signedIn !== undefined) await answer(toVisit(web, ctx, signedIn));
  };
  for (const page of pages) {
    router.get(page.path, forSignedIn(guardPage(web, page)));
    if (page.act !== undefined) router.post(page.path, forSignedIn(guardForms(web, page)));
  }
  return mount(router);
}

function toVisit(web: Web, ctx: RouterContext, signedIn: SignedIn): Visit {
  const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
  return {
    ...signedIn,
    ctx,
    param: (name) => requireParam(ctx, name),
    readForm: () => readOwnForm(web, ctx),
    readFileForm: (field) => readOwnFileForm(web, ctx, field),
    event: { requestId, clientId: undefined, accountId: signedIn.session.accountId },
    isConfirmed: async () => {
      throw new Error('isConfirmed() was called while a page is shown');
    },
  };
}

function requireParam({ params }: RouterContext, name: string): string {
  const { [name]: value } = params;
  if (value === undefined) throw new Error(`the path has no parameter ${name}`);
  return value;
}

function guardPage({ stepUp }: Web, { show, sensitive }: AreaPage): (visit: Visit) => Promise<void> {
  return async (visit) => {
    if (sensitive === 'page' && stepUp.isStale(visit.session)) stepUp.redirectToReauthenticate(visit.ctx);
    else await show(visit);
  };
}

/** Stops an action because the visit already has a response: the page that confirms the identity. */
class AlreadyAnswered extends Error {
  override readonly name = 'AlreadyAnswered';
}

/** Files are too large for the hidden field that keeps a form. */
async function refuseFile(): Promise<never> {
  throw new Error('a sensitive form cannot have files');
}

/** Gives the action a `readForm` that returns sensitive forms only after the identity is confirmed. */
function guardForms(web: Web, { act, sensitive }: ActingPage): (visit: Visit) => Promise<void> {
  const { stepUp } = web;
  return async (visit) => {
    let { session } = visit;
    let form: Form | undefined;
    const askToConfirm = async (sent: Form) => {
      await stepUp.askToConfirm({ ...visit, session }, sent);
    };
    const readForm = async (): Promise<Form> => {
      if (form !== undefined) return form;
      const sent = await visit.readForm();
      const confirmed = sent.has(sealedFormField) ? await stepUp.confirm(visit, sent) : { session, form: sent };
      if (confirmed === undefined) throw new AlreadyAnswered();
      ({ session, form } = confirmed);
      if (!stepUp.isStale(session) || !(await stepUp.isSensitive(sensitive, session, form))) return form;
      await askToConfirm(form);
      throw new AlreadyAnswered();
    };
    const isConfirmed = async (): Promise<boolean> => {
      const sent = await readForm();
      if (!stepUp.isStale(session)) return true;
      await askToConfirm(sent);
      return false;
    };
    try {
      await act({
        ...visit,
        readForm,
        isConfirmed,
        readFileForm: sensitive === false ? visit.readFileForm : refuseFile,
      });
    } catch (error) {
      if (!(error instanceof AlreadyAnswered)) throw error;
    }
  };
}
