import type { Messages } from '../en/en.ts';
import { account } from './account.ts';
import { activity } from './activity.ts';
import { admin } from './admin.ts';
import { consent } from './consent.ts';
import { developer } from './developer.ts';
import { device, signIn } from './sign-in.ts';
import { email } from './email.ts';
import { everyPage } from './every-page.ts';
import { factors } from './factors.ts';
import { front, guides, problems } from './front.ts';
import { hidden, people } from './people.ts';
import { mail } from './mail.ts';
import { names } from './names.ts';
import { notifications } from './notifications.ts';
import { reports } from './reports.ts';

/** The French texts. */
export const fr = {
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
