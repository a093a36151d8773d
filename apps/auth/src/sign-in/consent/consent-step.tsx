import { builtInIds } from '@linnet/applications/application/built-in-store';
import { findClientHost } from '@linnet/applications/application/application';
import type { RequestState } from '@linnet/service/http/request-log';

import type { AuthEvents } from '../../audit/events.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { hashSource } from '../../pages/frame/security-headers.ts';
import { destinationOf } from './returning-page.tsx';
import type { Web } from '../visit/web.ts';
import { isConsentRemembered } from '../../protocol/grant/consent-grant.ts';
import { InteractionEnded } from '../../protocol/authorize/interaction.ts';
import { restartPath } from '../flow/sign-in-flow.ts';
import type { InteractionRequest, InteractionStep } from '../flow/sign-in-flow.ts';
import { readDecision } from './consent-form.ts';
import { ConsentPage, stayingScript, toShownEarlier } from './consent-page.tsx';
import { UnverifiedPage } from './unverified-page.tsx';

interface ConsentOptions {
  readonly web: Web;
  readonly events: AuthEvents;
}

/** Serves the prompt `consent`: the person authorizes the application, or denies it. */
export function createConsentStep({ web, events }: ConsentOptions): InteractionStep {
  const { interactions } = web;
  return {
    show: async (request) => await show(web, request),
    submit: async ({ ctx, pending, path }, form) => {
      const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
      const { application, accountId } = pending;
      if (accountId === undefined) throw new InteractionEnded('nobody is signed in');
      const event = { requestId, clientId: application.clientId, accountId };
      const decision = readDecision(form, pending);
      if (decision.kind === 'switch-account') {
        await interactions.switchAccount(ctx);
        events.signedOut(event);
        redirectTo(ctx, path);
      } else if (decision.kind === 'deny') {
        const address = await interactions.denyConsent(ctx);
        events.consentRefused(event);
        redirectTo(ctx, address);
      } else if (decision.kind === 'ask-again' || (await web.mustVerifyEmail(accountId))) {
        redirectTo(ctx, path);
      } else {
        const address = await interactions.grantConsent(ctx, decision);
        events.consentGiven({ ...event, scope: decision.scopes.join(' ') });
        redirectTo(ctx, address);
      }
    },
  };
}

async function show(web: Web, { ctx, pending, path }: InteractionRequest): Promise<void> {
  const { application, accountId, redirectUri, scopes, earlier, isAgent, implicit, uiLocales } = pending;
  if (accountId === undefined) throw new InteractionEnded('nobody is signed in');
  // In one round trip to the database.
  const [viewer, mustVerifyEmail, facts, isPublisherUnconfirmed] = await Promise.all([
    web.findViewer(accountId),
    web.mustVerifyEmail(accountId),
    web.findApplicationFacts(application.clientId),
    application.owner !== null && web.isPublisherUnconfirmed(application.owner),
  ]);
  if (viewer === undefined) throw new InteractionEnded('the account does not exist');
  const frame = web.createFrame(ctx, { viewer, uiLocales });
  if (mustVerifyEmail) {
    const continueTo = restartPath(encodeURIComponent(pending.uid));
    const page = <UnverifiedPage {...{ frame, application, continueTo }} returnTo={path} />;
    renderPage(ctx, page, { status: 403, leadsOut: true });
    return;
  }
  if (facts === undefined) throw new InteractionEnded('the application does not exist');
  const staysOpen = !/^https?:/i.test(redirectUri);
  renderPage(
    ctx,
    <ConsentPage
      frame={frame}
      application={{
        name: application.name,
        ownerUsername: application.owner ?? undefined,
        isBuiltIn: builtInIds.includes(application.clientId),
        clientHost: findClientHost(application.clientId),
        isOnDevice: !redirectUri.startsWith('https:'),
        links: application.links,
        logo: application.logo,
        redirectHost: destinationOf(redirectUri),
        facts,
        isPublisherUnconfirmed,
      }}
      account={viewer}
      scopes={scopes}
      earlier={toShownEarlier(earlier, isConsentRemembered(application.type, redirectUri))}
      isAgent={isAgent}
      isImplicit={implicit}
      staysOpen={staysOpen}
    />,
    { leadsOut: true, ...(staysOpen ? { scriptHash: hashSource(stayingScript) } : {}) },
  );
}
