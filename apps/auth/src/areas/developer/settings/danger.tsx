import type { OwnedApplication } from '@linnet/applications/application/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { UsageSummary } from '@linnet/applications/usage/usage-report-store';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../../audit/events.ts';
import type { Frame } from '../../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import { ErrorSummary, PostForm, TextField } from '../../../pages/views/field.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { Visit } from '../../../sign-in/visit/area.ts';
import { ApplicationLayout } from '../../application/application-layout.tsx';
import type { ApplicationHeader } from '../../application/application-layout.tsx';
import type { ApplicationReports } from '../activity/reports-store.ts';
import { applicationActions, findOwned, isNameConfirmed, toForms } from '../application/application-form.ts';
import type { Change, PageWithForms } from '../application/application-form.ts';

/** Values of the parameter `done`. */
const dangerDone = ['paused', 'resumed'] as const;

interface DangerPageProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  readonly usageSummary: UsageSummary | undefined;
  /** The name typed to confirm the deletion was wrong. */
  readonly isConfirmWrong?: boolean;
  readonly done?: (typeof dangerDone)[number] | undefined;
}

/** Pauses or deletes an application. */
export function DangerPage({ isConfirmWrong = false, ...props }: DangerPageProps): VNode {
  const { frame, application, usageSummary, done } = props;
  const { application: texts, pause } = frame.messages.developer;
  return (
    <ApplicationLayout frame={frame} application={application} page="danger">
      {done === undefined ? null : (
        <Notice kind="done">{done === 'paused' ? pause.donePaused : pause.doneResumed}</Notice>
      )}
      <ErrorSummary frame={frame} errors={isConfirmWrong ? { confirm: texts.confirmWrong } : {}} />
      <PauseSection frame={frame} isPaused={application.isPaused === true} />
      <section>
        <h2>{texts.remove}</h2>
        <RemovalForm {...{ frame, application, usageSummary, isConfirmWrong }} />
      </section>
    </ApplicationLayout>
  );
}

function PauseSection({ frame, isPaused }: { readonly frame: Frame; readonly isPaused: boolean }): VNode {
  const { pause } = frame.messages.developer;
  const action = isPaused ? applicationActions.resume : applicationActions.pause;
  return (
    <section>
      <h2>{pause.title}</h2>
      <p>{isPaused ? pause.paused : pause.text}</p>
      <PostForm frame={frame} hidden={{ action }}>
        <button class="button quiet-button" data-testid={`${action}-application`}>
          {isPaused ? pause.resume : pause.submit}
        </button>
      </PostForm>
    </section>
  );
}

interface RemovalFormProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  readonly usageSummary: UsageSummary | undefined;
  /** The name typed to confirm the deletion was wrong. */
  readonly isConfirmWrong?: boolean;
}

export const removalFields = { action: applicationActions.delete } as const;

/** The consequences come before the field that confirms the deletion. */
export function RemovalForm({ frame, application, usageSummary, isConfirmWrong = false }: RemovalFormProps): VNode {
  const { application: texts } = frame.messages.developer;
  return (
    <PostForm frame={frame} hidden={removalFields} class="panel danger">
      <p>{texts.removeText}</p>
      {usageSummary === undefined ? null : <Consequences frame={frame} usageSummary={usageSummary} />}
      <TextField
        name="confirm"
        label={texts.confirm(
          <code>
            <UserText text={application.name} />
          </code>,
        )}
        error={isConfirmWrong ? texts.confirmWrong : undefined}
        autocomplete="off"
      />
      <button class="button danger-button" data-testid="delete-application">
        {texts.removeSubmit}
      </button>
    </PostForm>
  );
}

function Consequences({ frame, usageSummary }: { readonly frame: Frame; readonly usageSummary: UsageSummary }): VNode {
  const { messages } = frame;
  const { removal } = messages.developer;
  const { people, lastUsedAt, tokens, calls } = usageSummary;
  return (
    <div data-testid="what-breaks">
      <p>{removal.breaks}</p>
      <ul class="plain">
        <li>{removal.people(people)}</li>
        <li>
          {lastUsedAt === undefined ? removal.unused : removal.used(messages.formatMinute(lastUsedAt), tokens, calls)}
        </li>
      </ul>
      {lastUsedAt === undefined && people === 0 ? null : <p>{removal.pauseFirst}</p>}
    </div>
  );
}

interface DangerOptions {
  readonly applications: MyApplications;
  readonly events: AuthEvents;
  readonly reports: Pick<ApplicationReports, 'usageSummaries'>;
}

interface PageState extends Pick<DangerPageProps, 'isConfirmWrong' | 'done'> {
  readonly status?: number;
}

type DangerChange = Change<
  DangerOptions & {
    readonly find: (visit: Visit) => Promise<OwnedApplication | undefined>;
    readonly showPage: (visit: Visit, application: OwnedApplication, state: PageState) => Promise<void>;
  }
>;

/** `/developer/applications/:client_id/danger`: 404 for everyone but the owner (checklist DV2). */
export function dangerRoute(options: DangerOptions): PageWithForms {
  const find = async (visit: Visit) => await findOwned(options.applications, visit);

  const showPage = async ({ ctx, frame }: Visit, application: OwnedApplication, state: PageState): Promise<void> => {
    const { status = 200, ...changes } = state;
    const { clientId } = application;
    const usageSummary = (await options.reports.usageSummaries([clientId])).get(clientId);
    renderPage(ctx, <DangerPage {...{ frame, application, usageSummary }} {...changes} />, { status });
  };

  return {
    path: `${pagePaths.applications}/applications/:clientId/danger`,
    show: async (visit) => {
      const application = await find(visit);
      if (application !== undefined) await showPage(visit, application, { done: findDone(visit.ctx, dangerDone) });
    },
    forms: toForms({ ...options, find, showPage }, [
      [applicationActions.pause, 'none', pause],
      [applicationActions.resume, 'none', resume],
      [applicationActions.delete, 'recent', remove],
    ]),
  };
}

const pause: DangerChange = async ({ applications, events }, { visit, application: { clientId } }) => {
  if (!(await applications.pause({ ownerId: visit.session.accountId, clientId }))) return;
  events.applicationPaused({ ...visit.event, clientId });
  redirectTo(visit.ctx, pagePaths.applicationDanger(clientId), 'paused');
};

const resume: DangerChange = async ({ applications, events }, { visit, application: { clientId } }) => {
  if (!(await applications.at(visit.sessionDb).resume({ ownerId: visit.session.accountId, clientId }))) return;
  events.applicationResumed({ ...visit.event, clientId });
  redirectTo(visit.ctx, pagePaths.applicationDanger(clientId), 'resumed');
};

const remove: DangerChange = async ({ applications, events, showPage }, { visit, form, application }) => {
  const { clientId, name } = application;
  if (!isNameConfirmed(name, form.text('confirm'))) {
    await showPage(visit, application, { status: 422, isConfirmWrong: true });
    return;
  }
  await applications.delete({ ownerId: visit.session.accountId, clientId });
  events.applicationDeleted({ ...visit.event, clientId });
  redirectTo(visit.ctx, pagePaths.applications, 'deleted');
};
