import { mount } from 'svelte';
import './tokens.css';
import './base.css';
import App from './App.svelte';
import { applyAppearance, rememberedAppearance } from './lib/appearance';

// Before the first paint, as the last run left it; the settings confirm it once they have come.
applyAppearance(rememberedAppearance());

const target = document.getElementById('app');
if (target) mount(App, { target });
