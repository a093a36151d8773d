/** The people of the demo. They are fictional; `example.org` is reserved for examples (RFC 2606). */

export interface DemoPerson {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly description: string;
  readonly country: string;
  readonly language: string;
  readonly isVerified?: true;
  readonly isProtected?: true;
}

/** The password of every demo account. */
export const demoPassword = 'a demo of linnet';

export const people: readonly DemoPerson[] = [
  {
    username: 'mara_okafor',
    firstName: 'Mara',
    lastName: 'Okafor',
    description: 'Photographs harbours before sunrise. Film, mostly.',
    country: 'Lisbon',
    language: 'en',
    isVerified: true,
  },
  {
    username: 'jonas_feld',
    firstName: 'Jonas',
    lastName: 'Feld',
    description: 'Gärtner. Schreibt über Äpfel, Regen und die Geduld dazwischen.',
    country: 'Freiburg im Breisgau',
    language: 'de',
  },
  {
    username: 'lucia_reyes',
    firstName: 'Lucía',
    lastName: 'Reyes',
    description: 'Cocino lo que encuentro en el mercado y lo cuento aquí.',
    country: 'Oaxaca',
    language: 'es',
  },
  {
    username: 'camille_roux',
    firstName: 'Camille',
    lastName: 'Roux',
    description: 'À vélo tous les jours, même quand il pleut. Surtout quand il pleut.',
    country: 'Lyon',
    language: 'fr',
  },
  {
    username: 'kenji_mori',
    firstName: 'Kenji',
    lastName: 'Mori',
    description: '山と鳥と各駅停車。Birds, mountains, slow trains.',
    country: '長野',
    language: 'ja',
  },
  {
    username: 'amina_haddad',
    firstName: 'Amina',
    lastName: 'Haddad',
    description: 'Builds small software for small libraries. Typos are load-bearing.',
    country: 'Tunis',
    language: 'en',
    isVerified: true,
  },
  {
    username: 'rafael_costa',
    firstName: 'Rafael',
    lastName: 'Costa',
    description: 'Meteorologia para quem anda a pé. The bot here is mine.',
    country: 'Porto',
    language: 'pt',
  },
  {
    username: 'tove_lind',
    firstName: 'Tove',
    lastName: 'Lind',
    description: 'This account is for friends. Send a request and tell me who you are.',
    country: 'Göteborg',
    language: 'sv',
    isProtected: true,
  },
];

export function emailOf({ username }: DemoPerson): string {
  return `${username}@demo.example.org`;
}

/** Who follows whom, the earliest first. */
export const follows: Readonly<Record<string, readonly string[]>> = {
  mara_okafor: ['kenji_mori', 'amina_haddad', 'rafael_costa', 'tove_lind'],
  jonas_feld: ['lucia_reyes', 'camille_roux', 'mara_okafor', 'kenji_mori'],
  lucia_reyes: ['jonas_feld', 'mara_okafor'],
  camille_roux: ['mara_okafor', 'jonas_feld', 'rafael_costa', 'amina_haddad', 'tove_lind'],
  kenji_mori: ['mara_okafor', 'camille_roux', 'jonas_feld'],
  amina_haddad: ['rafael_costa', 'mara_okafor', 'lucia_reyes', 'camille_roux', 'kenji_mori', 'tove_lind'],
  rafael_costa: ['amina_haddad', 'mara_okafor', 'camille_roux'],
  tove_lind: ['mara_okafor', 'amina_haddad', 'jonas_feld'],
};

/** Followers that the protected account approves. Other requests stay pending. */
export const approvedFollowers: readonly string[] = ['mara_okafor', 'amina_haddad'];
