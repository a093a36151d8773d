import type { ComponentChildren, VNode } from 'preact';

import { Copyable, CopyScript } from '../../pages/views/copyable.tsx';
import { ErrorSummary } from '../../pages/views/error-summary.tsx';
import type { Frame } from '../../pages/views/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import type { ApplicationType } from '@linnet/applications/application-type';
import type { OwnedSecret } from '@linnet/applications/secret-advice';
import type { UsageSummary } from '@linnet/applications/usage-report-store';
import { keysField, KeysForm, SecretForm } from './authentication-section.tsx';
import type { TypedKeys } from './authentication-section.tsx';
import { ApplicationLayout } from '../application/application-layout.tsx';
import type { ApplicationHeader } from '../application/application-layout.tsx';
import { PauseSection, RemovalSection, UsageSummarySection } from './ending-sections.tsx';
import { GuideLinks } from './guide-links.tsx';
import type { GuidedSettings } from './guide-links.tsx';
import { Quickstart } from './quickstart-section.tsx';
import { secretNameField } from './rename-secret.tsx';
import type { TypedSecretName } from './rename-secret.tsx';
import { SecretsSection } from './secrets-section.tsx';
import type { TypedSecret } from './secret-form.ts';

/** Values of the parameter `done`. */
export const applicationDone = [
  'secret-renamed',
  'secret-retired',
  'keys-used',
  'already-created',
  'already-added',
  'paused',
  'resumed',
] as const;

export type ApplicationDone = (typeof applicationDone)[number];

function doneText({ messages }: Frame, done: ApplicationDone): string {
  const { application: texts, pause } = messages.developer;
  switch (done) {
    case 'secret-renamed':
      return messages.developer.secrets.renamed;
    case 'secret-retired':
      return texts.secretRetired;
    case 'keys-used':
      return messages.developer.authentication.keysUsed;
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
  readonly baseUrl: string;
  readonly application: ApplicationHeader & {
    readonly type: ApplicationType;
    readonly createdAt: Date;
    readonly redirectUris: readonly string[];
    readonly scopes: readonly string[];
    /** Active secrets, oldest first. */
    readonly secrets: readonly OwnedSecret[];
    /** Recently expired secrets, oldest first. */
    readonly expiredSecrets?: readonly OwnedSecret[];
    /** It authenticates with registered keys or a key set URL, and therefore has no secrets. */
    readonly hasOwnKeys?: boolean;
    /** The URL of its key set, if it has one. */
    readonly jwksUri?: string | undefined;
    readonly protocol: GuidedSettings;
  };
  /** An error that belongs to no field. */
  readonly problem?: ComponentChildren;
  /** The name typed to confirm the deletion was wrong. */
  readonly isConfirmWrong?: boolean;
  readonly done?: ApplicationDone | undefined;
  readonly usageSummary?: UsageSummary;
  /** In the last 24 hours. */
  readonly recentFailures?: number;
  /** Hidden fields of the form that adds a secret. */
  readonly addSecretHidden?: Readonly<Record<string, string>>;
  /** A rejected new secret, as typed. */
  readonly newSecret?: TypedSecret;
  /** A rejected name of a secret, as typed. */
  readonly secretName?: TypedSecretName;
  /** A secret that was not retired, because it had become the last one. */
  readonly keptSecretId?: string;
  /** Rejected keys. */
  readonly newKeys?: TypedKeys;
  readonly now: Date;
}

export function ApplicationPage(props: ApplicationPageProps): VNode {
  const { frame, baseUrl, application, problem, isConfirmWrong = false, done, recentFailures = 0 } = props;
  const { application: texts } = frame.messages.developer;
  const { secretName } = props;
  const nameErrors = secretName === undefined ? {} : { [secretNameField(secretName.secretId)]: secretName.error };
  const confirmErrors = isConfirmWrong ? { confirm: texts.confirmWrong } : {};
  return (
    <ApplicationLayout frame={frame} application={application} page="overview">
      {done === undefined ? null : <Notice kind="done">{doneText(frame, done)}</Notice>}
      <ErrorSummary
        frame={frame}
        errors={{ ...nameErrors, ...keysErrors(props), ...props.newSecret?.errors, ...confirmErrors }}
        problem={problem}
      />
      <Details {...props} />
      {props.usageSummary === undefined ? null : (
        <UsageSummarySection {...{ frame, application, recentFailures }} usageSummary={props.usageSummary} />
      )}
      <Quickstart {...{ frame, baseUrl, application }} hasSecret={hasSecret(application)} />
      <GuideLinks {...{ frame }} application={{ ...application, hasSecret: hasSecret(application) }} />
      <Credentials {...props} />
      <PauseSection frame={frame} isPaused={application.isPaused === true} />
      <RemovalSection {...{ frame, application, isConfirmWrong }} usageSummary={props.usageSummary} />
      <CopyScript frame={frame} />
    </ApplicationLayout>
  );
}

function keysErrors({ newKeys }: ApplicationPageProps) {
  return newKeys === undefined ? {} : { [keysField]: newKeys.error };
}

function hasSecret({ type, hasOwnKeys = false, jwksUri }: ApplicationPageProps['application']): boolean {
  return type === 'confidential' && !hasOwnKeys && jwksUri === undefined;
}

/** How the application authenticates. */
function Credentials(props: ApplicationPageProps): VNode | null {
  const { frame, now, application, addSecretHidden, newSecret, secretName, keptSecretId, newKeys } = props;
  const { type, jwksUri, secrets, expiredSecrets = [] } = application;
  if (type !== 'confidential') return null;
  if (!hasSecret(application)) {
    return (
      <section id="keys">
        <p>{frame.messages.developer.application.ownKeys}</p>
        {jwksUri === undefined ? <KeysForm {...{ frame, newKeys }} hasKeys /> : null}
        <SecretForm frame={frame} />
      </section>
    );
  }
  return (
    <>
      <SecretsSection
        {...{ frame, now, secrets, expiredSecrets, newSecret, secretName, keptSecretId, addSecretHidden }}
      />
      <KeysForm {...{ frame, newKeys }} hasKeys={false} />
    </>
  );
}

function Details({ frame, application }: ApplicationPageProps): VNode {
  const { application: texts, types } = frame.messages.developer;
  return (
    <dl class="facts panel">
      <div>
        <dt>{texts.clientId}</dt>
        <dd>
          <Copyable frame={frame} testId="client-id">
            {application.clientId}
          </Copyable>
        </dd>
      </div>
      <div>
        <dt>{texts.type}</dt>
        <dd>{types[application.type].label}</dd>
      </div>
      <div>
        <dt>{texts.created}</dt>
        <dd>
          <time datetime={application.createdAt.toISOString()}>{frame.messages.formatDay(application.createdAt)}</time>
        </dd>
      </div>
      <div>
        <dt>{frame.messages.names.verification}</dt>
        <dd>
          {application.isVerified === true
            ? frame.messages.names.verifiedBy(frame.serviceName)
            : frame.messages.names.notVerifiedBy(frame.serviceName)}
        </dd>
      </div>
    </dl>
  );
}
