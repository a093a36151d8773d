import { countingIn } from '../counted.ts';
import type { Messages } from '../en/en.ts';
import { overview } from './admin-overview.ts';
import { people, person } from './admin-people.ts';

const counted = countingIn('fr');

export const admin: Messages['admin'] = {
  pages: {
    overview: 'Vue d’ensemble',
    reports: 'Signalements',
    registrations: 'Inscriptions',
    blocks: 'Blocages',
    people: 'Personnes',
    applications: 'Applications',
    audit: 'Journal d’audit',
  },
  overview,
  factors: {
    title: 'Il manque l’authentification à deux facteurs',
    none: 'Pour administrer le service, il faut une clé d’accès ou une application d’authentification. Ajoutez-en une, puis faites-vous attribuer le rôle de nouveau.',
    new: 'Vous avez ajouté une clé d’accès ou une application d’authentification après avoir reçu le rôle. Pour qu’elle compte, faites-vous attribuer le rôle de nouveau.',
    command: 'Cela se fait sur le serveur avec\u00a0:',
    add: 'Clés d’accès et application d’authentification',
  },
  search: { submit: 'Rechercher', none: 'Aucun résultat.', next: 'Page suivante' },
  reason: {
    label: 'Motif',
    hint: 'Reste définitivement dans le journal d’audit. N’écrivez ni nom ni adresse.',
    errors: {
      missing: 'Indiquez un motif.',
      'too-long': 'Le motif ne doit pas dépasser 200 caractères.',
      personal: 'N’écrivez ni adresse ni nom d’utilisateur\u00a0: le motif ne doit pas contenir de @.',
      'shown-too-long': 'Le motif pour la personne ne doit pas dépasser 500 caractères.',
      unprintable: 'Le motif contient un caractère impossible à afficher. Supprimez-le.',
    },
  },
  shownReason: {
    label: 'Motif pour la personne',
    hint: 'La personne le reçoit par e-mail et le voit après la connexion. 500 caractères au plus.',
  },
  changedSince: 'Une modification a eu lieu entre-temps\u00a0: rien n’a été fait. Vérifiez la page et réessayez.',
  events: {
    title: 'Événements récents',
    none: 'Aucun événement n’est enregistré.',
    operator: (id) => `administrateur ${id}`,
    reason: (reason) => `motif\u00a0: ${reason}`,
    address: (address) => `depuis ${address}`,
    actors: {
      person: 'personne',
      application: 'application',
      operator: 'administrateur',
      service: 'le service',
      unknown: 'inconnu',
    },
  },
  registrations: {
    title: 'Inscriptions',
    none: 'Aucune inscription n’attend de décision. Celles qui demandent une approbation apparaissent ici.',
    intro: 'Choisissez des personnes, saisissez un motif et décidez. Elles reçoivent un e-mail, sans le motif.',
    page: 'page d’inscription',
    approve: 'Accepter',
    refuse: 'Refuser',
    noneChosen: 'Choisissez au moins une personne.',
    done: {
      approved: 'Les comptes existent maintenant.',
      refused: 'Les inscriptions sont refusées et supprimées.',
      taken:
        'Certaines n’ont pas pu être acceptées, car leur adresse ou leur nom appartient maintenant à un compte. Refusez-les.',
    },
  },
  blocks: {
    title: 'Blocages',
    intro: 'Blocages d’inscriptions. De plusieurs, le plus strict compte. Personne ne lit lequel c’était.',
    listTitle: 'Tous les blocages',
    find: 'Trouver des blocages',
    findHint: 'Une partie d’un domaine, d’un réseau ou d’un mot.',
    none: 'Aucun blocage.',
    kinds: {
      mail_domain: 'Domaine de messagerie',
      mail_server: 'Serveur de messagerie de plusieurs domaines',
      network: 'Réseau',
      word: 'Mot dans un nom',
    },
    acts: { refuse: 'Refuser l’inscription', approve: 'Un administrateur décide', mark: 'Seulement marquer le compte' },
    fields: { kind: 'Type', value: 'Domaine, réseau ou mot', act: 'Effet', until: 'Se termine le', note: 'Remarque' },
    hints: {
      value:
        'Par exemple bad.example, 192.0.2.0/24 ou 2001:db8::/32. Vaut aussi pour les sous-domaines et les parties de noms.',
      until: 'Au début de ce jour (UTC).',
      note: 'Pour les administrateurs. Sans noms ni adresses de personnes.',
    },
    errors: {
      kind: 'Choisissez un type.',
      value: 'Saisissez un domaine, un réseau (au moins /8, ou /16 pour IPv6) ou un mot de 2 à 100 caractères.',
      act: 'Choisissez un effet.',
      until: 'Saisissez une date.',
      note: 'La remarque doit avoir 200 caractères au plus, sur une ligne.',
    },
    add: 'Ajouter un blocage',
    remove: 'Retirer des blocages',
    noneChosen: 'Choisissez au moins un blocage.',
    until: (time) => `jusqu’au ${time}`,
    ended: (time) => `terminé depuis le ${time}`,
    matched: (kind) => `Correspond à un blocage\u00a0: ${kind}`,
    noProof: 'Sans preuve de calcul',
    limitedInviter: 'Invitation d’un compte limité',
    done: { added: 'Le blocage est en vigueur.', removed: 'Les blocages sont retirés.' },
  },
  applications: {
    title: 'Applications',
    field: 'Trouver une application',
    hint: 'Le début d’un ID client ou du nom d’utilisateur de son propriétaire, ou une partie du nom.',
    noOwner: 'sans propriétaire',
    facts: {
      owner: 'Propriétaire',
      type: 'Type',
      scopes: 'Autorisations',
      uris: 'URI de redirection',
      people: 'Personnes',
      week: '7 derniers jours',
      used: 'Dernière utilisation',
    },
    week: (tokens, calls) => `${tokens} jetons, ${calls} requêtes à l’API`,
    never: 'jamais',
    actTexts: {
      suspend: {
        label: 'Suspendre',
        text: 'Met fin à ses jetons en une seconde. Elle n’en reçoit plus et ne peut pas être autorisée.',
        submit: 'Suspendre l’application',
        done: 'L’application est suspendue.',
      },
      restore: {
        label: 'Rétablir',
        text: 'Lève la suspension. Ses jetons restent révoqués.',
        submit: 'Rétablir l’application',
        done: 'L’application est de nouveau active.',
      },
      verify: {
        label: 'Vérifier',
        text: 'La marque comme vérifiée jusqu’à ce que son nom, son logo, son site ou son propriétaire change. Vérifiez d’abord que le propriétaire est bien celui que dit le nom.',
        submit: 'Marquer comme vérifiée',
        done: 'L’application est vérifiée.',
      },
      unverify: {
        label: 'Retirer la marque',
        text: 'Retire la marque de vérification.',
        submit: 'Retirer la vérification',
        done: 'L’application n’est plus vérifiée.',
      },
      'end-access': {
        label: 'Mettre fin à tous les accès',
        text: 'Met fin à tous ses jetons et la déconnecte de toutes les personnes. Elle peut être autorisée de nouveau.',
        submit: 'Mettre fin aux jetons et aux connexions',
        done: 'Tous les jetons et toutes les connexions sont révoqués.',
      },
    },
    bulk: {
      intro:
        'Choisissez des applications et une action. La page suivante montre lesquelles sont concernées et demande le motif.',
      all: 'Tout choisir sur cette page',
      none: 'Choisissez au moins une application.',
      chosen: (count) =>
        counted(count, {
          one: (number) => `${number} application choisie`,
          other: (number) => `${number} applications choisies`,
        }),
      leftOut: (count) =>
        counted(count, {
          one: (number) => `${number} application exclue`,
          other: (number) => `${number} applications exclues`,
        }),
      leftOutText: 'Les applications dont l’état ne le permet pas.',
      changedSince:
        'Les applications ci-dessous ont changé entre-temps\u00a0: rien ne leur a été fait. Toutes les autres sont traitées.',
      back: 'Retour à toutes les applications',
      done: {
        suspend: 'Les applications sont suspendues.',
        restore: 'Les applications sont de nouveau actives.',
        'end-access': 'Tous les jetons et toutes les connexions des applications sont révoqués.',
      },
    },
  },
  audit: {
    title: 'Journal d’audit',
    intro: 'Ce qui est arrivé aux comptes, aux applications et aux clés, du plus récent au plus ancien.',
    moreFilters: 'Plus de filtres',
    results: 'Événements',
    fields: {
      event: 'Événement',
      actor: 'Qui a agi',
      account: 'Compte',
      operator: 'Administrateur',
      client: 'ID client',
      from: 'Du',
      to: 'Au',
    },
    hints: {
      event: 'Par exemple account.suspended.',
      account: 'Nom d’utilisateur ou identifiant du compte concerné.',
      operator: 'Nom d’utilisateur ou identifiant de l’administrateur qui a agi sur ces pages.',
      day: 'Un jour en UTC.',
    },
    anyActor: 'Peu importe',
    errors: {
      account: 'Aucun compte n’a ce nom d’utilisateur ou cet identifiant.',
      day: 'Indiquez un jour, comme 2026-11-23.',
    },
    continued: 'Aucun des événements lus ne correspond. La page suivante continue avec les plus anciens.',
  },
  people,
  person,
};
