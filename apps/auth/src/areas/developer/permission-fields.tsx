import type { VNode } from 'preact';

import { Choice } from '../../pages/views/choice.tsx';
import { TextField } from '../../pages/views/field.tsx';
import type { ApplicationType } from '@linnet/applications/application/application-type';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';

interface PermissionFieldsProps {
  readonly frame: Frame;
  /** As typed. */
  readonly values: {
    readonly type: ApplicationType;
    readonly isImplicit: boolean;
    readonly actsAsOwner: boolean;
    readonly jwksUri?: string | undefined;
  };
  readonly errors: FieldErrors<'jwks_uri' | 'implicit'>;
  readonly isNew: boolean;
}

/** A form of its own switches an existing application to keys. */
export function KeySetField({ frame, values, errors, isNew }: PermissionFieldsProps): VNode | null {
  const { form } = frame.messages.developer;
  if (!isNew && values.jwksUri === undefined) return null;
  return (
    <div class="confidential-only">
      <TextField
        name="jwks_uri"
        label={form.jwksUri}
        hint={`${form.jwksUriHint} ${isNew ? form.confidentialOnly : ''}`.trim()}
        value={values.jwksUri}
        error={errors.jwks_uri}
        autocomplete="off"
        {...(isNew ? { optional: frame.messages.form.optional } : {})}
      />
    </div>
  );
}

/** Acting as the owner needs client credentials, so only confidential applications have the choice. */
export function Permissions({ frame, values, errors, isNew }: PermissionFieldsProps): VNode {
  const { form } = frame.messages.developer;
  return (
    <div class="choices">
      {isNew || values.type === 'confidential' ? (
        <div class="confidential-only">
          <Choice
            type="checkbox"
            name="act_as_owner"
            value="yes"
            label={form.actAsOwner}
            text={`${form.actAsOwnerText} ${isNew ? form.confidentialOnly : ''}`.trim()}
            checked={values.actsAsOwner}
          />
        </div>
      ) : null}
      <div class="sign-in-only">
        <Choice
          type="checkbox"
          name="implicit"
          value="yes"
          label={form.implicit}
          text={form.implicitWarning}
          checked={values.isImplicit}
          error={errors.implicit}
        />
      </div>
    </div>
  );
}
