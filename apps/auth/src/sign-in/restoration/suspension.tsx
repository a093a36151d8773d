import type { Accounts } from '@linnet/accounts/accounts';
import { appealSuspension, findSuspension, maxAppeal } from '@linnet/accounts/suspension-store';
import type { Suspension } from '@linnet/accounts/suspension-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { ExportSource } from '@linnet/social/export/export-archive';
import { printableLines } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type Koa from 'koa';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../audit/events.ts';
import type { Form } from '../../pages/form/form.ts';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { sendExport } from '../../pages/send-export.ts';
import { Choice } from '../../pages/views/choice.tsx';
import { ErrorSummary, PostForm, TextArea } from '../../pages/views/field.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Pending, PendingSignIn } from '../flow/pending.ts';
import { toFlowEvent } from '../flow/sign-in-flow.ts';
import type { SignInFlow } from '../flow/sign-in-flow.ts';

/** Names of the fields. `act`: `appeal`, `export` or `delete`. */
const fields = { act: 'suspension', appeal: 'appeal', confirm: 'confirm' } as const;

export interface SuspensionOptions {
  readonly db: Queryable;
  readonly accounts: Pick<Accounts, 'delete'>;
  readonly exportSource: ExportSource;
  readonly pending: Pending;
  readonly events: AuthEvents;
}

/** Also one that is sent after the proof has expired. */
export function isSuspensionForm(form: Form): boolean {
  return form.has(fields.act);
}

/** Somebody who has proven to own a suspended account. */
interface SuspendedOwner extends PendingSignIn {
  readonly suspension: Suspension;
}

/** Undefined if nobody has proven to own an account, or it is not suspended. */
export async function findSuspendedOwner(
  { db, pending }: Pick<SuspensionOptions, 'db' | 'pending'>,
  ctx: Koa.Context,
): Promise<SuspendedOwner | undefined> {
  const found = await pending.find(ctx);
  const suspension = found === undefined ? undefined : await findSuspension(db, found.accountId);
  return found === undefined || suspension === undefined ? undefined : { ...found, suspension };
}

interface SuspensionRequest {
  readonly ctx: Koa.Context;
  readonly flow: SignInFlow;
  readonly form: Form;
}

/** Does what the owner of a suspended account chose: appeal, export or deletion. Nobody is signed in. */
export async function answerSuspension(
  options: SuspensionOptions,
  { ctx, flow, form }: SuspensionRequest,
  owner: SuspendedOwner,
): Promise<void> {
  const act = form.text(fields.act);
  if (act === 'export') await download(options, { ctx, flow }, owner);
  else if (act === 'delete') await remove(options, { ctx, flow, form }, owner);
  else await appeal(options, { ctx, flow, form }, owner);
}

async function appeal({ db }: SuspensionOptions, { ctx, flow, form }: SuspensionRequest, owner: SuspendedOwner) {
  const text = form.text(fields.appeal).replaceAll('\r\n', '\n').trim();
  const { errors } = flow.frame.messages.signIn.suspension.appeal;
  const problem = text === '' ? errors.missing : errors.tooLong(maxAppeal);
  if (text === '' || [...text].length > maxAppeal) {
    renderSuspension({ ctx, flow }, owner, { typed: text, errors: { [fields.appeal]: problem } });
    return;
  }
  await appealSuspension(db, owner.accountId, text);
  redirectTo(ctx, flow.restorationHref);
}

async function download(
  { exportSource, events }: SuspensionOptions,
  { ctx, flow }: Omit<SuspensionRequest, 'form'>,
  { accountId }: SuspendedOwner,
): Promise<void> {
  if (await sendExport(ctx, exportSource, accountId)) events.dataExported({ ...toFlowEvent(flow, ctx), accountId });
  // The person has deleted the account in another window.
  else redirectTo(ctx, flow.restorationHref);
}

async function remove(
  { accounts, pending, events }: SuspensionOptions,
  { ctx, flow, form }: SuspensionRequest,
  owner: SuspendedOwner,
): Promise<void> {
  if (!form.has(fields.confirm)) {
    const { confirmMissing } = flow.frame.messages.account.deletion;
    renderSuspension({ ctx, flow }, owner, { errors: { [fields.confirm]: confirmMissing } });
    return;
  }
  const { accountId, epoch } = owner;
  const isDeleted = await accounts.delete({ accountId, epoch });
  pending.end(ctx);
  if (isDeleted) events.accountDeleted({ ...toFlowEvent(flow, ctx), accountId });
  redirectTo(ctx, pagePaths.logout, 'deleted');
}

interface PageState {
  readonly typed?: string;
  readonly errors?: FieldErrors<'appeal' | 'confirm'>;
}

export function renderSuspension(
  { ctx, flow }: Omit<SuspensionRequest, 'form'>,
  owner: SuspendedOwner,
  state: PageState = {},
): void {
  const { frame, application, leadsOut } = flow;
  const { username, suspension, deletedAt } = owner;
  const props = { frame, username, suspension, isDeleted: deletedAt !== null, isStep: application !== undefined };
  renderPage(ctx, <SuspensionPage {...props} {...state} />, {
    leadsOut,
    status: state.errors === undefined ? 200 : 422,
  });
}

interface SuspensionPageProps extends PageState {
  readonly frame: Frame;
  readonly username: string;
  readonly suspension: Suspension;
  /** The person has deleted the account as well. */
  readonly isDeleted?: boolean;
  /** Part of an interaction. */
  readonly isStep?: boolean;
}

/** Tells the owner of a suspended account, who has just given the password, what they can do. */
export function SuspensionPage(props: SuspensionPageProps): VNode {
  const { frame, username, suspension, isDeleted = false, isStep = false, errors = {} } = props;
  const { messages } = frame;
  const { suspension: texts } = messages.signIn;
  const name = <UserText strong text={`@${username}`} />;
  return (
    <Layout frame={frame} title={texts.title} kind="card" isStep={isStep}>
      <h1>{texts.title}</h1>
      <ErrorSummary frame={frame} errors={errors} />
      <p>{texts.suspended(name, messages.formatMinute(suspension.suspendedAt))}</p>
      {suspension.reason === null ? null : (
        <p class="text" dir="auto" data-testid="suspension-reason">
          {printableLines(suspension.reason)}
        </p>
      )}
      <AppealSection {...props} />
      {isDeleted ? null : <Leaving {...props} />}
    </Layout>
  );
}

function AppealSection({ frame, suspension, typed, errors = {} }: SuspensionPageProps): VNode {
  const { messages } = frame;
  const { appeal: texts } = messages.signIn.suspension;
  return (
    <section>
      <h2>{texts.title}</h2>
      {suspension.appeal === null || suspension.appealedAt === null ? (
        <PostForm frame={frame} hidden={{ [fields.act]: 'appeal' }}>
          <TextArea
            name={fields.appeal}
            label={texts.label}
            hint={texts.hint}
            value={typed}
            error={errors.appeal}
            rows={5}
            isProse
          />
          <button class="button" data-testid="appeal">
            {texts.submit}
          </button>
        </PostForm>
      ) : (
        <>
          <p>{texts.sent(messages.formatMinute(suspension.appealedAt))}</p>
          <p class="text" dir="auto">
            {printableLines(suspension.appeal)}
          </p>
        </>
      )}
    </section>
  );
}

/** What else the owner can do: take the data along, and go. */
function Leaving({ frame, username, errors = {} }: SuspensionPageProps): VNode {
  const { signIn, account } = frame.messages;
  const { suspension: texts } = signIn;
  return (
    <>
      <section>
        <h2>{account.export.title}</h2>
        <p>{texts.exportText}</p>
        <PostForm frame={frame} hidden={{ [fields.act]: 'export' }}>
          <button class="button quiet-button" data-testid="export-suspended">
            {account.export.submit}
          </button>
        </PostForm>
      </section>
      <section>
        <h2>{account.deletion.title}</h2>
        <p>{texts.deleteText}</p>
        <PostForm frame={frame} hidden={{ [fields.act]: 'delete' }}>
          <Choice
            type="checkbox"
            name={fields.confirm}
            value="1"
            label={account.deletion.confirm(<UserText strong text={`@${username}`} />)}
            checked={false}
            error={errors.confirm}
          />
          <button class="button danger-button" data-testid="delete-suspended">
            {account.deletion.submit}
          </button>
        </PostForm>
      </section>
    </>
  );
}
