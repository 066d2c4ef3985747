import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kept } from '../src/lib/field.svelte';
import { pending } from './pending';

describe('a field that keeps what is written', () => {
  let value = $state('');
  let field: HTMLInputElement;
  let keeping: { typed: string; done: () => Promise<void> }[];
  let end: () => void;

  beforeEach(() => {
    value = '1';
    keeping = [];
    field = document.body.appendChild(document.createElement('input'));
    end = $effect.root(() => {
      $effect(
        () =>
          kept(
            () => value,
            ({ value: typed }) => {
              if (typed === 'bad') return false;
              const { promise, resolve } = pending();
              const done = async () => {
                resolve();
                for (let i = 0; i < 5; i++) await tick();
              };
              keeping.push({ typed, done });
              return promise;
            },
          )(field) as () => void,
      );
    });
    flushSync();
  });
  afterEach(() => {
    end();
    field.remove();
  });

  const type = (text: string) => {
    field.focus();
    field.value = text;
    field.dispatchEvent(new Event('input'));
  };
  const leave = () => {
    field.dispatchEvent(new Event('change'));
    field.blur();
  };
  const comes = (now: string) => {
    value = now;
    flushSync();
  };

  it('shows what is kept, also when it changes elsewhere', () => {
    expect(field.value).toBe('1');
    comes('2');
    expect(field.value).toBe('2');
    field.focus();
    comes('3');
    expect(field.value).toBe('3');
  });

  it('leaves what is being written alone', () => {
    type('15');
    comes('2');
    expect(field.value).toBe('15');
  });

  it('leaves what is written after it alone when an answer is late', async () => {
    type('5');
    field.dispatchEvent(new Event('change')); // Enter
    type('57');
    comes('5');
    await keeping[0]?.done();
    expect(field.value).toBe('57');
    leave();
    comes('57');
    await keeping[1]?.done();
    expect(keeping.map(({ typed }) => typed)).toEqual(['5', '57']);
    expect(field.value).toBe('57');
  });

  it('shows no earlier state while a later one is being kept', async () => {
    type('5');
    field.dispatchEvent(new Event('change'));
    type('6');
    leave();
    comes('5');
    await keeping[0]?.done();
    expect(field.value).toBe('6');
  });

  it('shows again what holds when something could not be kept', async () => {
    type('9');
    leave();
    await keeping[0]?.done();
    expect(field.value).toBe('1');
  });

  it('leaves what cannot be kept to be mended', () => {
    type('bad');
    leave();
    expect(field.value).toBe('bad');
  });
});

describe('a tick and a choice', () => {
  let stored = $state<string | boolean>('');
  let end: () => void;
  afterEach(() => end());

  /** Attaches to the field a change that is refused. */
  const refused = <F extends HTMLInputElement | HTMLSelectElement>(field: F) => {
    const keep = kept<F>(
      () => stored,
      () => Promise.resolve(),
    );
    document.body.append(field);
    end = $effect.root(() => {
      $effect(() => keep(field) as () => void);
    });
    flushSync();
    return field;
  };
  const change = async (field: HTMLElement) => {
    field.dispatchEvent(new Event('input'));
    field.dispatchEvent(new Event('change'));
    for (let i = 0; i < 5; i++) await tick();
  };
  const choice = (...values: string[]) => {
    const field = document.createElement('select');
    field.append(...values.map((value) => new Option(value, value)));
    return field;
  };

  it('are set back to what is stored where the change is refused', async () => {
    stored = false;
    const field = document.createElement('input');
    field.type = 'checkbox';
    refused(field).checked = true;
    await change(field);
    expect(field.checked).toBe(false);
    stored = true;
    flushSync();
    expect(field.checked).toBe(true);
    end();

    stored = 'a';
    const list = refused(choice('b', 'a'));
    expect(list.value).toBe('a');
    list.value = 'b';
    await change(list);
    expect(list.value).toBe('a');
  });

  it('shows what is stored as soon as the list has it', async () => {
    stored = 'late';
    const list = refused(choice('soon'));
    list.append(new Option('late', 'late'));
    await new Promise<void>((resolve) => queueMicrotask(resolve));
    expect(list.value).toBe('late');
  });
});
