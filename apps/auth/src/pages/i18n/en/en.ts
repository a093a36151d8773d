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

/** The English texts; their shape is that of every other language. */
export const en = {
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
};

export type Messages = typeof en;
