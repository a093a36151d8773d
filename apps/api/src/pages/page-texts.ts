import type { Language } from '@linnet/contract/languages';

/** Texts that depend on numbers and times, in the form of `language`. */
function createFormats(language: string) {
  const minute = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const count = new Intl.NumberFormat(language);
  const plural = new Intl.PluralRules(language);
  return {
    formatMinute: (date: Date) => `${minute.format(date)} UTC`,
    formatCount: (value: number) => count.format(value),
    /** A label whose form depends on the count next to it. */
    label: (one: string, other: string) => (value: number) => (plural.select(value) === 'one' ? one : other),
  };
}

const english = createFormats('en');
const german = createFormats('de');
const french = createFormats('fr');
const spanish = createFormats('es');

const en = {
  language: 'en',
  languageName: 'English',
  locale: 'en_US',
  formatMinute: english.formatMinute,
  formatCount: english.formatCount,
  skip: 'Skip to content',
  languages: 'Language',
  aboutService: 'About this service',
  guides: 'Documentation',
  contact: 'Contact',
  terms: 'Terms',
  privacy: 'Privacy',
  status: 'Status',
  verified: 'Verified account',
  protectedAccount: 'Protected account',
  protectedText: 'Only approved followers see the posts of this account.',
  posts: 'Posts',
  postLabel: english.label('Post', 'Posts'),
  noPosts: 'No posts yet.',
  noMorePosts: 'There are no older posts.',
  older: 'Older posts',
  newest: 'Newest posts',
  followerLabel: english.label('Follower', 'Followers'),
  following: 'Following',
  likeLabel: english.label('Like', 'Likes'),
  commentLabel: english.label('Comment', 'Comments'),
  repostLabel: english.label('Repost', 'Reposts'),
  pictureOf: (name: string) => `Picture posted by ${name}`,
  profileOn: (name: string, service: string) => `${name} on ${service}`,
  postBy: (name: string) => `Post by ${name}`,
  notFoundTitle: 'Page not found',
  notFoundText: 'This page does not exist. It may have been deleted, or the link may be incomplete.',
};

/** Every text of the public pages. */
export type PageTexts = typeof en;

const de: PageTexts = {
  language: 'de',
  languageName: 'Deutsch',
  locale: 'de_DE',
  formatMinute: german.formatMinute,
  formatCount: german.formatCount,
  skip: 'Zum Inhalt springen',
  languages: 'Sprache',
  aboutService: 'Über diesen Dienst',
  guides: 'Dokumentation',
  contact: 'Kontakt',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutz',
  status: 'Status',
  verified: 'Verifiziertes Konto',
  protectedAccount: 'Geschütztes Konto',
  protectedText: 'Die Beiträge dieses Kontos sehen nur bestätigte Follower.',
  posts: 'Beiträge',
  postLabel: german.label('Beitrag', 'Beiträge'),
  noPosts: 'Noch keine Beiträge.',
  noMorePosts: 'Es gibt keine älteren Beiträge.',
  older: 'Ältere Beiträge',
  newest: 'Neueste Beiträge',
  followerLabel: () => 'Follower',
  following: 'Folgt',
  likeLabel: () => 'Gefällt mir',
  commentLabel: german.label('Kommentar', 'Kommentare'),
  repostLabel: () => 'Geteilt',
  pictureOf: (name) => `Bild aus einem Beitrag von ${name}`,
  profileOn: (name, service) => `${name} auf ${service}`,
  postBy: (name) => `Beitrag von ${name}`,
  notFoundTitle: 'Seite nicht gefunden',
  notFoundText:
    'Unter dieser Adresse gibt es nichts. Vielleicht wurde der Inhalt verschoben oder gelöscht, oder der Link ist unvollständig.',
};

const fr: PageTexts = {
  language: 'fr',
  languageName: 'Français',
  locale: 'fr_FR',
  formatMinute: french.formatMinute,
  formatCount: french.formatCount,
  skip: 'Aller au contenu',
  languages: 'Langue',
  aboutService: 'À propos de ce service',
  guides: 'Documentation',
  contact: 'Contact',
  terms: 'Conditions d’utilisation',
  privacy: 'Confidentialité',
  status: 'État du service',
  verified: 'Compte vérifié',
  protectedAccount: 'Compte protégé',
  protectedText: 'Seuls les abonnés acceptés voient les publications de ce compte.',
  posts: 'Publications',
  postLabel: french.label('Publication', 'Publications'),
  noPosts: 'Aucune publication pour le moment.',
  noMorePosts: 'Il n’y a pas de publication plus ancienne.',
  older: 'Publications plus anciennes',
  newest: 'Publications les plus récentes',
  followerLabel: french.label('Abonné', 'Abonnés'),
  following: 'Abonnements',
  likeLabel: () => 'J’aime',
  commentLabel: french.label('Commentaire', 'Commentaires'),
  repostLabel: french.label('Partage', 'Partages'),
  pictureOf: (name) => `Image publiée par ${name}`,
  profileOn: (name, service) => `${name} sur ${service}`,
  postBy: (name) => `Publication de ${name}`,
  notFoundTitle: 'Page introuvable',
  notFoundText:
    'Il n’y a rien à cette adresse. Le contenu a peut-être été déplacé ou supprimé, ou le lien est incomplet.',
};

const es: PageTexts = {
  language: 'es',
  languageName: 'Español',
  locale: 'es_ES',
  formatMinute: spanish.formatMinute,
  formatCount: spanish.formatCount,
  skip: 'Ir al contenido',
  languages: 'Idioma',
  aboutService: 'Sobre este servicio',
  guides: 'Documentación',
  contact: 'Contacto',
  terms: 'Condiciones de uso',
  privacy: 'Privacidad',
  status: 'Estado del servicio',
  verified: 'Cuenta verificada',
  protectedAccount: 'Cuenta protegida',
  protectedText: 'Solo los seguidores aceptados ven las publicaciones de esta cuenta.',
  posts: 'Publicaciones',
  postLabel: spanish.label('Publicación', 'Publicaciones'),
  noPosts: 'Aún no hay publicaciones.',
  noMorePosts: 'No hay publicaciones más antiguas.',
  older: 'Publicaciones más antiguas',
  newest: 'Publicaciones más recientes',
  followerLabel: spanish.label('Seguidor', 'Seguidores'),
  following: 'Siguiendo',
  likeLabel: () => 'Me gusta',
  commentLabel: spanish.label('Comentario', 'Comentarios'),
  repostLabel: spanish.label('Compartido', 'Compartidos'),
  pictureOf: (name) => `Imagen publicada por ${name}`,
  profileOn: (name, service) => `${name} en ${service}`,
  postBy: (name) => `Publicación de ${name}`,
  notFoundTitle: 'Página no encontrada',
  notFoundText:
    'No hay nada en esta dirección. Puede que el contenido se haya movido o eliminado, o que el enlace esté incompleto.',
};

/** In the order of `languages`, which is the order of the language links. */
export const pageTexts = { en, de, fr, es } as const satisfies Readonly<Record<Language, PageTexts>>;
