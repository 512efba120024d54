import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@fontsource/noto-color-emoji/emoji.css';
import { App } from './app.tsx';
import './base.css';
import './page.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root".');
// A browser that draws an emoji before its font has loaded keeps the missing-glyph box.
await document.fonts.load('1em "Noto Color Emoji"', '🔴').catch(() => []);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
