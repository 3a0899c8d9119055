// What the console does where scripts run. All else works without.

import { drawCharts } from './console/charts.ts';
import { askBeforeSending } from './console/confirm.ts';
import { showExports } from './console/export.ts';
import { keepLive } from './console/live.ts';
import { readLocalMoments } from './console/local-fields.ts';
import { switchMenu } from './console/menu.ts';
import { showMoments } from './console/moments.ts';
import { helpSetup } from './console/setup.ts';
import { watchOrder } from './console/watch.ts';

// A page that comes back from the browser's memory may be out of date, so it is loaded again.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

document.querySelector<HTMLElement>('[data-focus]')?.focus();
switchMenu();
showMoments(document);
askBeforeSending();
helpSetup();
keepLive(showMoments);
showExports();
readLocalMoments();
watchOrder();
drawCharts();
