/** Texts of mail, in French. */
export const mail = {
  footer: (service: string, origin: string, address: string) =>
    `${service} (${origin}) a envoyé ce message à ${address}. Il n’est pas possible d’y répondre.`,
  questions: (email: string) => `Pour toute question, écrivez à ${email}.`,
  verifyEmail: {
    subject: (service: string) => `Confirmez votre adresse e-mail pour ${service}`,
    text: (username: string, service: string) =>
      `Bienvenue sur ${service}. Veuillez confirmer que cette adresse vous appartient, ${username}.`,
    action: 'Confirmer l’adresse',
    after: [
      'Le lien est valable 24 heures.',
      'Si vous n’avez pas créé ce compte, ne faites rien : sans confirmation, l’adresse n’est attribuée à personne.',
    ],
  },
  registrationApproved: {
    subject: (service: string) => `Votre compte ${service} est prêt`,
    text: (username: string, service: string) =>
      `Les administrateurs de ${service} ont accepté votre inscription sous le nom ${username}. Veuillez confirmer que cette adresse e-mail vous appartient, puis connectez-vous avec votre mot de passe.`,
    after: [
      'Ce lien expire dans 24 heures.',
      'Si vous n’avez pas demandé ce compte, ignorez cet e-mail. L’adresse reste non confirmée.',
    ],
  },
  registrationRefused: {
    subject: (service: string) => `Votre inscription à ${service} a été refusée`,
    text: (username: string, service: string) =>
      `Les administrateurs de ${service} ont refusé l’inscription sous le nom ${username} avec cette adresse e-mail. Aucun compte n’a été créé, et nous avons supprimé les données envoyées.`,
    after: ['Si vous n’avez pas demandé de compte, vous pouvez ignorer cet e-mail.'],
  },
  resetPassword: {
    subject: (service: string) => `Un nouveau mot de passe pour ${service}`,
    text: (username: string, service: string) =>
      `Quelqu’un, vous sans doute, a demandé un nouveau mot de passe pour le compte ${username} sur ${service}.`,
    action: 'Choisir un nouveau mot de passe',
    after: [
      'Le lien est valable 30 minutes, et une seule fois.',
      'Si ce n’était pas vous, ne faites rien : votre mot de passe reste inchangé.',
    ],
  },
  changeEmail: {
    subject: (service: string) => `Confirmez votre nouvelle adresse e-mail pour ${service}`,
    text: (username: string, service: string) =>
      `Le compte ${username} sur ${service} doit utiliser cette adresse. Veuillez confirmer qu’elle vous appartient.`,
    action: 'Utiliser cette adresse',
    after: [
      'Le lien est valable 24 heures. D’ici là, le compte garde son ancienne adresse.',
      'Si cela ne vous dit rien, ne faites rien : quelqu’un a peut-être mal saisi sa propre adresse.',
    ],
  },
  addressInUse: {
    subject: (service: string) => `Vous avez déjà un compte sur ${service}`,
    text: (username: string, service: string) =>
      `Quelqu’un a voulu utiliser cette adresse pour un autre compte sur ${service}. Elle appartient à votre compte ${username} : rien n’a donc été modifié.`,
    after: ['Si c’était vous : connectez-vous à ce compte et donnez-lui d’abord une autre adresse.'],
  },
  emailChangeAsked: {
    subject: (service: string) => `Votre adresse e-mail sur ${service} doit être changée`,
    text: (username: string, service: string, email: string) =>
      `Quelqu’un qui connaît le mot de passe a demandé que le compte ${username} sur ${service} utilise l’adresse ${email}. Ce sera le cas dès que cette adresse sera confirmée.`,
    after: [
      'Si ce n’était pas vous : changez votre mot de passe maintenant. La demande sera annulée par la même occasion.',
    ],
    action: 'Changer de mot de passe',
  },
  emailChanged: {
    subject: (service: string) => `Votre adresse e-mail sur ${service} a été changée`,
    text: (username: string, service: string, time: string) =>
      `Le compte ${username} sur ${service} a une autre adresse e-mail depuis le ${time}. Les messages n’arrivent plus à celle-ci.`,
    after: [
      'Si ce n’était pas vous : connectez-vous avec votre nom d’utilisateur et changez le mot de passe et l’adresse. Si vous n’y arrivez pas, adressez-vous aux administrateurs du service.',
    ],
    action: 'Vers votre compte',
  },
  passwordChanged: {
    subject: (service: string) => `Votre mot de passe sur ${service} a été changé`,
    text: (username: string, service: string, time: string) =>
      `Le mot de passe du compte ${username} sur ${service} a été changé le ${time}. Tous les autres navigateurs ont été déconnectés, et les applications doivent vous redemander l’accès.`,
    after: [
      'Si ce n’était pas vous : choisissez maintenant un nouveau mot de passe, avec le lien « Mot de passe oublié ? » de la page de connexion.',
    ],
    action: 'Choisir un nouveau mot de passe',
  },
  signInAttempts: {
    subject: (service: string) => `Quelqu’un essaie de deviner votre mot de passe sur ${service}`,
    text: (username: string, service: string, time: string) =>
      `Plus de 20 mots de passe erronés ont été saisis pour votre compte ${username} sur ${service} jusqu’au ${time}. Personne ne s’est connecté ainsi. Les prochains essais doivent maintenant attendre, sauf dans les navigateurs avec lesquels vous vous êtes déjà connecté.`,
    after: [
      'Si c’était vous : réinitialisez votre mot de passe avec le lien « Mot de passe oublié ? » de la page de connexion.',
      'Si ce n’était pas vous : vérifiez que votre mot de passe est long et que vous ne l’utilisez nulle part ailleurs. Une clé d’accès ou une application d’authentification protège votre compte même si quelqu’un le devine.',
    ],
    action: 'Protéger votre compte',
  },
  accountDeleted: {
    subject: (service: string) => `Votre compte ${service} a été supprimé`,
    text: (username: string, service: string, time: string) =>
      `Votre compte ${username} sur ${service} a été supprimé le ${time}. Plus personne ne peut le voir ni l’utiliser.`,
    undo: (time: string) =>
      `Jusqu’au ${time}, vous pouvez revenir en arrière : connectez-vous et choisissez « Garder mon compte ». Tout revient : vos publications, vos abonnés et vos réglages. Ensuite, le compte est effacé définitivement.`,
    action: 'Se connecter et garder le compte',
    after: [
      'Si vous voulez que le compte soit effacé, vous n’avez rien à faire.',
      'Si ce n’est pas vous qui l’avez supprimé, quelqu’un connaît votre mot de passe. Choisissez-en un nouveau avec « Mot de passe oublié ? » sur la page de connexion, puis connectez-vous et gardez votre compte.',
    ],
  },
  accountRestored: {
    subject: (service: string) => `Votre compte ${service} a été rétabli`,
    text: (username: string, service: string, time: string) =>
      `Votre compte ${username} sur ${service}, qui avait été supprimé, a été rétabli le ${time}. Il ne sera pas effacé.`,
    after: [
      'Si ce n’était pas vous, réinitialisez votre mot de passe avec « Mot de passe oublié ? » sur la page de connexion.',
    ],
    action: 'Aller à votre compte',
  },
  accountSuspended: {
    subject: (service: string) => `Votre compte ${service} a été suspendu`,
    text: (username: string, service: string, time: string) =>
      `Un administrateur a suspendu votre compte ${username} sur ${service} le ${time}. Personne d’autre ne le voit, et vous ne pouvez pas l’utiliser.`,
    reason: (reason: string) => `Le motif : ${reason}`,
    action: 'Se connecter',
    after: [
      'Après la connexion avec votre mot de passe, vous pouvez contester, télécharger vos données ou supprimer le compte.',
    ],
  },
  suspensionEnded: {
    subject: (service: string) => `Votre compte ${service} n’est plus suspendu`,
    text: (username: string, service: string, time: string) =>
      `Votre compte ${username} sur ${service} a été rétabli le ${time}. Tout est revenu, et vous pouvez vous reconnecter.`,
    action: 'Se connecter',
  },
  reportedSubjects: {
    account: (username: string) => `le compte ${username}`,
    post: (username: string) => `une publication de ${username}`,
    comment: (username: string) => `un commentaire de ${username}`,
  },
  reportDecided: {
    subject: (service: string) => `Votre signalement sur ${service}`,
    reported: (subject: string, service: string) =>
      `Vous avez signalé ${subject} sur ${service}. Un administrateur l’a examiné.`,
    acted: (rule: string) => `Nous sommes intervenus, car une règle n’est pas respectée\u00a0: ${rule}.`,
    dismissed: (rule: string) =>
      `Nous ne sommes pas intervenus, car nous n’avons rien trouvé de contraire à la règle\u00a0: ${rule}.`,
    after: ['Merci pour votre signalement. Ce que nous faisons exactement reste entre nous et la personne.'],
  },
  contentDeleted: {
    subject: (service: string) => `Quelque chose que vous avez publié sur ${service} a été supprimé`,
    subjectOfAll: (service: string) => `Vos publications sur ${service} ont été supprimées`,
    quoted: (text: string) => `«\u00a0${text}\u00a0»`,
    deleted: {
      post: (username: string, service: string) =>
        `Un administrateur a supprimé cette publication de votre compte ${username} sur ${service}\u00a0:`,
      comment: (username: string, service: string) =>
        `Un administrateur a supprimé ce commentaire de votre compte ${username} sur ${service}\u00a0:`,
    },
    allDeleted: (username: string, service: string) =>
      `Un administrateur a supprimé toutes les publications et tous les commentaires de votre compte ${username} sur ${service}.`,
    withSuspension: 'Toutes les publications et tous les commentaires du compte ont été supprimés.',
    rule: (rule: string) => `La règle qui n’est pas respectée\u00a0: ${rule}.`,
    appealTo: (email: string, number: string) =>
      `Si vous pensez que c’est une erreur, écrivez à ${email} en indiquant le dossier ${number}.`,
    appeal: (number: string) =>
      `Si vous pensez que c’est une erreur, contactez les administrateurs du service en indiquant le dossier ${number}.`,
  },
  newSignIn: {
    subject: (service: string) => `Nouvelle connexion à ${service}`,
    text: (username: string, service: string, time: string) =>
      `Quelqu’un s’est connecté au compte ${username} sur ${service} le ${time}, avec un navigateur ou depuis un réseau que nous ne connaissions pas :`,
    where: (browser: string, address: string) => `${browser}, adresse ${address}`,
    unknownAddress: 'inconnue',
    after: ['Si ce n’était pas vous : fermez cette session et changez de mot de passe.'],
    action: 'Voir vos sessions',
  },
  newApplication: {
    subject: (service: string) => `Une nouvelle application peut utiliser votre compte sur ${service}`,
    text: (application: string, owner: string, username: string) =>
      `L’application « ${application} » de ${owner} peut désormais utiliser votre compte ${username}.`,
    builtIn: (service: string, application: string, username: string) =>
      `« ${application} », l’outil de la référence de l’API de ${service}, peut désormais utiliser votre compte ${username}.`,
    selfRegistered: (application: string, username: string) =>
      `L’application « ${application} », qui s’est enregistrée elle-même et n’est pas vérifiée, peut désormais utiliser votre compte ${username}.`,
    documented: (application: string, host: string, username: string) =>
      `L’application « ${application} » de ${host}, qui n’est pas vérifiée, peut désormais utiliser votre compte ${username}.`,
    time: (service: string, time: string) => `Elle y a été autorisée sur ${service} le ${time}.`,
    after: ['Si ce n’était pas vous : retirez l’accès à l’application et changez de mot de passe.'],
    action: 'Voir les applications connectées',
  },
  importEnded: {
    finished: {
      subject: (service: string) => `Vos publications ont été importées sur ${service}`,
      text: (username: string, service: string) =>
        `L’importation pour votre compte ${username} sur ${service} est terminée.`,
    },
    failed: {
      subject: (service: string) => `Votre importation sur ${service} a échoué`,
      text: (username: string, service: string) =>
        `L’importation pour votre compte ${username} sur ${service} a échoué.`,
    },
    kept: 'Ce qui est enregistré reste.',
    action: 'Voir l’importation',
  },
  proposals: {
    subject: (service: string) => `Des propositions pour vous sur ${service}`,
    text: (username: string, service: string) =>
      `Voici ce qui a été proposé pour votre compte ${username} sur ${service}. Rien ne se passe avant votre décision.`,
    from: (application: string, calls: string) => `«\u00a0${application}\u00a0»\u00a0: ${calls}`,
    calls: {
      '/post/create': (count: number) => (count === 1 ? '1 publication' : `${String(count)} publications`),
      '/comment/create': (count: number) => (count === 1 ? '1 commentaire' : `${String(count)} commentaires`),
      '/likes/add': (count: number) => `${String(count)} j’aime`,
      '/reposts/add': (count: number) => (count === 1 ? '1 partage' : `${String(count)} partages`),
      '/follows/add': (count: number) => (count === 1 ? '1 abonnement' : `${String(count)} abonnements`),
    },
    action: 'Voir les propositions',
    after: (settings: string) =>
      `Ce message est envoyé au plus une fois par heure. Pour le désactiver\u00a0: ${settings}`,
  },
  webhookOff: {
    subject: (service: string) => `Un webhook de votre application sur ${service} a été désactivé`,
    reasons: {
      failed: (application: string, account: string, time: string) =>
        `L’application « ${application} » de votre compte ${account} n’a pas pu être jointe pendant cinq jours. Nous avons désactivé ce webhook le ${time}.`,
      full: (application: string, account: string, time: string) =>
        `Trop de messages attendaient l’application « ${application} » de votre compte ${account}. Nous avons désactivé ce webhook le ${time}.`,
      gone: (application: string, account: string, time: string) =>
        `L’application « ${application} » de votre compte ${account} a répondu par le statut 410. Nous avons désactivé ce webhook le ${time}.`,
    },
    after:
      'Corrigez l’adresse ou votre serveur, puis réactivez le webhook. Ce qui se passe entre-temps n’est pas envoyé.',
    action: 'Vérifier le webhook',
  },
  applicationNotice: {
    created: {
      subject: (service: string) => `Une application a été créée dans votre compte ${service}`,
      text: (application: string, account: string, time: string) =>
        `L’application « ${application} » a été créée dans votre compte ${account} le ${time}.`,
    },
    changed: {
      subject: (service: string) => `Une application de votre compte ${service} a plus d’accès`,
      text: (application: string, account: string, time: string) =>
        `L’application « ${application} » de votre compte ${account} a reçu plus d’accès le ${time}.`,
    },
    gained: {
      'act-as-owner': () => 'Elle peut agir au nom de votre compte avec ses propres identifiants.',
      implicit: () => 'Elle peut recevoir des jetons d’accès dans le navigateur (response_type=token).',
      scopes: (scopes: string) => `Ses autorisations : ${scopes}.`,
      settings: (settings: string) => `Davantage du protocole est autorisé : ${settings}.`,
    },
    after: 'Si ce n’était pas vous, supprimez l’application et changez votre mot de passe.',
    action: 'Voir vos applications',
  },
  factorChanged: {
    passkey_added: {
      subject: (service: string) => `Une clé d’accès a été ajoutée à votre compte sur ${service}`,
      text: (account: string, time: string, names: string) =>
        `Depuis le ${time}, on peut se connecter au compte ${account} avec la clé d’accès ${names}, sans mot de passe.`,
    },
    passkey_removed: {
      subject: (service: string) => `Une clé d’accès a été retirée de votre compte sur ${service}`,
      text: (account: string, time: string, names: string) =>
        `Retirée du compte ${account} le ${time} : clé d’accès ${names}. Elle ne permet plus de se connecter.`,
    },
    identity_added: {
      subject: (service: string) => `Un autre service a été associé à votre compte sur ${service}`,
      text: (account: string, time: string, names: string) =>
        `Depuis le ${time}, on peut se connecter au compte ${account} avec ${names}, sans mot de passe.`,
    },
    identity_removed: {
      subject: (service: string) => `Un service n’est plus associé à votre compte sur ${service}`,
      text: (account: string, time: string, names: string) =>
        `Dissocié du compte ${account} le ${time}\u00a0: ${names}. Ce service ne permet plus de se connecter.`,
    },
    totp_added: {
      subject: (service: string) => `Une application d’authentification a été ajoutée à votre compte sur ${service}`,
      text: (account: string, time: string) =>
        `Depuis le ${time}, la connexion au compte ${account} demande un code de l’application après le mot de passe. Des codes de récupération ont été créés avec elle.`,
    },
    totp_removed: {
      subject: (service: string) => `L’application d’authentification a été retirée de votre compte sur ${service}`,
      text: (account: string, time: string) =>
        `Depuis le ${time}, le mot de passe suffit à nouveau pour le compte ${account}. Les codes de récupération ont disparu avec l’application.`,
    },
    recovery_codes_made: {
      subject: (service: string) => `De nouveaux codes de récupération pour votre compte sur ${service}`,
      text: (account: string, time: string) =>
        `Les codes de récupération du compte ${account} ont été renouvelés le ${time}. Les anciens ne sont plus valables.`,
    },
    /** How the texts refer to the account. */
    account: (username: string, service: string) => `${username} sur ${service}`,
    quote: (name: string) => `« ${name} »`,
    after:
      'Si ce n’était pas vous : retirez ce que vous ne connaissez pas, créez de nouveaux codes de récupération et changez de mot de passe.',
    action: 'Voir la sécurité de votre compte',
  },
};
