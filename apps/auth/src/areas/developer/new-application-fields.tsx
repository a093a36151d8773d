import { defaultSettings, toTexts } from '@linnet/applications/settings/protocol-settings';
import type { VNode } from 'preact';

import { Choice, ChoiceGroup } from '../../pages/views/choice.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { NameField, RedirectUrisField } from './application-fields.tsx';
import type { ApplicationField, ApplicationValues } from './application-fields.tsx';
import { applicationKinds, typeOf } from './application-form.ts';
import type { ApplicationKind } from './application-form.ts';
import { KeySetField, Permissions } from './permission-fields.tsx';
import { ScopeFields, newScopeValues } from './scope-fields.tsx';
import { SettingFields } from './setting-fields.tsx';
import type { SettingLimits } from './setting-fields.tsx';

/** The type can be chosen only when the application is created. */
export type NewApplicationField = ApplicationField | 'type';

/** Values of the form, as typed. */
export interface NewApplicationValues extends ApplicationValues {
  readonly kind: ApplicationKind;
}

export const newApplicationValues: NewApplicationValues = {
  name: '',
  kind: 'confidential',
  type: 'confidential',
  redirectUris: '',
  ...newScopeValues,
  isImplicit: false,
  actsAsOwner: true,
  settings: toTexts(defaultSettings('confidential')),
  jwksUri: '',
};

interface NewApplicationFieldsProps {
  readonly frame: Frame;
  readonly values: NewApplicationValues;
  readonly errors: FieldErrors<NewApplicationField>;
  readonly settingLimits: SettingLimits;
}

/** Three questions. Everything else has a default and is folded, unless it has an error. */
export function NewApplicationFields(props: NewApplicationFieldsProps): VNode {
  const { frame, values, errors } = props;
  const { form, create } = frame.messages.developer;
  return (
    <>
      <NameField {...props} />
      <KindField {...props} />
      <div class="sign-in-only">
        <RedirectUrisField {...props} hint={create.redirectUrisHint} />
      </div>
      <details class="settings" open={errors.scope !== undefined}>
        <summary>{form.scope}</summary>
        <ScopeFields frame={frame} values={values} error={errors.scope} />
      </details>
      <SettingFields {...props} isOpen={errors.jwks_uri !== undefined || errors.implicit !== undefined} isNew>
        <KeySetField {...props} isNew />
        <Permissions {...props} isNew />
      </SettingFields>
    </>
  );
}

function KindField({ frame, values, errors }: NewApplicationFieldsProps): VNode {
  const { create } = frame.messages.developer;
  return (
    <ChoiceGroup name="type" legend={create.kind} hint={create.kindHint} error={errors.type}>
      {applicationKinds.map((kind) => {
        const { label, text } = create.kinds[kind];
        const named = (
          <>
            {label} <code>{typeOf(kind)}</code>
          </>
        );
        const checked = values.kind === kind;
        return <Choice key={kind} type="radio" name="type" value={kind} label={named} text={text} checked={checked} />;
      })}
    </ChoiceGroup>
  );
}
