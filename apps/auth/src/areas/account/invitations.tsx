import {
  createPersonalInvitation,
  deleteInvitation,
  findPersonalInvitations,
  personalLimits,
} from '@linnet/accounts/registrations/invitation-store';
import type { Invitation } from '@linnet/accounts/registrations/invitation-store';
import { isPrintable } from '@linnet/contract/name-text';
import type { Queryable } from '@linnet/db/statement/transaction';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Form } from '../../pages/form/form.ts';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { ErrorSummary, Options, PostForm, TextField, fieldId } from '../../pages/views/field.tsx';
import { CopyScript, Copyable, Notice, copyScript } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { AccountLayout } from './account-layout.tsx';
import { Paging, readNumberedPage } from './paging.tsx';
import type { Around } from './paging.tsx';

const actions = { create: 'create', end: 'end' } as const;
/** Choices of the field `days`. */
const allDays = [1, 7, personalLimits.days] as const;
const maxNote = 200;
const invitationsDone = ['ended'] as const;

interface InvitationsRouteOptions {
  readonly db: Queryable;
  readonly web: Pick<Web, 'baseUrl' | 'mustVerifyEmail'>;
  readonly throttle: Pick<Throttle, 'countInvitation'>;
}

/** `/account/invitations`: links with which others can register, if the operator lets people invite. Triggers write the audit log. */
export function invitationsRoute(options: InvitationsRouteOptions): AreaPage {
  const { db } = options;
  return {
    path: pagePaths.invitations,
    show: async (visit) => await show(options, visit),
    forms: {
      [actions.create]: { stepUp: 'none', act: async (visit, form) => await create(options, visit, form) },
      [actions.end]: {
        stepUp: 'none',
        act: async ({ ctx, session }, form) => {
          const id = form.text('id');
          const isKnown = /^[1-9]\d{0,14}$/.test(id) && (await deleteInvitation(db, Number(id), session.accountId));
          redirectTo(ctx, pagePaths.invitations, isKnown ? 'ended' : undefined);
        },
      },
    },
  };
}

async function create(options: InvitationsRouteOptions, visit: Visit, form: Form): Promise<void> {
  const { web, throttle } = options;
  const { ctx, frame, session, sessionDb } = visit;
  if (!frame.mayInvite) return;
  const { invitation, values, errors } = readForm(form, frame);
  if (invitation === undefined || (await web.mustVerifyEmail(session.accountId))) {
    await show(options, visit, { values, errors, status: 422 });
    return;
  }
  const wait = await throttle.countInvitation(session.accountId);
  if (wait !== undefined) {
    ctx.set('Retry-After', String(wait));
    await show(options, visit, { values, problem: 'throttled', status: 429 });
    return;
  }
  const created = await createPersonalInvitation(sessionDb, session.accountId, invitation);
  if (created === undefined) await show(options, visit, { values, problem: 'full', status: 422 });
  else await show(options, visit, { link: `${web.baseUrl}${pagePaths.register}?invitation=${created.code}` });
}

/** What was typed. */
interface Values {
  readonly note?: string;
  readonly uses?: string;
  readonly days?: string;
}

function readForm(form: Form, { messages }: Frame) {
  const values = { note: form.text('note').trim(), uses: form.text('uses').trim(), days: form.text('days') };
  const { errors: texts } = messages.invitations;
  const days = allDays.find((one) => String(one) === values.days) ?? allDays[1];
  const maxUses = /^\d{1,3}$/.test(values.uses) ? Number(values.uses) : 0;
  const isNote = values.note === '' || (values.note.length <= maxNote && isPrintable(values.note));
  const areUses = maxUses >= 1 && maxUses <= personalLimits.uses;
  const errors = {
    ...(isNote ? {} : { note: texts.note(maxNote) }),
    ...(areUses ? {} : { uses: texts.uses(personalLimits.uses) }),
  };
  return { values, errors, invitation: isNote && areUses ? { note: values.note, maxUses, days } : undefined };
}

interface State {
  readonly values?: Values;
  readonly errors?: FieldErrors<'note' | 'uses'>;
  readonly problem?: 'throttled' | 'full';
  /** Of the invitation that was made now. */
  readonly link?: string;
}

async function show(
  { db, web }: InvitationsRouteOptions,
  { ctx, frame, session }: Visit,
  { status = 200, ...state }: State & { readonly status?: number } = {},
): Promise<void> {
  if (!frame.mayInvite) return;
  const [{ items, around }, isUnconfirmed] = await Promise.all([
    readNumberedPage(ctx, async (part) => await findPersonalInvitations(db, session.accountId, part)),
    web.mustVerifyEmail(session.accountId),
  ]);
  const done = findDone(ctx, invitationsDone);
  const props = { frame, invitations: items, isUnconfirmed, now: new Date(), done, ...around, ...state };
  renderPage(ctx, <InvitationsPage {...props} />, { status, script: copyScript(frame) });
}

interface InvitationsPageProps extends State, Around {
  readonly frame: Frame;
  readonly invitations: readonly Invitation[];
  readonly now: Date;
  /** The address has to be confirmed before the person can invite. */
  readonly isUnconfirmed?: boolean;
  readonly done?: (typeof invitationsDone)[number] | undefined;
}

/** Links with which others can register. */
export function InvitationsPage(props: InvitationsPageProps): VNode {
  const { frame, invitations, now, isUnconfirmed = false, done, link, errors = {}, problem, newer, older } = props;
  const { invitations: texts, email, developer } = frame.messages;
  return (
    <AccountLayout frame={frame} page="invitations" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      {done === undefined ? null : <Notice kind="done">{texts.ended}</Notice>}
      <ErrorSummary
        frame={frame}
        errors={errors}
        problem={problem === undefined ? undefined : texts.problems[problem](personalLimits.valid)}
      />
      {link === undefined ? null : <NewLink frame={frame} link={link} />}
      {isUnconfirmed ? (
        <Notice kind="warning">
          {email.required.title}. <a href={pagePaths.email}>{developer.list.confirm}</a>
        </Notice>
      ) : (
        <CreateForm {...props} />
      )}
      <section>
        <h2>{texts.listTitle}</h2>
        {invitations.length === 0 ? (
          <p class="empty">{texts.none}</p>
        ) : (
          <PostForm frame={frame} hidden={{ action: actions.end }}>
            <ul class="rows" data-testid="invitations">
              {invitations.map((one) => (
                <InvitationRow key={one.id} {...{ frame, now }} invitation={one} />
              ))}
            </ul>
          </PostForm>
        )}
        <Paging {...{ frame, newer, older }} label={texts.listTitle} />
      </section>
    </AccountLayout>
  );
}

function NewLink({ frame, link }: { readonly frame: Frame; readonly link: string }): VNode {
  const { invitations: texts } = frame.messages;
  return (
    <Notice kind="done">
      <p>{texts.created}</p>
      <Copyable frame={frame} testId="invitation-link">
        {link}
      </Copyable>
      <CopyScript frame={frame} />
    </Notice>
  );
}

function CreateForm({ frame, values = {}, errors = {} }: InvitationsPageProps): VNode {
  const { invitations: texts, form } = frame.messages;
  const { note, uses = '1', days = String(allDays[1]) } = values;
  const daysId = fieldId('days');
  return (
    <PostForm frame={frame} hidden={{ action: actions.create }} class="panel">
      <TextField
        name="note"
        label={texts.note}
        value={note}
        hint={texts.noteHint}
        error={errors.note}
        optional={form.optional}
        autocomplete="off"
      />
      <TextField
        name="uses"
        label={texts.uses}
        value={uses}
        hint={texts.usesHint(personalLimits.uses)}
        error={errors.uses}
        autocomplete="off"
      />
      <div class="field">
        <label for={daysId}>{texts.days}</label>
        <Options
          id={daysId}
          name="days"
          chosen={days}
          options={allDays.map((one) => [String(one), texts.inDays(one)])}
        />
      </div>
      <p class="quiet small">{texts.limit(personalLimits.valid)}</p>
      <button class="button" data-testid="create-invitation">
        {texts.submit}
      </button>
    </PostForm>
  );
}

interface InvitationRowProps {
  readonly frame: Frame;
  readonly invitation: Invitation;
  readonly now: Date;
}

function InvitationRow({ frame, invitation, now }: InvitationRowProps): VNode {
  const { invitations: texts, formatMinute, formatDay } = frame.messages;
  const { id, note, uses, maxUses, createdAt, expiresAt } = invitation;
  const headingId = `invitation-${String(id)}`;
  const isOver = expiresAt <= now || uses >= maxUses;
  return (
    <li class="row with-action">
      <div>
        <h3 id={headingId}>
          {note === '' ? texts.unnamed(formatDay(createdAt)) : <UserText text={note} />}
          {isOver ? <span class="tag">{texts.over}</span> : null}
        </h3>
        <p class="quiet small">
          {texts.used(uses, maxUses)} ·{' '}
          <time datetime={expiresAt.toISOString()}>{texts.until(formatMinute(expiresAt))}</time>
        </p>
      </div>
      {isOver ? null : (
        <button
          class="button quiet-button"
          name="id"
          value={id}
          data-testid="end-invitation"
          aria-describedby={headingId}
        >
          {texts.end}
        </button>
      )}
    </li>
  );
}
