/** Texts of the pages about errors of the API, in French. */
export const problems = {
  title: 'Erreurs de l’API',
  intro: 'Chaque problème que l’API renvoie porte l’un de ces codes.',
  code: 'Code d’erreur',
  status: 'Statut HTTP',
  meaning: 'Quand elle se produit',
  remedy: 'Que faire',
  example: 'Exemple de réponse',
  calls: 'Appels qui la renvoient',
  every: 'Tous les appels.',
  all: 'Toutes les erreurs',
};
