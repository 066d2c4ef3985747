import { mount } from 'svelte';
import './tokens.css';
import './base.css';
import App from './App.svelte';
import { applyAppearance, rememberedAppearance } from './lib/appearance';
import { isWebKitGTK } from './lib/platform';

// Before the first paint, as the last run left it; the settings confirm it once they have come.
applyAppearance(rememberedAppearance());

// WebKitGTK draws "11月30日" over itself where it puts space between scripts.
if (isWebKitGTK()) {
  document.documentElement.style.setProperty('text-autospace', 'no-autospace');
}

const target = document.getElementById('app');
if (target) mount(App, { target });
