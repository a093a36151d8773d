import type { Accounts } from '@linnet/accounts/accounts';
import { erasedFrom } from '@linnet/accounts/deletion-period';
import { UserText } from '@linnet/ui/user-text.tsx';
import type Koa from 'koa';
import type { VNode } from 'preact';

import type { Form } from '../../pages/form/form.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { PostForm } from '../../pages/views/field.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { PendingSignIn } from '../flow/pending.ts';
import { toFlowEvent } from '../flow/sign-in-flow.ts';
import type { EndSignIn, SignInFlow, SignInStep } from '../flow/sign-in-flow.ts';
import type { Web } from '../visit/web.ts';
import { answerSuspension, findSuspendedOwner, isSuspensionForm, renderSuspension } from './suspension.tsx';
import type { SuspensionOptions } from './suspension.tsx';

/** Form field: `keep` or `leave`. */
const restorationField = 'restoration';

interface RestorationPageProps {
  readonly frame: Frame;
  readonly username: string;
  readonly deletedAt: Date;
  readonly erasedAt: Date;
  /** Part of an interaction. */
  readonly isStep?: boolean;
}

/** Asks the owner of a deleted account, who has just signed in, whether to keep it. */
export function RestorationPage(props: RestorationPageProps): VNode {
  const { frame, username, deletedAt, erasedAt, isStep = false } = props;
  const { messages } = frame;
  const { restoration: texts } = messages.signIn;
  const name = <UserText strong text={`@${username}`} />;
  return (
    <Layout frame={frame} title={texts.title} kind="card" isStep={isStep}>
      <h1>{texts.title}</h1>
      <p>{texts.deleted(name, messages.formatMinute(deletedAt))}</p>
      <p>{texts.erased(messages.formatMinute(erasedAt))}</p>
      <p>{texts.keepText}</p>
      <PostForm frame={frame} class="actions">
        <button class="button" name={restorationField} value="keep" data-testid="keep-account">
          {texts.keep}
        </button>
        <button class="button quiet-button" name={restorationField} value="leave" data-testid="leave-deleted">
          {texts.leave}
        </button>
      </PostForm>
    </Layout>
  );
}

interface RestorationStepOptions extends SuspensionOptions {
  readonly accounts: Pick<Accounts, 'undoDeletion' | 'delete'>;
  readonly endSignIn: EndSignIn;
  readonly web: Pick<Web, 'csrf' | 'keptForms'>;
}

interface Owner {
  readonly accountId: number;
  readonly typed?: Form | undefined;
}

/** Follows the sign-in to a hidden account: restores a deleted one and signs in, or leaves it deleted. A suspended one cannot be restored. */
export function createRestorationStep(options: RestorationStepOptions): SignInStep {
  const { pending, web } = options;
  const { csrf, keptForms } = web;
  /** Its forms say whose they are, as the proof expires while an appeal is written. */
  const ownFlow = (ctx: Koa.Context, flow: SignInFlow, { accountId, typed }: Owner): SignInFlow => {
    const returned = typed === undefined ? undefined : { isSessionEnded: true, typed };
    return { ...flow, frame: { ...flow.frame, csrfToken: () => csrf.csrfToken(ctx, accountId), returned } };
  };
  return {
    show: async (ctx, flow) => {
      const [found, suspended] = [await pending.find(ctx), await findSuspendedOwner(options, ctx)];
      const { username = '', deletedAt = null } = found ?? {};
      if (suspended !== undefined) {
        const typed = await keptForms.find(ctx, suspended.accountId);
        renderSuspension({ ctx, flow: ownFlow(ctx, flow, { ...suspended, typed }) }, suspended);
      } else if (deletedAt !== null) render(ctx, flow, { username, deletedAt });
      // An operator may have restored it in the meantime.
      else redirectTo(ctx, flow.loginHref);
    },
    submit: async (ctx, flow, form) => {
      const suspended = await findSuspendedOwner(options, ctx);
      if (suspended !== undefined) {
        await keptForms.forget(ctx, suspended.accountId);
        await answerSuspension(options, { ctx, flow: ownFlow(ctx, flow, suspended), form }, suspended);
      } else if (isSuspensionForm(form)) {
        const author = csrf.findAuthor(ctx, form);
        if (author !== undefined) await keptForms.keep(ctx, author, form);
        redirectTo(ctx, flow.loginHref);
      } else if (form.text(restorationField) === 'keep') await keep(options, ctx, flow);
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
  const { accountId, methods, upstream } = found;
  pending.end(ctx);
  if (found.deletedAt !== null) events.accountRestored({ ...toFlowEvent(flow, ctx), accountId });
  redirectTo(ctx, await endSignIn(ctx, flow, { accountId, methods, upstream, isHidden: false }));
}

/** True also if it is no longer deleted: the form may have been sent twice. */
async function restore(
  { accounts, pending }: RestorationStepOptions,
  ctx: Koa.Context,
  { accountId, epoch }: PendingSignIn,
): Promise<boolean> {
  if (await accounts.undoDeletion({ accountId, epoch })) return true;
  return (await pending.find(ctx))?.isHidden === false;
}

interface DeletedAccount {
  readonly username: string;
  readonly deletedAt: Date;
}

function render(ctx: Koa.Context, flow: SignInFlow, { username, deletedAt }: DeletedAccount): void {
  const { frame, application, leadsOut } = flow;
  const props = { username, deletedAt, erasedAt: erasedFrom(deletedAt), isStep: application !== undefined };
  renderPage(ctx, <RestorationPage frame={frame} {...props} />, { leadsOut });
}
