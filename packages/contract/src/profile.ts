import { z } from 'zod';

import { freeTextParameter, languageParameter, nameParameter } from './parameters.ts';

/** The name of a person. */
export const nameSchema = z.object({
  last_name: nameParameter(30).meta({ examples: ['Lovelace'] }),
  first_name: nameParameter(25).meta({ examples: ['Ada'] }),
});

/** The fields of a profile that its account can edit. */
export const profileSchema = z.object({
  displayName: nameParameter(56),
  description: freeTextParameter(400),
  country: freeTextParameter(100),
  language: languageParameter(),
});
