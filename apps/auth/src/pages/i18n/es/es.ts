import type { Messages } from '../en/en.ts';
import { activity, email, factors, notifications } from './account-pages.ts';
import { account } from './account.ts';
import { admin } from './admin.ts';
import { developer } from './developer.ts';
import { everyPage, names } from './every-page.ts';
import { front, guides, problems } from './front.ts';
import { mail } from './mail.ts';
import { hidden, people } from './people.ts';
import { reports } from './reports.ts';
import { consent, device, signIn } from './sign-in.ts';

/** The Spanish texts. */
export const es = {
  ...everyPage,
  signIn,
  admin,
  consent,
  developer,
  account,
  activity,
  device,
  email,
  factors,
  front,
  guides,
  hidden,
  mail,
  names,
  notifications,
  people,
  problems,
  reports,
} satisfies Messages;
