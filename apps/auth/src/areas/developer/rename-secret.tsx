import type { VNode } from 'preact';

import type { OwnedSecret } from '@linnet/applications/secrets/secret-advice';
import { TextField, PostForm } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { applicationActions } from './application-actions.ts';

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
  return (
    <details open={rejected !== undefined}>
      <summary>{texts.rename}</summary>
      <PostForm frame={frame} hidden={{ action: applicationActions.renameSecret, secret: id }}>
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
