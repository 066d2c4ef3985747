// Names of models as the engine knows them: one without a tag is the one tagged "latest".

import type { EmbedderOffer } from './api.gen';

const tagged = (name: string): string => (/:[^/]*$/.test(name) ? name : `${name}:latest`);

export const sameModel = (a: string, b: string): boolean => tagged(a) === tagged(b);

/** A name without what goes without saying: the tag "latest", and whose the models are that come with the app. */
export const shortName = (name: string): string => name.replace(/^recollect\//, '').replace(/:latest$/, '');

/** A name without its publisher and its tag. */
export const bareName = (name: string): string => name.replace(/^.*\//, '').replace(/:.*$/, '');

/** What is known of an installed embedder: the offer of the same model, under whatever name. */
export const offerOf = (offers: readonly EmbedderOffer[], name: string): EmbedderOffer | undefined =>
  offers.find((offer) => bareName(name).toLowerCase().startsWith(bareName(offer.name).toLowerCase()));

/** The job that fetches a model: those that come with the app are prepared, since no registry has them. */
export const fetching = (name: string): [path: string, body: object] =>
  name.startsWith('recollect/') ? ['/models/starter', {}] : ['/models/pull', { name }];
