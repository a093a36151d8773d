import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { UsageSummary } from '@linnet/applications/usage/usage-report-store';
import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { ApplicationLayout } from '../application/application-layout.tsx';
import type { ApplicationHeader } from '../application/application-layout.tsx';
import { applicationActions } from './application-actions.ts';

/** Values of the parameter `done`. */
export const dangerDone = ['paused', 'resumed'] as const;

export interface DangerPageProps {
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

/** The consequences come before the field that confirms the deletion. */
export function RemovalForm({ frame, application, usageSummary, isConfirmWrong = false }: RemovalFormProps): VNode {
  const { application: texts } = frame.messages.developer;
  return (
    <PostForm frame={frame} hidden={{ action: applicationActions.delete }} class="panel danger">
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
