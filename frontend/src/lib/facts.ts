// Facts as the page names and changes them.
import type { Fact, FactChange, FactResult, Revised, Revision } from './api.gen';
import { app } from './app.svelte';
import { dotted } from './format';
import { http } from './http';
import w from './i18n/facts.words';

/** Keys whose rest is a word of the user's: "number of bees", "favourite tea". */
const compound = [
  ['number of ', 'numberOf'],
  ['favourite ', 'favourite'],
] as const;

/** A key in words: those that the rules know are translated, others stand as they were said. */
export function keyWord(key: string): string {
  const known = w().keys[key.toLowerCase()];
  if (known !== undefined) return known;
  for (const [start, name] of compound) {
    if (key.startsWith(start)) return w()[name](key.slice(start.length));
  }
  return key;
}

/** The key that a word stands for: one that the rules know in the page's words or its own, in whatever case, else the word. */
export function keyOf<K extends { key: string }>(word: string, known: readonly K[]): K | undefined {
  const same = (text: string) => text.toLowerCase() === word.trim().toLowerCase();
  return known.find(({ key }) => same(key) || same(keyWord(key)));
}

/** Whom a fact is about: you, or the noun that was said. */
export const subjectWord = (subject: string): string => (subject === 'user' ? w().you : subject);

type Named = Pick<Fact, 'subject' | 'key' | 'value'>;

/** What a fact is about, in a few words: "home", "sister · name". */
export const topicOf = ({ subject, key }: Named): string => dotted(subject !== 'user' && subject, keyWord(key));

/** A fact in one line: "home = Lyon". */
export const lineOf = (fact: Named): string => `${topicOf(fact)} = ${fact.value}`;

/** Whether a fact is true now, was once, or is to be. */
export type FactState = 'coming' | 'current' | 'over';

export function stateOf(fact: Fact, now = Date.now()): FactState {
  const time = (at: string | undefined) => (at ? Date.parse(at) : 0);
  const [from, to] = [time(fact.valid_from), time(fact.valid_to ?? fact.ended_at)];
  const coming = from > now && from > time(fact.said_at);
  if (to && to <= (coming ? from : now)) return 'over';
  return coming ? 'coming' : 'current';
}

/** The line of a fact as the model reads it, "sister: home = Bern", with its key in the page's words. */
export const inWords = (line: string): string =>
  line.replace(/^((?:[^=]*?: )?)([^=]+)(?= = )/, (_, about: string, key: string) => about + keyWord(key));

export interface FactGroupRows {
  subject: string;
  facts: Fact[];
}

/** The same facts by whom they are about, in the order in which they came. */
export function bySubject(facts: readonly Fact[]): FactGroupRows[] {
  const groups: FactGroupRows[] = [];
  for (const fact of facts) {
    const last = groups.find((group) => group.subject === fact.subject);
    if (last) last.facts.push(fact);
    else groups.push({ subject: fact.subject, facts: [fact] });
  }
  return groups;
}

/** The fact that a revision made or changed; undefined where there is none. */
export function factOf({ before, after }: Pick<Revision, 'before' | 'after'>): Fact | undefined {
  const json = after || before;
  return json === '' ? undefined : (JSON.parse(json) as Fact);
}

/** What a revision did to a fact. */
export type FactDeed = 'noted' | 'changed' | 'over' | 'deleted';

export function deedOf({ before, after }: Pick<Revision, 'before' | 'after'>): FactDeed {
  const had = before === '' ? undefined : (JSON.parse(before) as Fact);
  const has = after === '' ? undefined : (JSON.parse(after) as Fact);
  if (!has || has.deleted_at) return 'deleted';
  if (!had || had.deleted_at) return stateOf(has) === 'over' && !has.replaced_by ? 'over' : 'noted';
  return stateOf(has) === 'over' && stateOf(had) !== 'over' ? 'over' : 'changed';
}

export async function changeFact(fact: Fact, change: FactChange): Promise<Fact | undefined> {
  const result = await app.attempt(() =>
    http.patch<FactResult>(`/facts/${fact.id}`, { ...change, if_version: fact.version }),
  );
  return result?.fact;
}

/** Deletes a fact, and offers it back. */
export async function removeFact(fact: Fact): Promise<boolean> {
  const gone = await app.attempt(() => http.delete<Revised>(`/facts/${fact.id}`));
  if (gone) app.offerUndo(w().removed(lineOf(fact)), gone.revision);
  return gone !== undefined;
}

/** Says that a fact is over as of now, and offers the way back. */
export async function endFact(fact: Fact): Promise<void> {
  const result = await app.attempt(() =>
    http.patch<FactResult>(`/facts/${fact.id}`, { ended: true, if_version: fact.version }),
  );
  if (result) app.offerUndo(w().ended(lineOf(fact)), result.revision);
}
