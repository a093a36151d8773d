/** The active secrets of an application, without their values, which are not stored. */

import { findRetirementReason, needsReplacement } from '@linnet/applications/secrets/secret-advice';
import type { OwnedSecret } from '@linnet/applications/secrets/secret-advice';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { PostForm, TextField, findTyped } from '../../../pages/views/field.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { applicationActions } from '../application/application-form.ts';

interface SecretProps {
  readonly frame: Frame;
  readonly secret: OwnedSecret;
}

/** The name of the secret, or its creation date. */
export function SecretName({ frame, secret: { name, createdAt } }: SecretProps): VNode {
  const { messages } = frame;
  return <UserText text={name ?? messages.developer.secrets.called(messages.formatDay(createdAt))} />;
}

export function endOf({ messages }: Frame, { expiresAt }: OwnedSecret): string {
  return expiresAt === undefined ? messages.developer.secrets.noEnd : messages.formatMinute(expiresAt);
}

interface SecretsProps {
  readonly frame: Frame;
  readonly now: Date;
  /** Active secrets, oldest first. */
  readonly secrets: readonly OwnedSecret[];
}

/** `children`: the forms for each secret. */
export function SecretList(
  props: SecretsProps & { readonly children: (secret: OwnedSecret) => ComponentChildren },
): VNode {
  const { frame, now, secrets, children } = props;
  return (
    <>
      <EndingSecrets {...{ frame, now, secrets }} />
      {secrets.length === 0 ? (
        <p class="empty">{frame.messages.developer.secrets.none}</p>
      ) : (
        <ul class="rows">
          {secrets.map((secret) => (
            <SecretRow key={secret.id} {...{ frame, now, secret, secrets }}>
              {children(secret)}
            </SecretRow>
          ))}
        </ul>
      )}
    </>
  );
}

/** A warning for each secret that expires soon and has no successor. */
function EndingSecrets({ frame, now, secrets }: SecretsProps): VNode {
  const { secrets: texts } = frame.messages.developer;
  const ending = secrets.filter((secret) => needsReplacement(secret, now));
  return (
    <>
      {ending.map((secret) => (
        <Notice key={secret.id} kind="warning">
          {texts.endingSoon(<SecretName frame={frame} secret={secret} />, endOf(frame, secret))}
        </Notice>
      ))}
    </>
  );
}

/** `children`: the forms for this secret. */
function SecretRow(props: SecretProps & SecretsProps & { readonly children: ComponentChildren }): VNode {
  const { frame, now, secret, secrets, children } = props;
  const { secrets: texts } = frame.messages.developer;
  const reason = findRetirementReason(secret, secrets, now);
  return (
    <li class="row">
      <div>
        <h3 id={`secret-${secret.id}`}>
          <SecretName frame={frame} secret={secret} />
          {needsReplacement(secret, now) ? <span class="tag warning">{texts.soon}</span> : null}
          {reason === undefined ? null : <span class="tag">{texts.safe}</span>}
        </h3>
        <p class="quiet small">{factsOf(frame, secret).join(' · ')}</p>
        {reason === undefined ? null : <p class="small">{reasonText(frame, secret, reason)}</p>}
        {children}
      </div>
    </li>
  );
}

function factsOf(frame: Frame, secret: OwnedSecret): readonly string[] {
  const { messages } = frame;
  const { secrets: texts } = messages.developer;
  const { name, createdAt, expiresAt, lastUsedAt, uses } = secret;
  return [
    // Without a name, the heading shows the date.
    ...(name === undefined ? [] : [texts.created(messages.formatDay(createdAt))]),
    lastUsedAt === undefined ? texts.neverUsed : texts.used(uses, messages.formatMinute(lastUsedAt)),
    expiresAt === undefined ? texts.noEnd : texts.ends(endOf(frame, secret)),
  ];
}

function reasonText(
  frame: Frame,
  secret: OwnedSecret,
  { unusedSince, other }: NonNullable<ReturnType<typeof findRetirementReason>>,
): ComponentChildren {
  const { messages } = frame;
  const { secrets: texts } = messages.developer;
  const unused =
    unusedSince === undefined
      ? texts.neverUsedSince(messages.formatDay(secret.createdAt))
      : texts.unusedSince(messages.formatDay(unusedSince));
  const name = <SecretName frame={frame} secret={other} />;
  return texts.safeReason(unused, name, texts.usedSince(other.uses, messages.formatDay(other.createdAt)));
}

/** A rejected name of a secret, as typed, with its error. */
export interface TypedSecretName {
  readonly secretId: string;
  readonly name: string;
  readonly error: string;
}

/** Each secret on the page has its own field. */
export function secretNameField(secretId: string): string {
  return `secret_name_${secretId}`;
}

interface RenameSecretProps {
  readonly frame: Frame;
  readonly secret: OwnedSecret;
  readonly typed: TypedSecretName | undefined;
}

/** Collapsed, unless the name was rejected. */
export function RenameSecret({ frame, secret: { id, name, createdAt }, typed }: RenameSecretProps): VNode {
  const { messages } = frame;
  const { secrets: texts } = messages.developer;
  const rejected = typed?.secretId === id ? typed : undefined;
  const hidden = { action: applicationActions.renameSecret, secret: id };
  return (
    <details open={rejected !== undefined || findTyped(frame, hidden) !== undefined}>
      <summary>{texts.rename}</summary>
      <PostForm frame={frame} hidden={hidden}>
        <TextField
          name={secretNameField(id)}
          label={texts.name}
          hint={texts.nameHint(texts.called(messages.formatDay(createdAt)))}
          value={rejected?.name ?? name}
          error={rejected?.error}
          autocomplete="off"
          optional={messages.form.optional}
        />
        <button class="button quiet-button" data-testid="rename-secret">
          {texts.saveName}
        </button>
      </PostForm>
    </details>
  );
}

/** Field of the form: its person has seen the warning about the last secret. */
export const lastSecretField = 'last';

interface RetireSecretProps {
  readonly frame: Frame;
  readonly secret: OwnedSecret;
  /** The application has no other lasting secret. */
  readonly isLast: boolean;
  readonly isOpen: boolean;
}

/** Collapsed, so that retiring takes two steps: the second one shows what it does. */
export function RetireSecret({ frame, secret: { id }, isLast, isOpen }: RetireSecretProps): VNode {
  const { secrets: texts } = frame.messages.developer;
  const hidden = {
    action: applicationActions.retireSecret,
    secret: id,
    ...(isLast ? { [lastSecretField]: 'yes' } : {}),
  };
  return (
    <details open={isOpen}>
      <summary>{texts.retire}</summary>
      <PostForm frame={frame} hidden={hidden}>
        {isLast ? <Notice kind="warning">{texts.last}</Notice> : null}
        <p class="small">{texts.retireText}</p>
        <button class="button danger-button" data-testid="retire-secret" aria-describedby={`secret-${id}`}>
          {texts.retireNow}
        </button>
      </PostForm>
    </details>
  );
}
