import type { VNode } from 'preact';

import { secretLifetimes } from '@linnet/applications/secrets/new-secret';
import { Choice, ChoiceGroup } from '../../pages/views/choice.tsx';
import { TextField, PostForm } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { applicationActions } from './application-actions.ts';
import type { TypedSecret } from './secret-form.ts';

interface NewSecretFormProps {
  readonly frame: Frame;
  readonly now: Date;
  readonly newSecret: TypedSecret;
  readonly hidden?: Readonly<Record<string, string>> | undefined;
}

/** Submitted without changes, it adds a secret without a name and without expiry. */
export function NewSecretForm({ frame, now, newSecret, hidden }: NewSecretFormProps): VNode {
  const { messages } = frame;
  const { secrets: texts } = messages.developer;
  const { request, errors } = newSecret;
  const lifetime = request.lifetime === '' ? 'never' : request.lifetime;
  return (
    <PostForm frame={frame} hidden={{ ...hidden, action: applicationActions.addSecret }} class="panel">
      <h3>{texts.addTitle}</h3>
      <TextField
        name="secret_name"
        label={texts.name}
        hint={texts.nameHint(texts.called(messages.formatDay(now)))}
        value={request.name}
        error={errors.secret_name}
        autocomplete="off"
        optional={messages.form.optional}
      />
      <ChoiceGroup name="secret_lifetime" legend={texts.lifetime} error={errors.secret_lifetime}>
        {secretLifetimes.map((one) => (
          <Choice
            key={one}
            type="radio"
            name="secret_lifetime"
            value={one}
            label={texts.lifetimes[one]}
            checked={lifetime === one}
          />
        ))}
      </ChoiceGroup>
      <div class="date-only">
        <TextField
          name="secret_last_day"
          type="date"
          label={texts.lastDay}
          hint={texts.lastDayHint}
          value={request.lastDay}
          error={errors.secret_last_day}
          autocomplete="off"
          optional={texts.lastDayOptional}
        />
      </div>
      <button class="button quiet-button" data-testid="add-secret">
        {texts.add}
      </button>
    </PostForm>
  );
}
