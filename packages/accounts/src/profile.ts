import { usernameParameter } from '@linnet/contract/parameters';
import { nameSchema, profileSchema } from '@linnet/contract/profile';

import type { ProfileChange } from './profile-store.ts';

/** The fields of a profile, as the contract and the forms name them. */
const profileFields = ['first_name', 'last_name', 'displayName', 'description', 'country', 'language'] as const;

export type ProfileField = (typeof profileFields)[number];

/** The rules of `POST /account/update`, and for names those of a registration. */
const ownSchema = nameSchema.extend(profileSchema.shape).partial();

type ParsedProfile =
  | { readonly profile: Omit<ProfileChange, 'accountId'>; readonly wrong?: undefined }
  | { readonly profile?: undefined; readonly wrong: ReadonlySet<ProfileField> };

/** Validates the given fields by the rules of the contract, so that the pages accept what the API accepts. */
export function parseProfile(input: Readonly<Partial<Record<ProfileField, string>>>): ParsedProfile {
  const result = ownSchema.safeParse(input);
  if (result.success) {
    const { first_name: firstName, last_name: lastName, ...others } = result.data;
    return { profile: { firstName, lastName, ...others } };
  }
  const paths = new Set(result.error.issues.map(({ path }) => path[0]));
  return { wrong: new Set(profileFields.filter((field) => paths.has(field))) };
}

/** True if the text is a well-formed username, taken or not. */
export function isUsername(text: string): boolean {
  return usernameParameter().safeParse(text).success;
}
