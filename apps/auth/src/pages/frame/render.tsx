import { HashQueueFull } from '@linnet/accounts/hash-queue';
import { StorageFailed } from '@linnet/media/storage/media-storage';
import type { RequestState } from '@linnet/service/http/request-log';
import type Koa from 'koa';
import type { Context } from 'koa';
import { renderToString } from 'preact-render-to-string';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../audit/events.ts';
import { CrossSiteRequest, StaleForm, sendsNoCookies } from '../form/csrf.ts';
import { FormRefused } from '../form/form.ts';
import { ErrorPage } from '../views/error-page.tsx';
import type { ErrorKind } from '../views/error-page.tsx';
import type { Frame } from './frame.ts';
import type { CreateFrame } from './page-frame.ts';
import { setPageHeaders } from './security-headers.ts';
import type { PagePolicy } from './security-headers.ts';

/** The parameter of what has just been done. */
export const doneParameter = 'done';

/** Redirects after a successful form (303, RFC 9110 §15.4.4). The next page, which may have a query, shows `done` as a notice. */
export function redirectTo(ctx: Koa.Context, path: string, done?: string): void {
  const separator = path.includes('?') ? '&' : '?';
  ctx.status = 303;
  ctx.redirect(
    done === undefined ? path : `${path}${separator}${new URLSearchParams({ [doneParameter]: done }).toString()}`,
  );
}

/** The `done` value of the redirect, if it is one of `allowed`. Links on other sites cannot fake the notice. */
export function findDone<Word extends string>(ctx: Koa.Context, allowed: readonly Word[]): Word | undefined {
  const site = ctx.get('sec-fetch-site');
  if (site !== '' && site !== 'same-origin') return undefined;
  return allowed.find((word) => word === ctx.query[doneParameter]);
}

interface FallbackOptions {
  readonly events: AuthEvents;
  readonly isUnavailable: (error: unknown) => boolean;
  readonly createFrame: CreateFrame;
}

interface Failure {
  readonly status: 404 | 429 | 500 | 503 | 507;
  readonly kind: 'not-found' | 'internal' | 'unavailable';
  /** Of the problem, for clients that accept JSON. */
  readonly title: string;
}

const notFound: Failure = { status: 404, kind: 'not-found', title: 'This page does not exist' };
const internalError: Failure = { status: 500, kind: 'internal', title: 'Something went wrong on our side' };
const unavailable: Failure = { status: 503, kind: 'unavailable', title: 'Try again in a moment' };
const overloaded: Failure = { ...unavailable, status: 429 };
const storageFull: Failure = { ...unavailable, status: 507 };

/** Turns a missing response into 404 and a thrown error into 4xx, 500 or 503: a page, or a problem for clients that accept JSON. */
export function fallback({ events, isUnavailable, createFrame }: FallbackOptions): Koa.Middleware {
  function answer(ctx: Koa.Context, { status, kind, title }: Failure): void {
    const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
    if (status === 429 || status === 503) ctx.set('Retry-After', '2');
    ctx.vary('Accept');
    if (ctx.accepts('html', 'json') === 'json') {
      ctx.status = status;
      ctx.set('Cache-Control', 'no-store');
      ctx.type = 'application/problem+json';
      ctx.body = JSON.stringify({ type: 'about:blank', title, status, request_id: requestId });
      return;
    }
    renderPage(ctx, <ErrorPage frame={createFrame(ctx)} kind={kind} />, { status });
  }

  function toFailure(cause: unknown): Failure {
    if (cause instanceof HashQueueFull) return overloaded;
    if (cause instanceof StorageFailed) return storageFull;
    return isUnavailable(cause) ? unavailable : internalError;
  }

  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) answer(ctx, notFound);
    } catch (cause) {
      if (renderRefusal(ctx, { frame: createFrame(ctx), error: cause })) return;
      const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
      // Do not log every request when too many passwords are being checked.
      if (!(cause instanceof HashQueueFull)) events.requestFailed({ requestId, clientId: undefined, cause });
      answer(ctx, toFailure(cause));
    }
  };
}

interface PageOptions extends PagePolicy {
  readonly status?: number;
}

/** Responds with a page and its security headers. */
export function renderPage(ctx: Context, page: VNode, options: PageOptions = {}): void {
  sendPage(ctx, toHtml(page), options);
}

/** Renders a page to an HTML document. */
export function toHtml(page: VNode): string {
  return `<!DOCTYPE html>\n${renderToString(page)}\n`;
}

/** Like `renderPage`, with a document that is already rendered. */
export function sendPage(ctx: Context, html: string, { status = 200, ...policy }: PageOptions = {}): void {
  ctx.status = status;
  ctx.type = 'html';
  setPageHeaders(ctx, policy);
  ctx.body = html;
}

interface Refusal {
  readonly status: number;
  readonly kind: ErrorKind;
}

interface RefusalOptions {
  readonly frame: Frame;
  readonly error: unknown;
  /** Where the form is; defaults to the request's path. */
  readonly continueTo?: string;
}

/** Responds with an error page if `error` comes from reading or checking a form. Returns whether it did. */
export function renderRefusal(ctx: Context, { frame, error, continueTo }: RefusalOptions): boolean {
  const refusal = toRefusal(ctx, error);
  if (refusal === undefined) return false;
  const { status, kind } = refusal;
  const wayBack = error instanceof StaleForm ? (continueTo ?? `?${ctx.querystring}`) : undefined;
  renderPage(ctx, <ErrorPage frame={frame} kind={kind} continueTo={wayBack} />, { status });
  return true;
}

function toRefusal(ctx: Context, error: unknown): Refusal | undefined {
  if (error instanceof StaleForm) {
    return { status: error.status, kind: sendsNoCookies(ctx) ? 'no-cookies' : 'stale-form' };
  }
  if (error instanceof CrossSiteRequest) return { status: error.status, kind: 'cross-site' };
  if (error instanceof FormRefused) return { status: error.status, kind: 'bad-form' };
  return undefined;
}
