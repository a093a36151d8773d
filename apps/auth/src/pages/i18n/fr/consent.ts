import type { RichText } from '../rich-text.ts';

/** Texts of the consent page, in French. */
export const consent = {
  title: (application: string) => `Autoriser ${application} ?`,
  heading: (application: RichText): RichText => [application, ' souhaite utiliser votre compte'],
  signedInAs: (username: RichText): RichText => ['Vous utilisez le compte ', username, '.'],
  notYou: 'Ce n’est pas vous ? Utiliser un autre compte',
  madeBy: 'Créée par',
  returnsTo: 'Vous renvoie vers',
  required: 'Elle pourra',
  optional: 'Et si vous le souhaitez, aussi',
  /** The request is for the endpoint of agents. Its permissions are in groups. */
  agent: {
    notice:
      'C’est un agent\u00a0: un programme qui lit et agit de lui-même en votre nom. N’accordez que ce dont il a besoin, et pas plus longtemps.',
    groups: { reading: 'Lire', proposing: 'Proposer', writing: 'Publier et supprimer', account: 'Votre compte' },
  },
  reason: (reason: RichText): RichText => ['Elle précise : « ', reason, ' »'],
  before: 'Vous avez déjà autorisé cette application. Ce qu’elle demande de plus est marqué comme nouveau.',
  status: { new: 'nouveau', allowed: 'déjà autorisé' },
  /** What was granted before. `shared`: the new expiry applies to it, too; `separate`: it does not. */
  earlier: {
    title: 'Cette application a déjà accès à',
    until: (minute: string) => `jusqu’au ${minute}`,
    endless: 'jusqu’à ce que vous y mettiez fin',
    shared: 'La durée que vous choisissez ci-dessous s’applique aussi à ces autorisations.',
    separate: 'La durée que vous choisissez ci-dessous ne change rien à ces autorisations.',
    keep: (minute: string) => `Comme actuellement : ${minute}`,
  },
  outside: {
    describes: (description: RichText): RichText => [
      'La personne qui développe cette API écrit : « ',
      description,
      ' »',
    ],
    notice: (api: RichText, owner: RichText, service: string): RichText => [
      api,
      ' ne fait pas partie de ',
      service,
      '. Cette API appartient à ',
      owner,
      ', et ',
      service,
      ' ne l’a pas vérifiée. Elle apprend votre nom d’utilisateur.',
    ],
    unproven: (owner: RichText): RichText => [' Rien ne confirme que ', owner, ' exploite cette adresse.'],
  },
  nothing: 'Elle ne demande aucune autorisation de lire ou de modifier quoi que ce soit.',
  implicit:
    'Cette application reçoit son accès dans la barre d’adresse de votre navigateur, où d’autres programmes peuvent le voir. C’est moins sûr que la méthode habituelle ; elle doit donc le redemander toutes les 10 minutes.',
  publisherUnconfirmed: 'adresse e-mail non confirmée',
  trust: (owner: RichText): RichText => ['N’autorisez cette application que si vous faites confiance à ', owner, '.'],
  builtIn: (service: string) => `fait partie de ${service}`,
  builtInTrust: (service: string) =>
    `C’est l’outil de la référence de l’API de ${service}. Ne l’autorisez que si vous venez d’y choisir « Authorize ».`,
  selfRegistered: 'inconnu : l’application s’est enregistrée elle-même',
  unverified: (service: string, host: RichText): RichText => [
    service,
    ' ne sait pas qui propose cette application, car elle s’est enregistrée elle-même. Ne l’autorisez que si vous venez de lancer cette opération vous-même et si vous faites confiance à ',
    host,
    '.',
  ],
  /** `host`: of the URL that is the `client_id`. */
  documented: (host: RichText): RichText => [host, ', non vérifié'],
  unverifiedHost: (service: string, host: RichText): RichText => [
    service,
    ' n’a pas vérifié qui propose cette application. Elle dit venir de ',
    host,
    '. Ne l’autorisez que si vous venez de lancer cette opération vous-même et si vous faites confiance à ',
    host,
    '.',
  ],
  onDevice: (host: RichText): RichText => [
    'Elle fonctionne sur votre appareil, où d’autres programmes peuvent aussi prétendre venir de ',
    host,
    '.',
  ],
  deny: 'Refuser',
  allow: 'Autoriser',
  later: 'Vous pouvez lui retirer l’accès à tout moment dans votre compte, sous « Applications connectées ».',
  /** The page that posts the response to the application (`response_mode=form_post`). */
  returning: {
    title: (application: string) => `Retour à ${application}`,
    heading: (application: RichText): RichText => ['Retour à ', application],
    text: (host: RichText): RichText => [
      'Si vous n’êtes pas redirigé automatiquement vers ',
      host,
      ', sélectionnez « Continuer ».',
    ],
    submit: 'Continuer',
  },
};
