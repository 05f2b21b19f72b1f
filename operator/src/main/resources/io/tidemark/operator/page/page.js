// Shows what /events sends. Every text of the server is set as text, never as markup.

import { List } from './list.js';
import { Model, parts } from './model.js';

const TALL = 66;
const LOW = 27;
const ROWS_MOST = 200;
const SAY_EVERY = 15000;
const RETRY = 5000;
const SILENT = 60000;

const model = new Model();
const $ = id => document.getElementById(id);
const number = new Intl.NumberFormat('en-US');
let columns = '';
let scale = 1;
let drawn = false;
let said = { at: 0, text: '' };
let source = null;
let heard = 0;
let watch = 0;

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function write(at, text) {
  if (at.textContent !== text) at.textContent = text;
}

function shown(value) {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return number.format(value);
  return Array.isArray(value) ? value.join(', ') || '–' : String(value);
}

// ---- bars

function bar(at) {
  at.setAttribute('role', 'img');
  for (const [key] of parts({})) at.append(element('i', key));
  return at;
}

function fillBar(at, of, whole) {
  const all = parts(of);
  all.forEach(([, , count], i) => {
    const part = at.children[i];
    part.hidden = count === 0;
    part.style.width = `${(100 * count) / whole}%`;
  });
  at.setAttribute('aria-label', all.filter(([, , count], i) => i < 2 || count).map(([, word, count]) => `${number.format(count)} ${word}`).join(', '));
}

// ---- the list of nodes

function headings(node) {
  if (model.pools) return [['Node'], ['Pool'], ['Used', 'n'], ['Spare', 'n'], ['Hand-over', 'n'], ['Missing', 'n'], ['Interfaces', 'n'], ['State']];
  return [['Node'], ...node.columns.map(key => [key]), ['State']];
}

function layOut() {
  const first = model.nodes.values().next().value;
  const all = headings(first || { columns: [] });
  const now = JSON.stringify(all);
  if (now === columns) return;
  columns = now;
  $('grid').classList.toggle('pools', model.pools);
  $('legend').hidden = !model.pools;
  $('grid').setAttribute('aria-colcount', all.length);
  $('grid').style.setProperty('--others', all.length - 2);
  $('headings').replaceChildren(...all.map(([text, kind]) => {
    const cell = element('div', kind, text);
    cell.setAttribute('role', 'columnheader');
    return cell;
  }));
  list.reset(() => row(all));
}

function row(all) {
  const made = element('div', 'row');
  made.setAttribute('role', 'row');
  all.forEach(([text, kind]) => {
    const cell = element('div', kind);
    cell.setAttribute('role', 'gridcell');
    if (text === 'Pool') cell.append(bar(element('div', 'bar')));
    made.append(cell);
  });
  const why = element('div', 'why');
  why.setAttribute('role', 'gridcell');
  why.setAttribute('aria-colspan', all.length);
  why.append(element('span', 'found'), element('span', 'remedy'));
  made.append(why);
  return made;
}

function fill(at, node) {
  const cells = at.children;
  write(cells[0], node.name);
  cells[0].title = node.name;
  let next = 1;
  if (model.pools) {
    fillBar(cells[1].firstChild, node, scale);
    const [used, spare, hand, missing] = parts(node).map(([, , count]) => count);
    next = 2;
    for (const count of [used, spare, hand, missing]) write(cells[next++], count ? number.format(count) : '0');
    write(cells[next++], shown(node.interfaces));
    for (let i = 4; i < 6; i++) cells[i].classList.toggle('zero', cells[i].textContent === '0');
  } else {
    for (const key of node.columns) write(cells[next++], shown(node[key]));
  }
  write(cells[next], node.state);
  cells[next++].className = 'state ' + node.state;
  const why = cells[next];
  why.hidden = !node.reason;
  if (node.reason) {
    write(why.children[0], `${node.reason} ${node.problem}: ${node.detail}`);
    write(why.children[1], node.remedy);
  }
  at.classList.toggle('stopped', Boolean(node.reason) && node.stops);
}

function nodes() {
  layOut();
  const items = model.ordered($('filter').value);
  let most = 1;
  for (const node of items) most = Math.max(most, (node.available || 0) + (node.missing || 0));
  scale = most;
  let tall = 0;
  while (tall < items.length && items[tall].reason) tall++;
  list.show(items, tall);
  write($('count'), items.length === model.nodes.size ? number.format(items.length) : `${number.format(items.length)} of ${number.format(model.nodes.size)}`);
}

function detail(node) {
  $('detail').hidden = !node;
  if (!node) return;
  write($('detail-title'), node.name);
  write($('detail-why'), node.reason ? `${node.reason} ${node.problem}: ${node.detail}` : '');
  write($('detail-remedy'), node.remedy || '');
  const left = new Set(['name', 'reason', 'detail', 'problem', 'remedy', 'columns', 'stops', 'settled']);
  $('detail-facts').replaceChildren(...Object.keys(node).filter(key => !left.has(key)).flatMap(key => [element('dt', '', key), element('dd', '', shown(node[key]))]));
}

// ---- everything else

function totals() {
  const { sums, states, pools } = model;
  const all = [['Nodes', model.nodes.size]];
  for (const state of [...states.keys()].sort()) all.push([state, states.get(state), 'state ' + state]);
  all.push(['with a problem', sums.blocked + sums.waiting, sums.blocked + sums.waiting ? 'bad' : '']);
  if (pools) {
    for (const [key, word, count] of parts(sums)) all.push([word, count, count ? key : 'none']);
    fillBar($('sum'), sums, Math.max(1, sums.available + sums.missing));
  } else if (model.facts) {
    all.push([`${model.facts.summary.lacking} missing`, sums.missing, sums.missing ? 'bad' : '']);
  }
  $('sum').hidden = !pools || model.nodes.size === 0;
  $('numbers').replaceChildren(...all.map(([word, count, kind]) => {
    const group = element('div', kind || '');
    group.append(element('dt', '', word), element('dd', '', number.format(count)));
    return group;
  }));
  say(`${model.nodes.size} nodes, ${sums.blocked + sums.waiting} with a problem, ${sums.missing} ${model.facts ? model.facts.summary.lacking : ''} missing`);
}

/** For screen readers: not more often than every 15 seconds, and only what changed; the next draw says what this one may not. */
function say(text) {
  const now = Date.now();
  if (text === said.text || now - said.at < SAY_EVERY) return;
  said = { at: now, text };
  write($('announce'), text);
}

function summary({ summary, refused, refusedCount }) {
  write($('what'), `${summary.provider} · ${summary.kind}s`);
  $('leading').hidden = summary.leading === 'alone';
  write($('leading'), summary.leading);
  const notices = [...summary.unhealthy, ...summary.unready].map(text => element('p', 'notice', text));
  for (const each of refused) {
    notices.push(element('p', 'notice', `${each.object}${each.path ? ' ' + each.path : ''}: ${each.problem}. ${each.remedy}`));
  }
  if (refusedCount > refused.length) notices.push(element('p', 'notice', `and ${refusedCount - refused.length} more problems of objects`));
  const text = notices.map(each => each.textContent).join('\n');
  if ($('notices').dataset.text !== text) {
    $('notices').dataset.text = text;
    $('notices').replaceChildren(...notices);
  }
}

function cells(...values) {
  const made = element('tr');
  for (const each of values) made.append(Array.isArray(each) ? element('td', each[1], each[0]) : each);
  return made;
}

/** A cell whose long word may break before a capital letter. */
function words(text) {
  const made = element('td');
  for (const part of text.split(/(?=[A-Z][a-z])/)) made.append(part, document.createElement('wbr'));
  return made;
}

function requestState(each) {
  if (each.closedSeconds > 0) return [`paused ${each.closedSeconds} s`, 'bad'];
  if (each.throttledLately) return ['throttled', 'bad'];
  if (each.waiting > 0) return [`${number.format(each.waiting)} waiting`, 'wait'];
  return [each.account === undefined ? 'no bucket' : 'ok', 'quiet'];
}

function requests(all) {
  const urgent = each => (each.closedSeconds > 0 || each.throttledLately ? 0 : each.waiting > 0 ? 1 : each.sent > 0 ? 2 : 3);
  const unused = all.filter(each => urgent(each) === 3).length;
  const rows = all.filter(each => urgent(each) < 3).sort((a, b) => urgent(a) - urgent(b) || b.sent - a.sent);
  const accounts = new Set(all.map(each => each.account).filter(Boolean));
  const limit = value => (value > 1e9 ? '∞' : value.toLocaleString('en-US', { maximumFractionDigits: 1 }));
  $('requests').tBodies[0].replaceChildren(...rows.slice(0, ROWS_MOST).map(each => cells(
    words(accounts.size > 1 && each.account ? `${each.operation} (${each.account})` : each.operation),
    [number.format(each.sent), 'n'],
    [number.format(each.throttled), each.throttled ? 'n bad' : 'n zero'],
    [each.account === undefined ? '–' : limit(each.callsPerSecond), 'n'],
    [each.account === undefined ? '–' : `${limit(Math.floor(each.tokens))} / ${limit(each.capacity)}`, 'n'],
    requestState(each))));
  $('requests').hidden = rows.length === 0;
  write($('requests-note'), `${rows.length === 0 ? 'None sent yet. ' : ''}${unused ? `${unused} kinds of requests were not needed so far.` : ''}`);
}

/** How many aligned /28 runs are free, and the share of the free addresses that lie in them. */
function runs({ free, freeBlocks, blockRefused }) {
  if (blockRefused) return ['a /28 was refused lately', 'bad'];
  if (freeBlocks === null || freeBlocks === undefined) return ['not reported by this provider', 'quiet'];
  return [`${number.format(freeBlocks)} (${Math.min(100, Math.round((1600 * freeBlocks) / Math.max(1, free)))} %)`, freeBlocks ? 'n' : 'n bad'];
}

function subnets(all) {
  $('subnets').hidden = !all || all.length === 0;
  if (!all || all.length === 0) {
    write($('subnets-note'), all ? 'none reported yet' : 'not reported: this mode takes addresses from no subnet of a cloud');
    $('subnets').tBodies[0].replaceChildren();
    return;
  }
  const rows = [...all].sort((a, b) => a.free - b.free || (a.id < b.id ? -1 : 1));
  $('subnets').tBodies[0].replaceChildren(...rows.slice(0, ROWS_MOST).map(each => cells(
    [each.id], [each.zone || '–'], [number.format(each.free), each.free ? 'n' : 'n bad'],
    runs(each))));
  write($('subnets-note'), rows.length > ROWS_MOST ? `the ${ROWS_MOST} with the fewest free addresses, of ${number.format(rows.length)}` : 'fewest free addresses first');
}

function now(underWay) {
  const count = underWay ? underWay.count : 0;
  write($('under-way'), !underWay ? 'Changes under way are not shown here.' : count === 0 ? 'No change of the cloud is under way.' : `${number.format(count)} ${count === 1 ? 'change' : 'changes'} of the cloud under way:`);
  $('under-way-list').replaceChildren(...(underWay ? underWay.oldest : []).slice(0, 8).map(text => element('li', '', text)));
  $('recent').replaceChildren(...model.recent.slice(0, 30).map(each => {
    const line = element('li');
    line.append(element('time', '', each.at.toTimeString().slice(0, 8)), element('b', '', each.name), element('span', '', `${each.from} → ${each.to}`));
    return line;
  }));
  $('recent-title').hidden = model.recent.length === 0;
}

function recording(of) {
  $('recording').hidden = !of;
  if (!of) return;
  $('at').max = of.seconds.length - 1;
  if (document.activeElement !== $('at')) $('at').value = of.shown;
  const text = clock(of.seconds[of.shown]);
  write($('time'), `${text} of ${clock(of.seconds[of.seconds.length - 1])}`);
  $('at').setAttribute('aria-valuetext', text);
  connected('recorded', '');
  document.querySelector('footer').hidden = true;
}

function clock(seconds) {
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(part => String(Math.floor(part)).padStart(2, '0')).join(':');
}

function draw() {
  drawn = false;
  nodes();
  totals();
  if (model.facts) {
    summary(model.facts);
    requests(model.facts.cloud.requests);
    subnets(model.facts.cloud.subnets);
    now(model.facts.cloud.changesUnderWay);
    recording(model.facts.recording);
  }
  if (!$('detail').hidden) detail(model.nodes.get($('detail-title').textContent));
}

function later() {
  if (drawn) return;
  drawn = true;
  requestAnimationFrame(draw);
}

// ---- the stream: between events the server is silent for ten seconds at most

function connect(query) {
  if (source) source.close();
  const own = new EventSource('events' + query);
  source = own;
  heard = Infinity; // all nodes can take long
  clearInterval(watch);
  watch = setInterval(() => {
    if (Date.now() - heard < SILENT) return;
    connected('no answer, trying again', 'bad');
    connect(query);
  }, SILENT / 12);
  const take = how => event => {
    if (source !== own) return;
    heard = Date.now();
    how(JSON.parse(event.data));
    if (model.facts.recording) {
      own.close();
      clearInterval(watch);
    }
    connected('live', 'live');
    later();
  };
  own.addEventListener('snapshot', take(message => model.snapshot(message)));
  own.addEventListener('change', take(message => model.change(message)));
  own.addEventListener('ping', take(() => {}));
  own.addEventListener('error', () => {
    if (source !== own) return;
    connected('connection lost, trying again', 'bad');
    if (own.readyState === EventSource.CLOSED) setTimeout(() => source === own && connect(query), RETRY);
  });
}

function connected(text, kind) {
  write($('connection'), text);
  $('connection').className = 'tag ' + kind;
}

// ---- controls

function theme(chosen) {
  if (chosen) document.documentElement.dataset.theme = chosen;
  else delete document.documentElement.dataset.theme;
}

function stored(write) {
  try {
    return write === undefined ? localStorage.getItem('theme') || '' : localStorage.setItem('theme', write);
  } catch {
    return '';
  }
}

$('theme').value = stored();
theme($('theme').value);
$('theme').addEventListener('change', () => {
  theme($('theme').value);
  stored($('theme').value);
});
$('filter').addEventListener('input', later);
$('recording').addEventListener('submit', event => event.preventDefault());
$('at').addEventListener('input', () => {
  const at = $('at').value;
  setTimeout(() => at === $('at').value && connect('?at=' + at), 80);
});
document.addEventListener('keydown', event => {
  if (event.key === '/' && !/INPUT|SELECT/.test(document.activeElement.tagName)) {
    event.preventDefault();
    $('filter').focus();
  } else if (event.key === 'Escape' && document.activeElement === $('filter')) {
    $('filter').value = '';
    later();
    $('grid').focus();
  }
});
bar($('sum'));
const list = new List($('grid'), $('view'), $('space'), [TALL, LOW], fill, detail);
connect('');
