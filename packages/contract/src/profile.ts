import { z } from 'zod';

import { freeTextParameter, languageParameter, textParameter } from './parameters.ts';

/** The name of a person. */
export const nameSchema = z.object({
  last_name: textParameter(30).meta({ examples: ['Lovelace'] }),
  first_name: textParameter(25).meta({ examples: ['Ada'] }),
});

/** The fields of a profile that its account can edit. */
export const profileSchema = z.object({
  displayName: textParameter(56),
  description: freeTextParameter(400),
  country: freeTextParameter(100),
  language: languageParameter(),
});
