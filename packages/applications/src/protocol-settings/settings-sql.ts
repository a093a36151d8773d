/** The columns of protocol settings in SQL. */
import { protocolSettings, settingKeys, toMetadata } from './protocol-settings.ts';
import type { ProtocolSettings } from './protocol-settings.ts';

const settings = settingKeys.map((key) => protocolSettings[key]);

/** `"grant_types", …`, for a list of columns. */
export const settingColumns = settings.map(({ name }) => `"${name}"`).join(', ');

/** The same columns of the row `given` that `givenSettings` makes. */
export const givenColumns = settings.map(({ name }) => `given."${name}"`).join(', ');

/** `"grant_types" = given."grant_types", …` */
export const setGivenColumns = settings.map(({ name }) => `"${name}" = given."${name}"`).join(', ');

/** SQL condition over the rows `application` and `given`: a setting allows less than before. */
export const isAnyNarrower = settings.flatMap(({ isNarrower }) => isNarrower ?? []).join(' OR ');

/** SQL expression: the settings of a row of `application` as `ProtocolSettings` in JSON. */
export function settingsAsJson(row: string): string {
  const members = settingKeys.map((key) => `'${key}', ${row}."${protocolSettings[key].name}"`);
  return `json_build_object(${members.join(', ')})`;
}

/** A FROM item: one row `given` with the columns of settings, from a parameter that `toColumns` made. */
export function givenSettings(parameter: string): string {
  return `jsonb_populate_record(NULL::application, ${parameter}::jsonb) AS given`;
}

export function toColumns(protocol: ProtocolSettings): string {
  return JSON.stringify(toMetadata(protocol));
}
