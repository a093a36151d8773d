import type { Accounts } from '@linnet/accounts/accounts';
import type Koa from 'koa';

import type { AuthEvents } from '../events.ts';
import type { Throttle } from '../http/throttle.ts';
import type { Web } from '../http/web.ts';
import { createConsentStep } from './consent/consent-step.tsx';
import { createInteractionRoutes } from './interaction-route.tsx';
import { createLoginRoutes } from './login/login-route.tsx';
import { createLoginStep } from './login/login-step.tsx';
import { createLogoutRoutes } from './logout/logout-route.tsx';
import { createRegisterRoutes } from './register/register-route.tsx';
import { createRegisterStep } from './register/register-step.tsx';

interface SignInRoutesOptions {
  readonly web: Web;
  readonly accounts: Accounts;
  readonly throttle: Throttle;
  readonly events: AuthEvents;
}

/** Signing in and out, registering, and what an authorization asks of a person; see `place.ts`. */
export function createSignInRoutes({
  web,
  accounts,
  throttle,
  events,
}: SignInRoutesOptions): readonly Koa.Middleware[] {
  const login = createLoginStep({ accounts, throttle, events });
  const register = createRegisterStep({ accounts, throttle, events });
  const consent = createConsentStep({ web, events });
  return [
    createLoginRoutes({ web, step: login }),
    createRegisterRoutes({ web, step: register }),
    createLogoutRoutes({ web, events }),
    createInteractionRoutes({ web, login, register, consent }),
  ];
}
