import Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { RequestState } from '@linnet/service/request-log';
import type Koa from 'koa';

import type { PersonEvent } from '../events.ts';
import type { Form } from './form.ts';
import { mount } from './mount.ts';
import type { FileField, FileForm } from './file-form.ts';
import { readOwnFileForm, readOwnForm } from './own-form.ts';
import { requireSignedIn } from './web.ts';
import type { SignedIn, Web } from './web.ts';

/** Somebody who is signed in asks for a page, or sends a form of one. */
export interface Visit extends SignedIn {
  readonly ctx: Koa.Context;
  /** Named parts of the address. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * The form that was sent; whoever asks for it may act on it, because it came from a page of ours.
   * @throws FormRefused, CrossSiteRequest or StaleForm, each with a page of its own.
   */
  readonly readForm: () => Promise<Form>;
  /** The same for a form with a file. @throws FileTooLong besides. */
  readonly readFileForm: (field: FileField) => Promise<FileForm>;
  /** What an event tells of whatever the person does here. */
  readonly event: PersonEvent;
}

export interface AreaPage {
  readonly path: string;
  /** A visit that is not answered finds nothing: 404. */
  readonly show: (visit: Visit) => Promise<void>;
  readonly act?: (visit: Visit) => Promise<void>;
}

/** The pages of an area for people who are signed in; everybody else is led to the sign-in and back. */
export function createArea(web: Web, pages: readonly AreaPage[]): Koa.Middleware {
  const router = new Router({ sensitive: true, strict: true });
  const forSignedIn = (answer: (visit: Visit) => Promise<void>) => async (ctx: RouterContext) => {
    const signedIn = await requireSignedIn(web, ctx);
    if (signedIn === undefined) return;
    const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
    await answer({
      ...signedIn,
      ctx,
      params: ctx.params,
      readForm: () => readOwnForm(web, ctx),
      readFileForm: (field) => readOwnFileForm(web, ctx, field),
      event: { requestId, clientId: undefined, accountId: signedIn.session.accountId },
    });
  };
  for (const { path, show, act } of pages) {
    router.get(path, forSignedIn(show));
    if (act !== undefined) router.post(path, forSignedIn(act));
  }
  return mount(router);
}
