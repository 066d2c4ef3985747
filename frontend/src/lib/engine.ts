// The state of the engine in a few words, wherever it is told.
import type { EngineStatus } from './api.gen';
import type { Dictionary } from './i18n/en';

export function engineState(engine: EngineStatus, t: Dictionary): string {
  switch (engine.state) {
    case 'ready':
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
