import Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { RequestState } from '@linnet/service/request-log';
import type Koa from 'koa';

import type { PersonEvent } from '../../audit/events.ts';
import type { Form } from '../../pages/http/form.ts';
import { mount } from '../../pages/http/mount.ts';
import type { FileField, FileForm } from '../../pages/http/file-form.ts';
import { readOwnFileForm, readOwnForm } from './own-form.ts';
import { heldField } from './step-up.ts';
import type { Sensitive } from './step-up.ts';
import { requireSignedIn } from './web.ts';
import type { SignedIn } from './signed-in.ts';
import type { Web } from './web.ts';

/** Somebody who is signed in asks for a page, or sends a form of one. */
export interface Visit extends SignedIn {
  readonly ctx: Koa.Context;
  /** Named parts of the address. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * The form that was sent; whoever asks for it may act on it, because it came from a page of ours, and from who
   * proved lately who they are, where the page says that it is sensitive.
   * @throws FormRefused, CrossSiteRequest or StaleForm, each with a page of its own.
   */
  readonly readForm: () => Promise<Form>;
  /** The same for a form with a file. @throws FileTooLong besides. */
  readonly readFileForm: (field: FileField) => Promise<FileForm>;
  /** What an event tells of whatever the person does here. */
  readonly event: PersonEvent;
  /**
   * For a form of which only its content tells that it is sensitive: whether the person proved lately who they
   * are. Otherwise this has answered with the question, which leads back to the same form.
   */
  readonly isConfirmed: () => Promise<boolean>;
}

interface ShownPage {
  readonly path: string;
  /** A visit that is not answered finds nothing: 404. */
  readonly show: (visit: Visit) => Promise<void>;
}

interface ActingPage extends ShownPage {
  readonly act: (visit: Visit) => Promise<void>;
  /** Which of its forms need a recent proof of who it is (checklist UI13). */
  readonly sensitive: Sensitive;
}

export type AreaPage = (ShownPage & { readonly act?: never; readonly sensitive?: never }) | ActingPage;

/** The pages of an area for people who are signed in; everybody else is led to the sign-in and back. */
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
    params: ctx.params,
    readForm: () => readOwnForm(web, ctx),
    readFileForm: (field) => readOwnFileForm(web, ctx, field),
    event: { requestId, clientId: undefined, accountId: signedIn.session.accountId },
    isConfirmed: async () => {
      throw new Error('only a form is confirmed');
    },
  };
}

function guardPage({ stepUp }: Web, { show, sensitive }: AreaPage): (visit: Visit) => Promise<void> {
  return async (visit) => {
    if (sensitive === 'page' && stepUp.isStale(visit.session)) stepUp.leadToQuestion(visit.ctx);
    else await show(visit);
  };
}

/** What a form asked for comes later, or not at all: the visit has its answer. */
class AnsweredOtherwise extends Error {
  override readonly name = 'AnsweredOtherwise';
}

/** A file cannot be held until the question is answered. */
async function refuseFile(): Promise<never> {
  throw new Error('a sensitive form has no files');
}

/** No form is acted on before it was read, and none is handed over that needs a proof first. */
function guardForms(web: Web, { act, sensitive }: ActingPage): (visit: Visit) => Promise<void> {
  const { stepUp } = web;
  return async (visit) => {
    let { session } = visit;
    let form: Form | undefined;
    const ask = async (sent: Form) => {
      await stepUp.ask({ ...visit, session }, sent);
    };
    const readForm = async (): Promise<Form> => {
      if (form !== undefined) return form;
      const sent = await visit.readForm();
      const answered = sent.has(heldField) ? await stepUp.answer(visit, sent) : { session, form: sent };
      if (answered === undefined) throw new AnsweredOtherwise();
      ({ session, form } = answered);
      if (!stepUp.isStale(session) || !(await stepUp.isSensitive(sensitive, session, form))) return form;
      await ask(form);
      throw new AnsweredOtherwise();
    };
    const isConfirmed = async (): Promise<boolean> => {
      const sent = await readForm();
      if (!stepUp.isStale(session)) return true;
      await ask(sent);
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
      if (!(error instanceof AnsweredOtherwise)) throw error;
    }
  };
}
