// The state of the engine in a few words, wherever it is told.
import type { EngineStatus } from './api.gen';
import type { Dictionary } from './i18n/en';
import { sentence } from './problems';

export function engineState(engine: EngineStatus, t: Dictionary): string {
  switch (engine.state) {
    case 'ready':
      if (engine.unanswered) return t.engineInstead;
      if (!engine.loopback) return t.engineElsewhere;
      return engine.kind === 'external' ? t.engineRunning : t.engineOurs;
    case 'searching':
      return t.engineSearching;
    case 'starting':
      return t.engineStarting;
    case 'missing':
      return t.engineMissing;
    case 'failed':
      return t.engineFailed;
    default:
      return t.engineStopped;
  }
}

/** What is to be told of the engine besides its state: why it cannot be used, or why it is another than people expect. */
export function engineDetail(engine: EngineStatus, t: Dictionary): string {
  const said = (t.locale === 'en' ? undefined : engine.chinese) ?? engine.message;
  if (said) return sentence(said);
  return engine.unanswered ? t.engineUnanswered(engine.unanswered) : '';
}
