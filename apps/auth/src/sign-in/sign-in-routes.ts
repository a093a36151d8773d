import type { Accounts } from '@linnet/accounts/accounts';
import type { Registrar } from '@linnet/accounts/registrations/registrar';
import type { Db } from '@linnet/db/database';
import type { ExportSource } from '@linnet/social/export/export-archive';
import type Koa from 'koa';

import type { AuthEvents } from '../audit/events.ts';
import type { Throttle } from '../pages/throttle/throttle.ts';
import type { EndSession } from '../protocol/session/end-session.ts';
import { createConsentStep } from './consent/consent-step.tsx';
import type { Passkeys } from './factors/passkeys.ts';
import type { SecondFactor } from './factors/second-factor.ts';
import type { Pending } from './flow/pending.ts';
import { createSignInEnd } from './flow/sign-in-flow.ts';
import { createInteractionDispatcher, createInteractionSteps } from './interaction/interaction-dispatcher.tsx';
import { createLoginStep } from './login/login-step.tsx';
import { createEndSessionRoutes, createLogoutRoutes } from './logout/end-session-route.tsx';
import { createRegisterStep } from './register/register-step.tsx';
import type { RegisterStepOptions } from './register/register-step.tsx';
import { createRestorationStep } from './restoration/restoration-step.tsx';
import { createSecondFactorStep } from './second-factor/second-factor-step.tsx';
import { createSelectAccountStep } from './select-account/select-account.tsx';
import { createStandaloneRoutes } from './standalone/standalone-routes.ts';
import { createUpstreamRoutes } from './upstream/upstream-routes.tsx';
import { createUpstreamStep } from './upstream/upstream-step.tsx';
import type { Upstream } from './upstream/upstream.ts';
import type { Web } from './visit/web.ts';

interface SignInRoutesOptions {
  readonly web: Web;
  readonly db: Db;
  readonly upstream: Upstream;
  readonly registrars: ReadonlyMap<string, Registrar>;
  readonly exportSource: ExportSource;
  readonly accounts: Accounts;
  readonly registrar: Registrar;
  readonly registrationProofs: RegisterStepOptions['proofs'];
  readonly throttle: Throttle;
  readonly events: AuthEvents;
  readonly passkeys: Passkeys;
  readonly secondFactor: SecondFactor;
  /** Of sign-ins that need a code, and of those to hidden accounts. */
  readonly pending: { readonly secondFactor: Pending; readonly restoration: Pending };
  readonly endSession: EndSession;
  readonly clientAddress: RegisterStepOptions['clientAddress'];
}

/** Sign-in, registration and sign-out, by themselves and inside interactions. */
export function createSignInRoutes(options: SignInRoutesOptions): readonly Koa.Middleware[] {
  const { web, throttle, events, pending } = options;
  const endSignIn = createSignInEnd({ restoration: pending.restoration, throttle, events });
  const secondFactor = createSecondFactorStep({ ...options, pending: pending.secondFactor, endSignIn });
  const restoration = createRestorationStep({ ...options, pending: pending.restoration, endSignIn });
  const login = createLoginStep({ ...options, secondFactor, endSignIn });
  const upstream = createUpstreamStep({ ...options, secondFactorStep: secondFactor });
  const register = createRegisterStep({ ...options, proofs: options.registrationProofs, secondFactor });
  const selectAccount = createSelectAccountStep(web);
  const consent = createConsentStep({ web, events });
  const signIn = { login, register, secondFactor, upstream, restoration };
  return [
    ...createUpstreamRoutes(options),
    createStandaloneRoutes(web, signIn),
    createLogoutRoutes({ web, events }),
    createEndSessionRoutes({ web, events, endSession: options.endSession }),
    createInteractionDispatcher(web, createInteractionSteps(web, { ...signIn, selectAccount, consent })),
  ];
}
