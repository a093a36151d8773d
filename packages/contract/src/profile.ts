import { z } from 'zod';

import { freeTextParameter, languageParameter, textParameter } from './parameters.ts';

/** What a person is called. */
export const nameSchema = z.object({
  last_name: textParameter(30).meta({ examples: ['Lovelace'] }),
  first_name: textParameter(25).meta({ examples: ['Ada'] }),
});

/** What an account says of itself. */
export const profileSchema = z.object({
  displayName: textParameter(56),
  description: freeTextParameter(400),
  country: freeTextParameter(100),
  language: languageParameter(),
});
