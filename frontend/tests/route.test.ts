import { expect, test } from 'vitest';
import { href, parseRoute, type Route } from '../src/lib/route.svelte';

test.each<[Route, string]>([
  [{ place: 'chat' }, '#/new'],
  [{ place: 'chat', id: 'conversation-1' }, '#/c/conversation-1'],
  [{ place: 'chat', id: 'conversation-1', query: { m: 'message-2' } }, '#/c/conversation-1?m=message-2'],
  [{ place: 'memory', id: 'archive', query: { q: '猫 & dog', tag: '' } }, '#/memory/archive?q=%E7%8C%AB+%26+dog'],
  [{ place: 'activity' }, '#/activity'],
  [{ place: 'settings', id: 'models' }, '#/settings/models'],
])('%o has the address %s, and the address leads there', (to, address) => {
  expect(href(to)).toBe(address);
  const { place, id, query } = parseRoute(address);
  const given = Object.entries(to.query ?? {}).filter(([, value]) => value !== '');
  expect({ place, id, query }).toEqual({ place: to.place, id: to.id ?? '', query: Object.fromEntries(given) });
});

test.each(['', '#', '#/', '#/nonsense', '#/c/', '#/c/%E0%A4%A', '#/chat/x'])(
  'an address that leads nowhere (%s) opens the chat',
  (address) => expect(parseRoute(address)).toMatchObject({ place: 'chat', id: '' }),
);

test('only #/new asks for a new conversation', () => {
  expect(parseRoute('#/new').fresh).toBe(true);
  expect(parseRoute('').fresh).toBe(false);
});
