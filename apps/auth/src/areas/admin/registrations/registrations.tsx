import { decideRequests, findRequests, registrationDecisions } from '@linnet/accounts/registrations/request-store';
import type { RegistrationDecision, RegistrationRequest } from '@linnet/accounts/registrations/request-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import { printableLines } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Form } from '../../../pages/form/form.ts';
import type { Frame } from '../../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import { Choice } from '../../../pages/views/choice.tsx';
import { ErrorSummary, PostForm, TextField } from '../../../pages/views/field.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaForm, AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { parseId, readReason, readText, reasonField, withQuery } from '../act-form.tsx';
import type { RefusedReason } from '../act-form.tsx';
import { AdminLayout, NextLink } from '../admin-layout.tsx';
import { act } from '../operator-door.tsx';
import { toMarkText } from '../people/person-facts.tsx';

const pageSize = 50;
/** The field of the checkboxes, and what the field of the reason is named after. */
const fields = { request: 'request', reason: 'registrations' } as const;

/** `taken`: some could not be approved. */
const notices = [...registrationDecisions, 'taken'] as const;

/** `/admin/registrations`: registrations that wait for a decision, oldest first. */
export function registrationsRoute(db: Queryable): AreaPage {
  async function show({ ctx, frame }: Visit, state: Partial<RegistrationsPageProps>, status = 200): Promise<void> {
    const found = await findRequests(db, { after: parseAfter(readText(ctx, 'after')), limit: pageSize + 1 });
    const requests = found.slice(0, pageSize);
    const last = found.length > pageSize ? requests.at(-1) : undefined;
    const next = last === undefined ? undefined : withQuery(ctx.path, { after: toAfter(last) });
    renderPage(ctx, <RegistrationsPage {...{ frame, requests, next, ...state }} />, { status });
  }

  async function decide(visit: Visit, decision: RegistrationDecision, form: Form): Promise<void> {
    const ids = form.all(fields.request).flatMap((text) => parseId(text) ?? []);
    const { reason, problem } = readReason(form, fields.reason);
    const chosen = { checked: ids, reason };
    if (ids.length === 0 || problem !== undefined) {
      const refused = problem === undefined ? {} : { refused: { action: fields.reason, reason, problem } };
      await show(visit, { ...chosen, ...refused, problem: ids.length === 0 ? 'noneChosen' : undefined }, 422);
      return;
    }
    const decided = await act(visit, reason, (within) => decideRequests(within, ids, { decision }));
    if (decided === undefined) return;
    const { done, taken } = decided;
    if (done.length + taken.length === 0) await show(visit, { problem: 'changedSince' }, 409);
    else redirectTo(visit.ctx, pagePaths.adminRegistrations, taken.length > 0 ? 'taken' : decision);
  }

  const toForm = (decision: RegistrationDecision): AreaForm => ({
    stepUp: 'recent',
    act: async (visit, form) => await decide(visit, decision, form),
  });

  return {
    path: pagePaths.adminRegistrations,
    show: async (visit) => await show(visit, { done: findDone(visit.ctx, notices) }),
    forms: Object.fromEntries(registrationDecisions.map((decision) => [decision, toForm(decision)])),
  };
}

type Position = Pick<RegistrationRequest, 'createdAt' | 'id'>;

function toAfter({ createdAt, id }: Position): string {
  return `${String(createdAt.getTime())}-${String(id)}`;
}

/** Malformed ones count as absent. */
function parseAfter(text: string): Position | undefined {
  const [time, id] = text.split('-', 2).map(parseId);
  // The last millisecond of a Date.
  return time === undefined || id === undefined || time > 8.64e15 ? undefined : { createdAt: new Date(time), id };
}

interface RegistrationsPageProps {
  readonly frame: Frame;
  readonly requests: readonly RegistrationRequest[];
  /** Address of the next page. */
  readonly next: string | undefined;
  readonly done?: (typeof notices)[number] | undefined;
  /** What was chosen and typed in a form that was refused. */
  readonly checked?: readonly number[];
  readonly reason?: string;
  readonly refused?: RefusedReason;
  readonly problem?: 'noneChosen' | 'changedSince' | undefined;
}

export function RegistrationsPage(props: RegistrationsPageProps): VNode {
  const { frame, requests, next, done, refused, problem } = props;
  const { registrations: texts, changedSince, reason } = frame.messages.admin;
  const error = refused === undefined ? undefined : reason.errors[refused.problem];
  const problems = { noneChosen: texts.noneChosen, changedSince };
  return (
    <AdminLayout frame={frame} page="registrations" title={texts.title}>
      <ErrorSummary
        frame={frame}
        errors={error === undefined ? {} : { [reasonField(fields.reason)]: error }}
        problem={problem === undefined ? undefined : problems[problem]}
      />
      {done === undefined ? null : <Notice kind={done === 'taken' ? 'warning' : 'done'}>{texts.done[done]}</Notice>}
      {requests.length === 0 ? <p class="empty">{texts.none}</p> : <DecisionForm {...props} error={error} />}
      <NextLink frame={frame} next={next} />
    </AdminLayout>
  );
}

function DecisionForm(props: RegistrationsPageProps & { readonly error: string | undefined }): VNode {
  const { frame, requests, checked = [], reason: typed, error } = props;
  const { registrations: texts, reason } = frame.messages.admin;
  return (
    <PostForm frame={frame} testId="decide">
      <p>{texts.intro}</p>
      <ul class="rows" data-testid="registrations">
        {requests.map((one) => (
          <li key={one.id} class="row">
            <Request frame={frame} one={one} isChecked={checked.includes(one.id)} />
          </li>
        ))}
      </ul>
      <TextField
        name={reasonField(fields.reason)}
        label={reason.label}
        hint={reason.hint}
        value={typed}
        error={error}
        autocomplete="off"
      />
      <p class="actions">
        <button class="button" name="action" value="approved">
          {texts.approve}
        </button>
        <button class="button danger-button" name="action" value="refused">
          {texts.refuse}
        </button>
      </p>
    </PostForm>
  );
}

interface RequestProps {
  readonly frame: Frame;
  readonly one: RegistrationRequest;
  readonly isChecked: boolean;
}

function Request({ frame: { messages }, one, isChecked }: RequestProps): VNode {
  const { registrations: texts } = messages.admin;
  const { id, username, displayName, email, reason, clientId, mark, createdAt } = one;
  const label = (
    <>
      <UserText text={displayName} /> <UserText text={`@${username}`} />
    </>
  );
  const facts = (
    <>
      <UserText text={email} /> ·{' '}
      {clientId === null ? (
        texts.page
      ) : (
        <a href={pagePaths.adminApplication(clientId)}>
          <UserText text={clientId} />
        </a>
      )}{' '}
      · <time datetime={createdAt.toISOString()}>{messages.formatMinute(createdAt)}</time>
      {mark === null ? null : <> · {toMarkText(messages, mark)}</>}
    </>
  );
  return (
    <>
      <Choice type="checkbox" name={fields.request} value={String(id)} label={label} text={facts} checked={isChecked} />
      {reason === '' ? null : (
        <blockquote class="text" dir="auto">
          {printableLines(reason)}
        </blockquote>
      )}
    </>
  );
}
