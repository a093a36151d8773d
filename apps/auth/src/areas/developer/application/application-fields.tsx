import type { ApplicationType } from '@linnet/applications/application/application-type';
import { findUnclaimedSchemes } from '@linnet/applications/application/links';
import type { SettingName } from '@linnet/applications/settings/protocol-settings';
import type { VNode } from 'preact';

import type { FieldErrors, Frame } from '../../../pages/frame/frame.ts';
import { Choice } from '../../../pages/views/choice.tsx';
import { TextArea, TextField } from '../../../pages/views/field.tsx';
import { SettingFields } from '../settings/setting-fields.tsx';
import type { SettingLimits } from '../settings/setting-fields.tsx';
import type { SettingTexts } from '../settings/setting-form.ts';
import { ScopeFields } from './scope-fields.tsx';
import type { ScopeValues } from './scope-fields.tsx';

export type ApplicationField = 'name' | 'redirect_uris' | 'scope' | 'implicit' | 'jwks_uri' | SettingName;

/** Values of the form, as typed. */
export interface ApplicationValues extends ScopeValues {
  readonly name: string;
  readonly type: ApplicationType;
  /** One per line. */
  readonly redirectUris: string;
  readonly isImplicit: boolean;
  readonly actsAsOwner: boolean;
  /** Protocol settings. */
  readonly settings: SettingTexts;
  /** URL of its key set; undefined if it authenticates in another way. */
  readonly jwksUri?: string | undefined;
}

interface ApplicationFieldsProps {
  readonly frame: Frame;
  readonly values: ApplicationValues;
  readonly errors: FieldErrors<ApplicationField>;
  readonly settingLimits: SettingLimits;
}

/** The fields for editing an application. */
export function ApplicationFields(props: ApplicationFieldsProps): VNode {
  const { frame, values, errors } = props;
  const { form } = frame.messages.developer;
  return (
    <>
      <NameField {...props} />
      <RedirectUrisField {...props} hint={form.redirectUrisHint} />
      <ScopeFields frame={frame} values={values} error={errors.scope} />
      <KeySetField {...props} isNew={false} />
      <Permissions {...props} isNew={false} />
      <SettingFields {...props} isNew={false} />
    </>
  );
}

type FieldProps = Pick<ApplicationFieldsProps, 'frame' | 'values' | 'errors'>;

export function NameField({ frame, values, errors }: FieldProps): VNode {
  const { form } = frame.messages.developer;
  return (
    <TextField
      name="name"
      label={form.name}
      hint={form.nameHint}
      value={values.name}
      error={errors.name}
      autocomplete="off"
    />
  );
}

export function RedirectUrisField({ frame, values, errors, hint }: FieldProps & { readonly hint: string }): VNode {
  const { form } = frame.messages.developer;
  return (
    <>
      <TextArea
        name="redirect_uris"
        label={form.redirectUris}
        hint={hint}
        value={values.redirectUris}
        error={errors.redirect_uris}
        optional={frame.messages.form.optional}
        rows={3}
      />
      {findUnclaimedSchemes(values.redirectUris.split(/\s+/)).length === 0 ? null : (
        <p class="notice warning" data-testid="redirect-uri-warning">
          {form.redirectUrisWarning}
        </p>
      )}
    </>
  );
}

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
