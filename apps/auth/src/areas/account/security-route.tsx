import { findIdentities, unlinkIdentity } from '@linnet/accounts/identity-store';
import type { Queryable } from '@linnet/db/statement/transaction';

import type { Form } from '../../pages/form/form.ts';
import { UpstreamProblemPage, problemStatus, providerField } from '../../sign-in/upstream/upstream-page.tsx';
import { linkedParameter } from '../../sign-in/upstream/upstream-routes.tsx';
import { ProviderFailed } from '../../sign-in/upstream/upstream-client.ts';
import type { Upstream } from '../../sign-in/upstream/upstream.ts';
import type { Passkeys } from '../../sign-in/factors/passkeys.ts';
import type { SecondFactor } from '../../sign-in/factors/second-factor.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { copyScript } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { AuthenticatorPage, enrolmentField } from './new-passkey.tsx';
import { RecoveryCodesPage, SecurityPage, securityActions, securityDone } from './security-page.tsx';

interface SecurityRouteOptions {
  readonly passkeys: Passkeys;
  readonly secondFactor: SecondFactor;
  /** An account with an unconfirmed address cannot add factors: someone else may own the address. */
  readonly mustVerifyEmail: Web['mustVerifyEmail'];
  readonly db: Queryable;
  readonly upstream: Upstream;
}

/** `/account/security`: passkeys, the authenticator app, recovery codes. Triggers write the audit log. */
export function securityRoute(options: SecurityRouteOptions): AreaPage {
  const { passkeys, secondFactor } = options;
  return {
    path: pagePaths.security,
    show: async (visit) => await showAll(options, visit),
    forms: {
      [securityActions.removePasskey]: {
        stepUp: 'recent',
        act: async ({ ctx, session }, form) => {
          const id = Number(form.text('passkey_id'));
          const isRemoved = Number.isSafeInteger(id) && (await passkeys.remove(session.accountId, id));
          redirectTo(ctx, pagePaths.security, isRemoved ? 'passkey-removed' : undefined);
        },
      },
      [securityActions.linkProvider]: {
        stepUp: 'recent',
        act: async (visit, form) => await beginLink(options, visit, form),
      },
      [securityActions.removeProvider]: {
        stepUp: 'recent',
        act: removeProvider,
      },
      [securityActions.removeApp]: {
        stepUp: 'recent',
        act: async ({ ctx, session }) => {
          const isRemoved = await secondFactor.remove(session.accountId);
          redirectTo(ctx, pagePaths.security, isRemoved ? 'authenticator-removed' : undefined);
        },
      },
      [securityActions.renewCodes]: {
        stepUp: 'recent',
        act: async (visit) => await renewCodes(options, visit),
      },
    },
  };
}

async function showAll(options: SecurityRouteOptions, { ctx, frame, session }: Visit): Promise<void> {
  const { passkeys, secondFactor, mustVerifyEmail, db, upstream } = options;
  const [listed, app, isUnconfirmed, identities] = await Promise.all([
    passkeys.list(session.accountId),
    secondFactor.find(session.accountId),
    mustVerifyEmail(session.accountId),
    findIdentities(db, session.accountId),
  ]);
  const isLinked = ({ issuer }: { readonly issuer: string }) => identities.some((one) => one.issuer === issuer);
  const linkable = upstream.providers.filter((provider) => !isLinked(provider));
  const linked = upstream.providers.find(({ id }) => id === ctx.query[linkedParameter]);
  const done = linked !== undefined && isLinked(linked) ? 'provider-linked' : findDone(ctx, securityDone);
  const props = { passkeys: listed, app, isUnconfirmed, identities, linkable, done };
  const page = <SecurityPage {...props} frame={frame} arePasskeysImpossible={!passkeys.isPossible} />;
  renderPage(ctx, page, { leadsOut: linkable.length > 0 });
}

async function renewCodes({ secondFactor }: SecurityRouteOptions, visit: Visit): Promise<void> {
  const { ctx, frame, session, sessionDb } = visit;
  const codes = await secondFactor.replaceRecoveryCodes(sessionDb, session.accountId);
  if (codes === undefined) redirectTo(ctx, pagePaths.security);
  else {
    const page = <RecoveryCodesPage frame={frame} codes={codes} isAppNew={false} />;
    renderPage(ctx, page, { script: copyScript(frame) });
  }
}

async function removeProvider({ ctx, session, sessionDb }: Visit, form: Form): Promise<void> {
  const id = Number(form.text('identity_id'));
  const isRemoved = Number.isSafeInteger(id) && (await unlinkIdentity(sessionDb, session, id));
  redirectTo(ctx, pagePaths.security, isRemoved ? 'provider-removed' : 'provider-needed');
}

async function beginLink({ upstream, mustVerifyEmail }: SecurityRouteOptions, visit: Visit, form: Form): Promise<void> {
  const { ctx, frame, session } = visit;
  const { accountId } = session;
  if (await mustVerifyEmail(accountId)) {
    redirectTo(ctx, pagePaths.security);
    return;
  }
  const signedIn = { accountId, act: 'link' } as const;
  const to = { next: pagePaths.linkProvider, back: pagePaths.security, signedIn };
  try {
    redirectTo(ctx, await upstream.begin(ctx, form.text(providerField), to));
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error;
    const page = <UpstreamProblemPage frame={frame} problem={error.problem} back={pagePaths.security} />;
    renderPage(ctx, page, { status: problemStatus[error.problem] });
  }
}

/** `/account/security/authenticator`: adds an app. The response shows the recovery codes, only once. */
export function authenticatorRoute({
  secondFactor,
  mustVerifyEmail,
}: Pick<SecurityRouteOptions, 'secondFactor' | 'mustVerifyEmail'>): AreaPage {
  return {
    path: pagePaths.authenticator,
    needsRecentSignIn: true,
    show: async (visit) => {
      const { ctx, frame, session } = visit;
      const { accountId } = session;
      if ((await mustVerifyEmail(accountId)) || (await secondFactor.find(accountId)) !== undefined) {
        redirectTo(ctx, pagePaths.security);
        return;
      }
      renderPage(ctx, <AuthenticatorPage frame={frame} {...secondFactor.begin(personOf(visit))} />);
    },
    form: {
      stepUp: 'recent',
      act: async (visit, form) => {
        const { ctx, frame } = visit;
        if (await mustVerifyEmail(visit.session.accountId)) {
          redirectTo(ctx, pagePaths.security);
          return;
        }
        const typed = { sealed: form.text(enrolmentField), code: form.text('code') };
        const outcome = await secondFactor.add(visit.sessionDb, personOf(visit), typed);
        switch (outcome.kind) {
          case 'added':
            renderPage(ctx, <RecoveryCodesPage frame={frame} codes={outcome.recoveryCodes} isAppNew />, {
              script: copyScript(frame),
            });
            break;
          case 'wrong-code': {
            const error = frame.messages.factors.authenticator.wrong;
            renderPage(ctx, <AuthenticatorPage frame={frame} {...outcome.enrolment} error={error} />, { status: 422 });
            break;
          }
          case 'expired':
            redirectTo(ctx, pagePaths.authenticator);
            break;
          case 'already-added':
            redirectTo(ctx, pagePaths.security, 'authenticator-there');
        }
      },
    },
  };
}

function personOf({ session, viewer }: Visit) {
  return { accountId: session.accountId, username: viewer.username };
}
