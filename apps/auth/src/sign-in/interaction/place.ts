/**
 * Signing in and registering, consenting and signing out. A person signs in or registers at a place:
 * `/login` and `/register`, which lead to a page of ours, or an interaction, which leads back to the
 * application that asked for an authorization (`interaction-route`). The steps `login/login-step` and
 * `register/register-step` work at either.
 */
import type { RequestState } from '@linnet/service/request-log';
import type Koa from 'koa';

import type { RequestEvent } from '../../audit/events.ts';
import type { Web } from '../visit/web.ts';
import type { AskingApplication } from '../../protocol/authorize/interaction.ts';
import type { AuthenticationMethods } from '../../protocol/session/session.ts';
import type { Frame } from '../../pages/views/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { parseReturnTo } from '../visit/return-to.ts';

export interface Place {
  readonly frame: Frame;
  readonly loginHref: string;
  readonly registerHref: string;
  /** Where the code of an authenticator app is asked for. */
  readonly secondFactorHref: string;
  /** The application that waits, in the midst of an authorization. */
  readonly application?: AskingApplication;
  /** Where the answer to a form may lead besides our own pages; see `formActionSource`. */
  readonly formAction: readonly string[];
  /** Signs the person in under a new session id; gives the address to go on to. */
  readonly enter: (accountId: number, methods: AuthenticationMethods) => Promise<string>;
}

const returnToParameter = 'return_to';

/** The place of `/login` and `/register`: `return_to` or My applications come next. */
export function placeOfPage(web: Web, ctx: Koa.Context): Place {
  const returnTo = findReturnTo(web, ctx);
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ [returnToParameter]: returnTo }).toString()}`;
  return {
    frame: web.createFrame(ctx),
    loginHref: `${pagePaths.login}${query}`,
    registerHref: `${pagePaths.register}${query}`,
    secondFactorHref: `${pagePaths.secondFactor}${query}`,
    formAction: [],
    enter: async (accountId, methods) => {
      await web.sessions.signIn(ctx, accountId, methods);
      return returnTo ?? pagePaths.applications;
    },
  };
}

/** Where somebody goes on to who is signed in already. */
export function nextAddress(web: Web, ctx: Koa.Context): string {
  return findReturnTo(web, ctx) ?? pagePaths.applications;
}

function findReturnTo(web: Web, ctx: Koa.Context): string | undefined {
  return parseReturnTo(ctx.query[returnToParameter], web.baseUrl);
}

/** What an event at a place tells besides who it was. */
export function eventAt({ application }: Place, ctx: Koa.Context): RequestEvent {
  const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
  return { requestId, clientId: application?.clientId };
}
