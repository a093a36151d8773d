import type { ComponentChildren, VNode } from 'preact';

import { ErrorSummary } from '../../pages/views/error-summary.tsx';
import type { FieldErrors, Frame } from '../../pages/views/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { PostForm } from '../../pages/views/post-form.tsx';
import type { OwnedSecret } from '@linnet/applications/secret-advice';
import type { Standing } from '@linnet/applications/usage-report-store';
import { applicationActions } from './application-actions.ts';
import { ApplicationFields } from './application-fields.tsx';
import type { ApplicationField, ApplicationValues } from './application-fields.tsx';
import { FailuresSection } from './failures-section.tsx';
import type { ShownFailures } from './failures-section.tsx';
import { ApplicationLayout } from '../application/application-layout.tsx';
import type { LaidOutApplication } from '../application/application-layout.tsx';
import { PauseSection, RemovalSection, StandingSection } from './ending-sections.tsx';
import { secretNameField } from './rename-secret.tsx';
import type { TypedSecretName } from './rename-secret.tsx';
import { SecretsSection } from './secrets-section.tsx';
import type { TypedSecret } from './secret-form.ts';

/** What the page may tell of, in the words that lead to it. */
export const applicationDone = [
  'saved',
  'secret-renamed',
  'secret-retired',
  'already-created',
  'already-added',
  'paused',
  'resumed',
] as const;

export type ApplicationDone = (typeof applicationDone)[number];

function doneText({ messages }: Frame, done: ApplicationDone): string {
  const { application: texts, pause } = messages.developer;
  switch (done) {
    case 'saved':
      return texts.saved;
    case 'secret-renamed':
      return messages.developer.secrets.renamed;
    case 'secret-retired':
      return texts.secretRetired;
    case 'already-created':
      return texts.alreadyCreated;
    case 'already-added':
      return texts.alreadyAdded;
    case 'paused':
      return pause.donePaused;
    case 'resumed':
      return pause.doneResumed;
  }
}

export interface ApplicationPageProps {
  readonly frame: Frame;
  readonly application: LaidOutApplication & {
    readonly createdAt: Date;
    /** Those that work, the oldest first. */
    readonly secrets: readonly OwnedSecret[];
    /** Those that ended lately, the oldest first. */
    readonly endedSecrets?: readonly OwnedSecret[];
    /** Keys were registered with it, or are at an address of its own: then it has no secrets. */
    readonly hasOwnKeys?: boolean;
  };
  /** The settings, or what was typed when the form is refused; the type is that of the application. */
  readonly values: ApplicationValues;
  readonly errors?: FieldErrors<ApplicationField>;
  /** What is wrong with none of the fields. */
  readonly problem?: ComponentChildren;
  /** What was typed to confirm the deletion was not the name. */
  readonly isConfirmWrong?: boolean;
  /** What was done just now. */
  readonly done?: ApplicationDone | undefined;
  /** How much it is in use. */
  readonly standing?: Standing;
  /** Why requests failed; left out where a form was refused. */
  readonly failures?: ShownFailures;
  /** Hidden fields of the route for the form that adds a secret, such as the mark of one that is sent twice. */
  readonly addSecretHidden?: Readonly<Record<string, string>>;
  /** What was typed for another secret, where that is refused. */
  readonly newSecret?: TypedSecret;
  /** What was typed as the name of a secret, where that is refused. */
  readonly secretName?: TypedSecretName;
  readonly now: Date;
}

export function ApplicationPage(props: ApplicationPageProps): VNode {
  const { frame, application, values, errors = {}, problem, isConfirmWrong = false, done } = props;
  const { application: texts } = frame.messages.developer;
  const { secretName } = props;
  const nameErrors = secretName === undefined ? {} : { [secretNameField(secretName.secretId)]: secretName.error };
  const confirmErrors = isConfirmWrong ? { confirm: texts.confirmWrong } : {};
  return (
    <ApplicationLayout frame={frame} application={application} page="overview">
      {done === undefined ? null : <Notice kind="done">{doneText(frame, done)}</Notice>}
      <ErrorSummary
        frame={frame}
        errors={{ ...errors, ...nameErrors, ...props.newSecret?.errors, ...confirmErrors }}
        problem={problem}
      />
      <Details {...props} />
      <p class="actions">
        <a class="button" href={pagePaths.applicationPlayground(application.clientId)}>
          {frame.messages.developer.playground.enter}
        </a>
      </p>
      {props.standing === undefined ? null : <StandingSection {...{ frame, application }} standing={props.standing} />}
      <Credentials {...props} />
      {props.failures === undefined ? null : <FailuresSection frame={frame} failures={props.failures} />}
      <section>
        <h2>{texts.settings}</h2>
        <PostForm frame={frame} hidden={{ action: applicationActions.save }} class="panel">
          <ApplicationFields frame={frame} values={values} errors={errors} isNew={false} />
          <button class="button">{texts.save}</button>
        </PostForm>
      </section>
      <PauseSection frame={frame} isPaused={application.isPaused === true} />
      <RemovalSection {...{ frame, application, isConfirmWrong }} standing={props.standing} />
    </ApplicationLayout>
  );
}

/** How it proves who it is. */
function Credentials({
  frame,
  now,
  application,
  values,
  addSecretHidden,
  newSecret,
  secretName,
}: ApplicationPageProps): VNode | null {
  if (application.hasOwnKeys === true || values.jwksUri !== undefined) {
    return <p>{frame.messages.developer.application.ownKeys}</p>;
  }
  if (values.type !== 'confidential') return null;
  const { secrets, endedSecrets = [] } = application;
  return <SecretsSection {...{ frame, now, secrets, endedSecrets, newSecret, secretName, addSecretHidden }} />;
}

function Details({ frame, application, values }: ApplicationPageProps): VNode {
  const { application: texts, types } = frame.messages.developer;
  return (
    <dl class="facts panel">
      <div>
        <dt>{texts.clientId}</dt>
        <dd>
          <code class="copyable" data-testid="client-id">
            {application.clientId}
          </code>
        </dd>
      </div>
      <div>
        <dt>{texts.type}</dt>
        <dd>{types[values.type].label}</dd>
      </div>
      <div>
        <dt>{texts.created}</dt>
        <dd>
          <time datetime={application.createdAt.toISOString()}>{frame.messages.formatDay(application.createdAt)}</time>
        </dd>
      </div>
    </dl>
  );
}
