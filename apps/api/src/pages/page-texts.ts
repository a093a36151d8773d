const formats = (language: string) => {
  const minute = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const count = new Intl.NumberFormat(language);
  return {
    formatMinute: (date: Date) => `${minute.format(date)} UTC`,
    formatCount: (value: number) => count.format(value),
  };
};

const en = {
  language: 'en',
  languageName: 'English',
  locale: 'en_US',
  ...formats('en'),
  skip: 'Skip to content',
  languages: 'Language',
  verified: 'Verified account',
  protectedAccount: 'Protected account',
  protectedText: 'Only approved followers see the posts of this account.',
  posts: 'Posts',
  noPosts: 'No posts yet.',
  noMorePosts: 'There are no older posts.',
  older: 'Older posts',
  newest: 'Newest posts',
  followers: 'Followers',
  following: 'Following',
  likes: 'Likes',
  comments: 'Comments',
  reposts: 'Reposts',
  pictureOf: (name: string) => `Picture posted by ${name}`,
  profileOn: (name: string, service: string) => `${name} on ${service}`,
  postBy: (name: string) => `Post by ${name}`,
  notFoundTitle: 'Page not found',
  notFoundText: 'There is nothing at this address. It may have been moved or deleted, or the link may be incomplete.',
};

/** Every text of the public pages. */
export type PageTexts = typeof en;

const de: PageTexts = {
  language: 'de',
  languageName: 'Deutsch',
  locale: 'de_DE',
  ...formats('de'),
  skip: 'Zum Inhalt springen',
  languages: 'Sprache',
  verified: 'Verifiziertes Konto',
  protectedAccount: 'Geschütztes Konto',
  protectedText: 'Die Beiträge dieses Kontos sehen nur bestätigte Follower.',
  posts: 'Beiträge',
  noPosts: 'Noch keine Beiträge.',
  noMorePosts: 'Es gibt keine älteren Beiträge.',
  older: 'Ältere Beiträge',
  newest: 'Neueste Beiträge',
  followers: 'Follower',
  following: 'Folgt',
  likes: 'Gefällt mir',
  comments: 'Kommentare',
  reposts: 'Geteilt',
  pictureOf: (name) => `Bild aus einem Beitrag von ${name}`,
  profileOn: (name, service) => `${name} auf ${service}`,
  postBy: (name) => `Beitrag von ${name}`,
  notFoundTitle: 'Seite nicht gefunden',
  notFoundText:
    'Unter dieser Adresse gibt es nichts. Vielleicht wurde der Inhalt verschoben oder gelöscht, oder der Link ist unvollständig.',
};

/** English comes first: it is taken when nothing else fits. */
export const pageTexts = { en, de } as const;
