import type { Accounts } from '@linnet/accounts/accounts';
import { erasedFrom } from '@linnet/accounts/deletion-period';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Pending, PendingSignIn } from '../flow/pending.ts';
import type { EndSignIn } from '../flow/sign-in-end.ts';
import { toFlowEvent } from '../flow/sign-in-flow.ts';
import type { SignInFlow, SignInStep } from '../flow/sign-in-flow.ts';
import { RestorationPage, restorationField } from './restoration-page.tsx';

interface RestorationStepOptions {
  readonly accounts: Pick<Accounts, 'undoDeletion'>;
  readonly pending: Pending;
  readonly endSignIn: EndSignIn;
  readonly events: AuthEvents;
}

/** Follows the sign-in to a deleted account: restores it and signs in, or leaves it deleted. */
export function createRestorationStep(options: RestorationStepOptions): SignInStep {
  const { pending } = options;
  return {
    show: async (ctx, flow) => {
      const found = await pending.find(ctx);
      // An operator may have restored it in the meantime.
      if (found?.deletedAt instanceof Date) render(ctx, flow, { username: found.username, deletedAt: found.deletedAt });
      else redirectTo(ctx, flow.loginHref);
    },
    submit: async (ctx, flow, form) => {
      if (form.text(restorationField) === 'keep') await keep(options, ctx, flow);
      else {
        pending.end(ctx);
        if (flow.application === undefined) redirectTo(ctx, pagePaths.logout, 'deleted');
        else redirectTo(ctx, flow.loginHref);
      }
    },
  };
}

async function keep(options: RestorationStepOptions, ctx: Koa.Context, flow: SignInFlow): Promise<void> {
  const { pending, endSignIn, events } = options;
  const found = await pending.find(ctx);
  if (found === undefined || !(await restore(options, ctx, found))) {
    redirectTo(ctx, flow.loginHref);
    return;
  }
  const { accountId, methods } = found;
  pending.end(ctx);
  if (found.deletedAt !== null) events.accountRestored({ ...toFlowEvent(flow, ctx), accountId });
  redirectTo(ctx, await endSignIn(ctx, flow, { accountId, methods, isDeleted: false }));
}

/** True also if it is no longer deleted: the form may have been sent twice. */
async function restore(
  { accounts, pending }: RestorationStepOptions,
  ctx: Koa.Context,
  { accountId, epoch }: PendingSignIn,
): Promise<boolean> {
  if (await accounts.undoDeletion({ accountId, epoch })) return true;
  return (await pending.find(ctx))?.deletedAt === null;
}

interface DeletedAccount {
  readonly username: string;
  readonly deletedAt: Date;
}

function render(ctx: Koa.Context, flow: SignInFlow, { username, deletedAt }: DeletedAccount): void {
  const { frame, application, formAction } = flow;
  const props = { username, deletedAt, erasedAt: erasedFrom(deletedAt), isStep: application !== undefined };
  renderPage(ctx, <RestorationPage frame={frame} {...props} />, { formAction });
}
