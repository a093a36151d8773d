/**
 * Routes the pages for people and their forms. No other module routes requests of browsers or reads their forms
 * (the wall `forms-only-checked`), so no form reaches the code of a page before it has passed the CSRF check.
 */
import Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { nameRoute } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import { CrossSiteRequest, StaleForm } from './csrf.ts';
import type { Csrf } from './csrf.ts';
import { FileTooLong, hasFileForm, readFileForm } from './file-form.ts';
import type { FileField, FileForm } from './file-form.ts';
import { FormRefused } from './form.ts';
import type { Form } from './form.ts';
import { readForm } from './read-form.ts';

/** A page, with the forms that are sent to its path. `Visitor` is what `enter` makes of a request. */
export interface FormPage<Visitor> {
  readonly path: string;
  /** Responds with the page; without a response the visitor gets 404. */
  readonly show: (visitor: Visitor) => Promise<void> | void;
  /** Handles a form. One of our pages sent it, in this browser. */
  readonly submit?: (visitor: Visitor, form: Form) => Promise<void>;
  /** Handles a form with a file, in addition to `submit`. */
  readonly upload?: Upload<Visitor>;
}

export interface Upload<Visitor> {
  readonly field: FileField;
  /** The file is removed afterwards, unless it was moved. */
  readonly submit: (visitor: Visitor, form: FileForm) => Promise<void>;
  /** The file is larger than the field allows. */
  readonly rejectTooLong: (visitor: Visitor) => Promise<void> | void;
}

/** A form that the server accepts; tests send each of them from other sites. */
export interface ListedForm {
  readonly path: string;
  readonly kind: 'form' | 'file';
  /** The value of the field `action`, if the page has several forms. */
  readonly action?: string;
  /** Whether it needs a recent sign-in. */
  readonly stepUp?: 'recent' | 'asks-password' | 'none' | 'by-content';
}

export interface ListedPages {
  readonly forms: readonly ListedForm[];
  /** Of every page; tests fill each with data. */
  readonly paths: readonly string[];
}

export type FormPages = Koa.Middleware & ListedPages;

interface FormPagesOptions<Visitor> {
  readonly csrf: Pick<Csrf, 'requireSameOrigin'>;
  /** Returns undefined if it has responded, for example with a redirect to the sign-in page. */
  readonly enter: (ctx: RouterContext) => Promise<Visitor | undefined>;
  /** Takes a form of this browser that `enter` did not admit, and may change the response. */
  readonly turnAway?: (ctx: RouterContext, form: Form) => Promise<void>;
  readonly pages: readonly FormPage<Visitor>[];
}

/**
 * Serves `pages`. Every POST request is read and checked first.
 * It throws FormRefused, CrossSiteRequest or StaleForm; each has its own error page.
 */
export function createFormPages<Visitor>(options: FormPagesOptions<Visitor>): FormPages {
  const { csrf, enter, pages } = options;
  const router = new Router({ sensitive: true, strict: true });
  for (const page of pages) {
    router.get(page.path, async (ctx) => {
      nameRoute(ctx, page.path);
      const visitor = await enter(ctx);
      if (visitor !== undefined) await page.show(visitor);
    });
    const { submit, upload } = page;
    if (submit === undefined) continue;
    router.post(page.path, async (ctx) => {
      nameRoute(ctx, page.path);
      const visitor = await enter(ctx);
      if (visitor === undefined) await takeTurnedAway(options, ctx);
      else if (upload === undefined || !hasFileForm(ctx)) await submit(visitor, await readOwnForm(csrf, ctx));
      else await receiveFile(csrf, ctx, { upload, visitor });
    });
  }
  const routes = router.routes();
  const middleware: Koa.Middleware = async (ctx, next) => {
    await routes(ctx as RouterContext, next); // the router adds the missing members to ctx
  };
  return Object.assign(middleware, { forms: pages.flatMap(listForms), paths: pages.map(({ path }) => path) });
}

/** A form with a file, and one that is not ours, is not read. */
async function takeTurnedAway<Visitor>(
  { csrf, turnAway }: Pick<FormPagesOptions<Visitor>, 'csrf' | 'turnAway'>,
  ctx: RouterContext,
): Promise<void> {
  if (turnAway === undefined || hasFileForm(ctx)) return;
  let form: Form;
  try {
    form = await readOwnForm(csrf, ctx);
  } catch (error) {
    if (error instanceof FormRefused || error instanceof CrossSiteRequest || error instanceof StaleForm) return;
    throw error;
  }
  await turnAway(ctx, form);
}

async function readOwnForm(csrf: Pick<Csrf, 'requireSameOrigin'>, ctx: Koa.Context): Promise<Form> {
  const form = await readForm(ctx);
  csrf.requireSameOrigin(ctx, form);
  return form;
}

async function receiveFile<Visitor>(
  csrf: Pick<Csrf, 'requireSameOrigin'>,
  ctx: Koa.Context,
  { upload, visitor }: { readonly upload: Upload<Visitor>; readonly visitor: Visitor },
): Promise<void> {
  await using form = await readUnlessTooLong(ctx, upload.field);
  if (form === undefined) {
    await upload.rejectTooLong(visitor);
    return;
  }
  csrf.requireSameOrigin(ctx, form);
  await upload.submit(visitor, form);
}

async function readUnlessTooLong(ctx: Koa.Context, field: FileField): Promise<FileForm | undefined> {
  try {
    return await readFileForm(ctx, field);
  } catch (error) {
    if (error instanceof FileTooLong) return undefined;
    throw error;
  }
}

function listForms({ path, submit, upload }: FormPage<never>): readonly ListedForm[] {
  return [
    ...(submit === undefined ? [] : [{ path, kind: 'form' } as const]),
    ...(upload === undefined ? [] : [{ path, kind: 'file' } as const]),
  ];
}
