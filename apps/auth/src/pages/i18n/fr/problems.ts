/** Texts of the pages about errors of the API, in French. */
export const problems = {
  title: 'Erreurs de l’API',
  intro: 'Chaque réponse d’erreur de l’API porte l’un de ces codes.',
  code: 'Code d’erreur',
  status: 'Statut HTTP',
  meaning: 'Quand elle se produit',
  remedy: 'Que faire',
  example: 'Exemple de réponse',
  calls: 'Points de terminaison qui la renvoient',
  every: 'Tous.',
  all: 'Toutes les erreurs',
};
