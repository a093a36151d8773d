import { ApplicationRefused, throwRefusals } from '../application.ts';
import type { ApplicationType } from '../application-type.ts';
import { applyStrict } from './strict.ts';
import { buildSettings, defaultSettings, protocolSettings } from './protocol-settings.ts';
import type { ProtocolSettings, SettingKey, SubmittedSettings } from './protocol-settings.ts';

interface Origin {
  readonly type: ApplicationType;
  /** The stored settings; of a new application undefined. */
  readonly stored: ProtocolSettings | undefined;
}

/**
 * Checks submitted protocol settings. Those that are missing keep their value; of a new application they get the default.
 * @throws ApplicationRefused with every problem
 */
export function parseProtocolSettings(submitted: SubmittedSettings, { type, stored }: Origin): ProtocolSettings {
  const kept = stored ?? defaultSettings(type);
  const refusals: ApplicationRefused[] = [];
  const parse = <Key extends SettingKey>(key: Key): ProtocolSettings[Key] => {
    const setting = protocolSettings[key];
    const texts = submitted[key];
    if (!setting.isFor(type)) {
      if (key === 'strict' && texts?.some((text) => text !== '') === true) refusals.push(refuseStrict(type));
      return setting.defaultFor(type);
    }
    // A form without a choice leaves it as it is.
    const isMissing = texts === undefined || (setting.input === 'choice' && texts.length === 0);
    if (isMissing) return kept[key];
    const parsed = setting.parse(texts, type);
    if (parsed.refusals === undefined) return parsed.value;
    for (const { message, ...refusal } of parsed.refusals) {
      refusals.push(new ApplicationRefused({ field: setting.name, ...refusal }, message));
    }
    return kept[key];
  };
  const { settings, refusals: strictRefusals } = applyStrict(buildSettings(parse), kept);
  throwRefusals([...refusals, ...strictRefusals]);
  return settings;
}

function refuseStrict(type: ApplicationType): ApplicationRefused {
  return new ApplicationRefused(
    { field: 'strict', problem: 'not-for-type', value: 'strict' },
    `Only confidential applications can be strict, because it needs client authentication by key. This one is ${type}.`,
  );
}
