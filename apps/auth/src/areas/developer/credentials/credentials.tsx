import type { ComponentChildren, VNode } from 'preact';

import { CopyScript, Notice } from '../../../pages/views/notice.tsx';
import { ErrorSummary } from '../../../pages/views/field.tsx';
import type { Frame } from '../../../pages/frame/frame.ts';
import { ApplicationLayout } from '../../application/application-layout.tsx';
import { ClientIdFact } from '../application/application.tsx';
import { keysField, KeysForm, SecretForm } from './authentication-section.tsx';
import type { TypedKeys } from './authentication-section.tsx';
import { findAuthentication } from './own-credentials.ts';
import type { OwnCredentials } from './own-credentials.ts';
import { secretNameField } from './secret-list.tsx';
import type { TypedSecretName } from './secret-list.tsx';
import { SecretsSection } from './secrets-section.tsx';
import type { TypedSecret } from './new-credentials-page.tsx';

/** Values of the parameter `done`. */
export const credentialsDone = ['secret-renamed', 'secret-retired', 'keys-used', 'already-added'] as const;

export type CredentialsDone = (typeof credentialsDone)[number];

export interface CredentialsPageProps {
  readonly frame: Frame;
  readonly application: OwnCredentials;
  /** An error that belongs to no field. */
  readonly problem?: ComponentChildren;
  readonly done?: CredentialsDone | undefined;
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

/** The client ID of an application, and its secrets or keys. */
export function CredentialsPage(props: CredentialsPageProps): VNode {
  const { frame, application, problem, done, secretName, newKeys, newSecret } = props;
  const nameErrors = secretName === undefined ? {} : { [secretNameField(secretName.secretId)]: secretName.error };
  const keysErrors = newKeys === undefined ? {} : { [keysField]: newKeys.error };
  return (
    <ApplicationLayout frame={frame} application={application} page="credentials">
      {done === undefined ? null : <Notice kind="done">{doneText(frame, done)}</Notice>}
      <ErrorSummary frame={frame} errors={{ ...nameErrors, ...keysErrors, ...newSecret?.errors }} problem={problem} />
      <dl class="facts panel">
        <ClientIdFact frame={frame} clientId={application.clientId} />
      </dl>
      <Authentication {...props} />
      <CopyScript frame={frame} />
    </ApplicationLayout>
  );
}

function doneText({ messages }: Frame, done: CredentialsDone): string {
  const { application, authentication, secrets } = messages.developer;
  switch (done) {
    case 'secret-renamed':
      return secrets.renamed;
    case 'secret-retired':
      return application.secretRetired;
    case 'keys-used':
      return authentication.keysUsed;
    case 'already-added':
      return application.alreadyAdded;
  }
}

/** How the application authenticates. */
function Authentication(props: CredentialsPageProps): VNode {
  const { frame, now, application, addSecretHidden, newSecret, secretName, keptSecretId, newKeys } = props;
  const { jwksUri, secrets, expiredSecrets = [] } = application;
  const { application: texts, credentials } = frame.messages.developer;
  switch (findAuthentication(application)) {
    case 'none':
      return <p>{credentials.noSecret}</p>;
    case 'keys':
      return (
        <section id="keys">
          <p>{texts.ownKeys}</p>
          {jwksUri === undefined ? <KeysForm {...{ frame, newKeys }} hasKeys /> : null}
          <SecretForm frame={frame} />
        </section>
      );
    case 'secret':
      return (
        <>
          <SecretsSection
            {...{ frame, now, secrets, expiredSecrets, newSecret, secretName, keptSecretId, addSecretHidden }}
          />
          <KeysForm {...{ frame, newKeys }} hasKeys={false} />
        </>
      );
  }
}
