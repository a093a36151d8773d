import { HashQueueFull } from '@linnet/accounts/hash-queue';
import type { RequestState } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import { ErrorPage } from '../views/error-page.tsx';
import type { CreateFrame } from './page-frame.ts';
import { renderPage, renderRefusal } from './render.tsx';

interface FallbackOptions {
  readonly events: AuthEvents;
  readonly isUnavailable: (error: unknown) => boolean;
  readonly createFrame: CreateFrame;
}

interface Failure {
  readonly status: 404 | 429 | 500 | 503;
  readonly kind: 'not-found' | 'internal' | 'unavailable';
  /** Of the problem, for clients that accept JSON. */
  readonly title: string;
}

const notFound: Failure = { status: 404, kind: 'not-found', title: 'This page does not exist' };
const internalError: Failure = { status: 500, kind: 'internal', title: 'Something went wrong on our side' };
const unavailable: Failure = { status: 503, kind: 'unavailable', title: 'Try again in a moment' };
const overloaded: Failure = { ...unavailable, status: 429 };

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
