import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import type { AuthenticationMethods } from '../../protocol/session/session.ts';
import type { Pending } from './pending.ts';
import { toFlowEvent } from './sign-in-flow.ts';
import type { SignInFlow } from './sign-in-flow.ts';

/** Somebody has proven to be the owner of the account, with every factor that it requires. */
export interface ProvenOwner {
  readonly accountId: number;
  readonly methods: AuthenticationMethods;
  /** The account is suspended, or is deleted and can be restored. */
  readonly isHidden: boolean;
}

/** Ends a sign-in: signs in, or shows what the owner of a hidden account can do. Returns the address to redirect to. */
export type EndSignIn = (ctx: Koa.Context, flow: SignInFlow, owner: ProvenOwner) => Promise<string>;

interface SignInEndOptions {
  readonly restoration: Pick<Pending, 'begin'>;
  readonly throttle: Pick<Throttle, 'rememberBrowser'>;
  readonly events: Pick<AuthEvents, 'signedIn'>;
}

export function createSignInEnd({ restoration, throttle, events }: SignInEndOptions): EndSignIn {
  return async (ctx, flow, { accountId, methods, isHidden }) => {
    if (isHidden) {
      await restoration.begin(ctx, accountId, methods);
      return flow.restorationHref;
    }
    const address = await flow.complete(accountId, methods);
    await throttle.rememberBrowser(ctx, accountId);
    events.signedIn({ ...toFlowEvent(flow, ctx), accountId });
    return address;
  };
}
