/** The options of `linnet app create` and `linnet app update` for protocol settings. */
import { readFile } from 'node:fs/promises';

import {
  defaultSettings,
  deviceGrantType,
  protocolSettings,
  settingKeys,
} from '@linnet/applications/settings/protocol-settings';
import type { SettingKey, SubmittedSettings } from '@linnet/applications/settings/protocol-settings';
import type { Application } from '@linnet/applications/application/application-store';
import type { ApplicationType } from '@linnet/applications/application/application-type';
import { Option } from 'commander';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { collect } from './command.ts';

/** What commander stores, by the names of the options in camel case. */
export type SettingOptions = Readonly<Record<string, unknown>>;

/** Grant types with an option of their own. */
const switches = [
  { attribute: 'device', grantType: deviceGrantType, summary: 'the device flow' },
  {
    attribute: 'implicit',
    grantType: 'implicit',
    summary: 'response_type=token; the authorization code flow is safer',
  },
] as const;

/** Adds the options of every setting. */
export function addSettingOptions(command: Command): Command {
  for (const { attribute, summary } of switches) {
    command.option(`--${attribute}`, `allow ${summary}`);
    command.addOption(new Option(`--no-${attribute}`, 'switch it off').hideHelp());
  }
  for (const key of settingKeys) addOption(command, key);
  return command;
}

function addOption(command: Command, key: SettingKey): void {
  const { input, option, summary, choices } = protocolSettings[key];
  if (input === 'flag') {
    command.option(`--${option}`, summary);
    command.addOption(new Option(`--no-${option}`, 'switch it off').hideHelp());
  } else if (input === 'choices' || input === 'lines') {
    const values = choices.length === 0 ? '' : ` (${choices.join(', ')})`;
    command.option(`--${option} <value>`, summary + values, collect);
  } else {
    const hint = choices.length === 0 ? '; "" for the default' : ` (${choices.join(', ')})`;
    command.option(`--${option} <value>`, summary + hint);
  }
}

/** The settings that were given. Those of an existing application keep their grant types beside `--device` and `--implicit`. */
export function readSettingOptions(
  options: SettingOptions,
  { type, stored }: { readonly type: ApplicationType; readonly stored?: Application | undefined },
): SubmittedSettings {
  const given = settingKeys.flatMap((key) => {
    const value = options[attributeOf(protocolSettings[key].option)];
    return value === undefined ? [] : [[key, toTexts(value)] as const];
  });
  const submitted: SubmittedSettings = Object.fromEntries(given);
  const base = submitted.grantTypes ?? (stored?.protocol ?? defaultSettings(type)).grantTypes;
  const switched = switches.filter(({ attribute }) => typeof options[attribute] === 'boolean');
  if (switched.length === 0) return submitted;
  const kept = base.filter((one) => switched.every(({ grantType }) => grantType !== one));
  const added = switched.filter(({ attribute }) => options[attribute] === true).map(({ grantType }) => grantType);
  return { ...submitted, grantTypes: [...kept, ...added] };
}

function toTexts(value: unknown): readonly string[] {
  if (typeof value === 'boolean') return value ? ['yes'] : [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** As commander names the value of an option: `dpop-bound` is `dpopBound`. */
function attributeOf(option: string): string {
  return option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Reads metadata or keys. @throws CommandError if the file cannot be read or is not JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError('unreadable-file', `${path}: ${reason}`);
  }
}
