/** Sections of an application's page: its use, and pausing or deleting it. */
import { UserText } from '@linnet/ui/user-text';
import type { VNode } from 'preact';

import type { UsageSummary } from '@linnet/applications/usage-report-store';
import { TextField } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/views/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { PostForm } from '../../pages/views/post-form.tsx';
import { applicationActions } from './application-actions.ts';
import type { ApplicationHeader } from '../application/application-layout.tsx';

interface UsageSummarySectionProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  readonly usageSummary: UsageSummary;
  /** In the last 24 hours. */
  readonly recentFailures: number;
}

export function UsageSummarySection(props: UsageSummarySectionProps): VNode {
  const { frame, application, usageSummary, recentFailures } = props;
  const { messages } = frame;
  const { usageSummary: texts, failures } = messages.developer;
  const { people, lastUsedAt, tokens, calls } = usageSummary;
  return (
    <section>
      <h2>{texts.title}</h2>
      <dl class="facts panel">
        <div>
          <dt>{texts.lastUse}</dt>
          <dd>{lastUsedAt === undefined ? texts.neverUsed : messages.formatMinute(lastUsedAt)}</dd>
        </div>
        <div>
          <dt>{texts.failures}</dt>
          <dd>
            {texts.failuresText(recentFailures)} ·{' '}
            <a href={pagePaths.applicationActivity(application.clientId)}>{failures.title}</a>
          </dd>
        </div>
        <div>
          <dt>{texts.peopleTitle}</dt>
          <dd>{texts.people(people)}</dd>
        </div>
        <div>
          <dt>{texts.week}</dt>
          <dd>
            {texts.weekText(tokens, calls)} ·{' '}
            <a href={pagePaths.applicationUsage(application.clientId)}>{texts.more}</a>
          </dd>
        </div>
      </dl>
    </section>
  );
}

export function PauseSection({ frame, isPaused }: { readonly frame: Frame; readonly isPaused: boolean }): VNode {
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

interface RemovalSectionProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  readonly usageSummary: UsageSummary | undefined;
  /** The name typed to confirm the deletion was wrong. */
  readonly isConfirmWrong: boolean;
}

/** The consequences come before the field that confirms the deletion. */
export function RemovalSection({ frame, application, usageSummary, isConfirmWrong }: RemovalSectionProps): VNode {
  const { application: texts } = frame.messages.developer;
  return (
    <section>
      <h2>{texts.remove}</h2>
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
    </section>
  );
}

function Consequences({ frame, usageSummary }: { readonly frame: Frame; readonly usageSummary: UsageSummary }): VNode {
  const { messages } = frame;
  const { removal } = messages.developer;
  const { people, lastUsedAt, tokens, calls } = usageSummary;
  return (
    <div data-testid="what-breaks">
      <p>{removal.breaks}</p>
      <ul>
        <li>{removal.people(people)}</li>
        <li>
          {lastUsedAt === undefined ? removal.unused : removal.used(messages.formatMinute(lastUsedAt), tokens, calls)}
        </li>
      </ul>
      {lastUsedAt === undefined && people === 0 ? null : <p>{removal.pauseFirst}</p>}
    </div>
  );
}
