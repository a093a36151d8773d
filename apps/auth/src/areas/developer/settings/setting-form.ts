/** Protocol settings in a submitted form. */
import type { ApplicationType } from '@linnet/applications/application/application-type';
import { protocolSettings, settingKeys } from '@linnet/applications/settings/protocol-settings';
import type { SettingKey, SubmittedSettings } from '@linnet/applications/settings/protocol-settings';
import type { Form } from '../../../pages/form/form.ts';

/** One list of texts per setting, as typed. */
export type SettingTexts = Readonly<Partial<Record<SettingKey, readonly string[]>>>;

/** Hidden field: the names of the settings that the form shows, because browsers do not send unchecked boxes. */
export const shownSettingsField = 'settings';

/** Settings that the form neither shows nor sends are left out. */
export function readSettingTexts(form: Form): SettingTexts {
  const shown = form.text(shownSettingsField).split(' ');
  const given = settingKeys.flatMap((key) => {
    const { name } = protocolSettings[key];
    const texts = form.all(name);
    return texts.length > 0 || shown.includes(name) ? [[key, texts] as const] : [];
  });
  return Object.fromEntries(given);
}

/** Choices that the form hides for this type are left out as well. */
export function readSubmittedSettings(form: Form, type: ApplicationType): SubmittedSettings {
  const texts = Object.entries(readSettingTexts(form)).map(([key, given]) => {
    const setting = settingKeys.find((one) => one === key);
    const isShown = (text: string) => setting === undefined || protocolSettings[setting].isChoiceFor(text, type);
    return [key, given.filter(isShown)] as const;
  });
  return Object.fromEntries(texts);
}
