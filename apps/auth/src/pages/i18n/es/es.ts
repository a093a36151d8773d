import type { Messages } from '../en/en.ts';
import * as accountPages from './account-pages.ts';
import { account } from './account.ts';
import { admin } from './admin.ts';
import { developer } from './developer.ts';
import { everyPage, names } from './every-page.ts';
import * as frontPages from './front.ts';
import { mail } from './mail.ts';
import * as people from './people.ts';
import { reports } from './reports.ts';
import * as signIn from './sign-in.ts';

/** The Spanish texts. */
export const es = {
  ...everyPage,
  ...signIn,
  admin,
  developer,
  account,
  ...accountPages,
  ...frontPages,
  mail,
  names,
  ...people,
  reports,
} satisfies Messages;
