import type { ComponentChildren, VNode } from 'preact';

import type { ApplicationType } from '@linnet/applications/application/application-type';
import { protocolSettings, settingKeys } from '@linnet/applications/settings/protocol-settings';
import type { SettingKey, SettingName } from '@linnet/applications/settings/protocol-settings';
import { Choice, ChoiceGroup } from '../../../pages/views/choice.tsx';
import { Fold, TextArea, TextField } from '../../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../../pages/frame/frame.ts';
import { shownSettingsField } from './setting-form.ts';
import type { SettingTexts } from './setting-form.ts';

interface SettingFieldsProps {
  readonly frame: Frame;
  readonly values: { readonly type: ApplicationType; readonly settings: SettingTexts };
  readonly errors: FieldErrors<SettingName>;
  /** The largest value that has an effect here, of settings whose range goes beyond it. */
  readonly settingLimits: SettingLimits;
  /** Also shows what only confidential applications have; the style sheet hides it for the others. */
  readonly isNew: boolean;
  /** Other fields of the fold, before the settings. */
  readonly children?: ComponentChildren;
  /** Whether one of those has an error. */
  readonly isOpen?: boolean;
}

/** Numbers by setting. */
export type SettingLimits = Readonly<Partial<Record<SettingKey, number>>>;

/** Choices with a field of their own. */
const shownElsewhere = new Set(['implicit']);

/** The protocol settings, in the order of their table. Most applications need none of them, so they are folded. */
export function SettingFields(props: SettingFieldsProps): VNode {
  const { frame, values, errors, isNew, children, isOpen = false } = props;
  const shown = settingKeys.filter((key) => isNew || protocolSettings[key].isFor(values.type));
  const isWrong = shown.some((key) => errors[protocolSettings[key].name] !== undefined);
  return (
    <Fold class="settings" open={isOpen || isWrong}>
      <summary>{frame.messages.developer.settings.advanced}</summary>
      {children}
      <input type="hidden" name={shownSettingsField} value={shown.map((key) => protocolSettings[key].name).join(' ')} />
      {shown.map((key) => (
        <div key={key} class={classOf(key)}>
          <SettingField {...props} setting={key} />
        </div>
      ))}
    </Fold>
  );
}

/** For the style sheet, which hides what the chosen kind of application does not have. */
function classOf(key: SettingKey): string | undefined {
  if (key === 'grantTypes') return 'sign-in-only';
  return protocolSettings[key].isFor('public') ? undefined : 'confidential-only';
}

function SettingField(props: SettingFieldsProps & { readonly setting: SettingKey }): VNode {
  const { frame, values, errors, setting, settingLimits } = props;
  const { name, input } = protocolSettings[setting];
  const { texts, limitedTo } = frame.messages.developer.settings;
  const { label, text } = texts[setting];
  const limit = settingLimits[setting];
  const typed = values.settings[setting] ?? [];
  const error = errors[name];
  const field = { name, label, error, hint: text, optional: frame.messages.form.optional };
  switch (input) {
    case 'flag':
      return <Choice {...{ type: 'checkbox', name, label, text, error }} value="yes" checked={typed.length > 0} />;
    case 'choices':
    case 'choice':
      return <ChoiceField {...props} />;
    case 'text':
      if (limit !== undefined) field.hint = `${text} ${limitedTo(limit)}`;
      return <TextField {...field} value={typed[0]} autocomplete="off" />;
    case 'lines':
      return <TextArea {...field} value={typed.join('\n')} rows={3} />;
  }
}

function ChoiceField({ frame, values, errors, setting, isNew }: Parameters<typeof SettingField>[0]): VNode {
  const { name, input, choices, isChoiceFor } = protocolSettings[setting];
  const { settings } = frame.messages.developer;
  const { label, text } = settings.texts[setting];
  const shown = choices.filter((choice) => !shownElsewhere.has(choice) && (isNew || isChoiceFor(choice, values.type)));
  return (
    <ChoiceGroup name={name} legend={label} hint={text} error={errors[name]}>
      {shown.map((choice) => (
        <div key={choice} class={isChoiceFor(choice, 'public') ? undefined : 'confidential-only'}>
          <Choice
            type={input === 'choices' ? 'checkbox' : 'radio'}
            name={name}
            value={choice}
            label={settings.choices[choice]?.label ?? choice}
            text={settings.choices[choice]?.text}
            checked={values.settings[setting]?.includes(choice) === true}
          />
        </div>
      ))}
    </ChoiceGroup>
  );
}
