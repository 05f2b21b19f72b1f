// Shows what /events sends. Every text of the server is set as text, never as markup.

import { List } from './list.js';
import { Model, parts, value } from './model.js';

const ROW = 27; // pixels of a row, as page.css lays it out
const NARROW_ROW = 50;
const PROBLEM = 38;
// A limit that no client reaches; the mock cloud has it where it has no limits.
const NO_LIMIT = 1e6;
const ROWS_MOST = 200;
const SAY_EVERY = 15000;
const RETRY = 5000;
const SILENT = 60000;

const model = new Model();
const $ = id => document.getElementById(id);
const number = new Intl.NumberFormat('en-US');
const narrow = matchMedia('(max-width: 640px)');
let columns = '';
let sort = { key: '', down: false };
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

// ---- words of docs/glossary.md

const WORDS = {
  name: 'node',
  inHandshake: 'in release handshake',
  podCapacity: 'pod capacity',
  maxPods: 'pods that the kubelet takes',
  podCIDRs: 'pod CIDRs',
  podSubnet: 'pod subnet',
};

function word(key) {
  return WORDS[key] || key;
}

// ---- bars

function bar() {
  const made = element('div', 'bar');
  made.setAttribute('role', 'img');
  for (const [key] of parts({})) made.append(element('i', key));
  return made;
}

function fillBar(at, of, whole) {
  parts(of).forEach(([, count], i) => {
    at.children[i].hidden = count === 0;
    at.children[i].style.width = `${(100 * count) / whole}%`;
  });
  const texts = [`${shown(of.used)} used`, `${shown(of.available - of.used)} spare`];
  if (of.inHandshake) texts.push(`${shown(of.inHandshake)} of these in release handshake`);
  if (of.missing) texts.push(`${shown(of.missing)} needed`);
  at.setAttribute('aria-label', texts.join(', '));
}

// ---- the list of nodes

/** Heading, key, and the class of a number. */
function headings(node) {
  if (model.pools) {
    return [['Node', 'name'], ['Pool', 'available'], ['Used', 'used', 'n'], ['Spare', 'spare', 'n'], ['In release handshake', 'inHandshake', 'n aside'],
      ['Needed', 'needed', 'n'], ['State', 'state']];
  }
  return [['Node', 'name'], ...node.columns.map(key => [word(key), key]), ['State', 'state']];
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
  $('headings').replaceChildren(...all.map(([text, key, kind]) => {
    const cell = element('div', kind);
    const button = element('button', '', text);
    cell.dataset.key = key;
    button.type = 'button';
    button.addEventListener('click', () => sortBy(key, kind));
    cell.setAttribute('role', 'columnheader');
    cell.append(button);
    return cell;
  }));
  list.reset(() => row(all));
}

/** Numbers begin with the highest; the third time the order is the usual one again. */
function sortBy(key, kind) {
  const first = Boolean(kind) || key === 'available';
  if (sort.key !== key) sort = { key, down: first };
  else sort = sort.down === first ? { key, down: !first } : { key: '', down: false };
  for (const cell of $('headings').children) {
    if (cell.dataset.key === sort.key) cell.setAttribute('aria-sort', sort.down ? 'descending' : 'ascending');
    else cell.removeAttribute('aria-sort');
  }
  later();
}

function row(all) {
  const made = element('div', 'row');
  made.setAttribute('role', 'row');
  all.forEach(([text, key, kind]) => {
    const cell = element('div', kind);
    cell.setAttribute('role', 'gridcell');
    cell.dataset.word = word(key);
    if (text === 'Pool') cell.append(bar());
    made.append(cell);
  });
  const why = element('div', 'why');
  why.setAttribute('role', 'gridcell');
  why.setAttribute('aria-colspan', all.length);
  why.append(element('span', 'found'), element('span', 'remedy'));
  made.append(why);
  return made;
}

function fill(at, node, active) {
  const cells = [...at.children];
  const why = cells.pop();
  [...$('headings').children].forEach(({ dataset: { key } }, i) => {
    if (key === 'available' && model.pools) return fillBar(cells[i].firstChild, node, scale);
    write(cells[i], shown(value(node, key)));
    if (cells[i].classList.contains('n')) cells[i].classList.toggle('zero', !value(node, key));
  });
  cells[0].title = node.name;
  cells.pop().className = 'state ' + node.state;
  why.hidden = !node.reason || active;
  if (node.reason) {
    problem(why.children[0], node, -1);
    write(why.children[1], node.remedy);
  }
  at.classList.toggle('stopped', Boolean(node.reason) && node.stops);
}

/** The code, which leads to its remedy among the problems, and what was found. */
function problem(at, node, tabIndex) {
  const text = `${node.reason} ${node.problem}: ${node.detail}`;
  if (at.textContent === text) return;
  const link = element('a', '', node.reason);
  link.href = '#' + node.reason;
  link.tabIndex = tabIndex;
  at.replaceChildren(link, text.slice(node.reason.length));
}

function nodes() {
  layOut();
  const items = model.ordered($('filter').value, sort);
  scale = items.reduce((most, node) => Math.max(most, (node.available || 0) + (node.missing || 0)), 1);
  list.show(items);
  const all = number.format(model.nodes.size);
  write($('count'), items.length === model.nodes.size ? all : `${number.format(items.length)} of ${all}`);
  $('none').hidden = items.length > 0;
  write($('none'), model.nodes.size ? `No node matches “${$('filter').value.trim()}”. Esc empties the filter.` : 'No nodes are known.');
}

/** What is known of the active node, in the words of the glossary. */
function details(node) {
  $('details').hidden = !node;
  if (!node) return;
  if (node.reason) problem($('details-why'), node, 0);
  else write($('details-why'), '');
  write($('details-remedy'), node.remedy || '');
  const keys = model.pools
    ? ['available', 'used', 'spare', 'inHandshake', 'needed', 'excess', 'interfaces', 'podCapacity', 'maxPods'] : node.columns;
  const known = keys.filter(key => value(node, key) !== null);
  $('details-facts').replaceChildren(...known.map(key => term(word(key), shown(value(node, key)))));
}

function term(name, text, className) {
  const made = element('div', className);
  made.append(element('dt', '', name), element('dd', '', text));
  return made;
}

// ---- everything else

function totals() {
  const { sums, states, pools, nodes: { size } } = model;
  const groups = [['Nodes by state', [['nodes', size], ...[...states.keys()].sort().map(state => [state, states.get(state).count])]]];
  const lacking = model.facts ? model.facts.summary.lacking : '';
  if (pools) {
    groups.push(['Addresses', [['available', sums.available], ['used', sums.used], ['spare', sums.available - sums.used],
      ['of these in release handshake', sums.inHandshake], ['needed', sums.missing, sums.missing && 'bad'], ['interfaces', sums.interfaces]]]);
  } else {
    groups.push([lacking, [['needed', sums.missing, sums.missing && 'bad']]]);
  }
  $('numbers').replaceChildren(...groups.map(([title, counts]) => {
    const group = element('div', 'group');
    const terms = element('dl');
    terms.append(...counts.map(([name, count, kind]) => term(name, number.format(count), kind || '')));
    group.append(element('h3', '', title), terms);
    return group;
  }));
  if (pools && size) {
    const sum = bar();
    fillBar(sum, sums, Math.max(1, sums.available + sums.missing));
    $('numbers').lastChild.append(sum);
  }
  say(`${size} nodes, ${model.troubled} with a problem, ${sums.missing} ${lacking} needed`);
}

function problems() {
  const all = [...model.problems.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  $('problems').hidden = all.length === 0;
  const before = [...$('problems-list').children];
  const items = all.map(([code, { count, node }]) => {
    const item = before.find(each => each.id === code) || problemItem(code, node);
    write(item.firstChild, `${number.format(count)} ${count === 1 ? 'node' : 'nodes'}`);
    item.classList.toggle('marked', location.hash === '#' + code);
    return item;
  });
  // An element that stays in its place keeps the focus.
  if (items.length !== before.length || items.some((item, i) => item !== before[i])) $('problems-list').replaceChildren(...items);
}

function problemItem(code, node) {
  const item = element('li');
  item.id = code;
  const show = element('button');
  show.type = 'button';
  show.title = 'lists these nodes alone';
  show.addEventListener('click', () => filter(code));
  item.append(show, element('h3', 'found', `${code} ${node.problem}`), element('p', '', node.remedy));
  return item;
}

/** For screen readers: not more often than every 15 seconds, and only what changed; the next draw says what this one may not. */
function say(text) {
  const now = Date.now();
  if (text === said.text || now - said.at < SAY_EVERY) return;
  said = { at: now, text };
  write($('announce'), text);
}

function summary({ summary, refused, refusedCount }) {
  const { cluster } = summary;
  $('what').replaceChildren(element('b', '', cluster || ''), `${cluster ? ' · ' : ''}${summary.provider} · ${summary.kind}s`);
  document.title = cluster ? `${cluster} – Tidemark` : 'Tidemark';
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

/** Why requests of a kind wait, if they do. */
function held(each) {
  if (each.closedSeconds > 0) return [`paused for ${each.closedSeconds} s`, 'bad'];
  if (each.throttledLately) return ['throttled lately', 'bad'];
  return each.waiting > 0 ? [`${number.format(each.waiting)} waiting`, 'wait'] : null;
}

function requests(all) {
  const urgent = each => (each.closedSeconds > 0 || each.throttledLately ? 0 : each.waiting > 0 ? 1 : each.sent > 0 ? 2 : 3);
  const unused = all.filter(each => urgent(each) === 3).length;
  const rows = all.filter(each => urgent(each) < 3).sort((a, b) => urgent(a) - urgent(b) || b.sent - a.sent);
  const accounts = new Set(all.map(each => each.account).filter(Boolean));
  const limit = of => of.toLocaleString('en-US', { maximumFractionDigits: 1 });
  $('requests').tBodies[0].replaceChildren(...rows.slice(0, ROWS_MOST).map(each => {
    const operation = element('td', '', accounts.size > 1 && each.account ? `${each.operation} (${each.account})` : each.operation);
    const why = held(each);
    if (why) operation.append(element('small', why[1], why[0]));
    const limits = each.account === undefined ? ['–', '–']
      : each.callsPerSecond >= NO_LIMIT ? ['no limit', '–'] : [limit(each.callsPerSecond), `${limit(Math.floor(each.tokens))} / ${limit(each.capacity)}`];
    return cells(operation, [number.format(each.sent), 'n'], [number.format(each.throttled), each.throttled ? 'n bad' : 'n zero'],
      ...limits.map(text => [text, 'n']));
  }));
  $('requests').hidden = rows.length === 0;
  write($('requests-note'), `${rows.length === 0 ? 'None sent yet. ' : ''}${unused ? `${unused} kinds of requests were not needed so far.` : ''}`);
}

/** How many addresses are free, and for how long at the rate of the last week. */
function freeAddresses({ free, daysLeft }) {
  const cell = element('td', free ? 'n' : 'n bad', number.format(free));
  const days = Math.floor(daysLeft);
  if (daysLeft) cell.append(element('small', days < 7 ? 'bad' : 'wait', `at this rate: ${days < 1 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`}`));
  return cell;
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
    [each.id], [each.zone || '–'], freeAddresses(each), runs(each))));
  write($('subnets-note'), rows.length > ROWS_MOST ? `the ${ROWS_MOST} with the fewest free addresses, of ${number.format(rows.length)}` : 'fewest free addresses first');
}

function now(underWay) {
  const count = underWay ? underWay.count : 0;
  $('now').hidden = !underWay && model.recent.length === 0;
  write($('under-way'), !underWay ? '' : count === 0 ? 'No change of the cloud is under way.' : `${number.format(count)} ${count === 1 ? 'change' : 'changes'} of the cloud under way:`);
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
  $('at').max = of.millis.length - 1;
  if (document.activeElement !== $('at')) $('at').value = of.shown;
  const [now, end] = [of.millis[of.shown], of.millis.at(-1)].map(millis => (millis / 1000).toFixed(3));
  write($('time'), `${now} of ${end} s`);
  $('at').setAttribute('aria-valuetext', now + ' s');
  connected('recorded', '');
  document.querySelector('footer').hidden = true;
}

function draw() {
  drawn = false;
  nodes();
  totals();
  problems();
  if (model.facts) {
    summary(model.facts);
    requests(model.facts.cloud.requests);
    subnets(model.facts.cloud.subnets);
    now(model.facts.cloud.changesUnderWay);
    recording(model.facts.recording);
  }
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

function filter(text) {
  $('filter').value = text;
  later();
}

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
addEventListener('hashchange', later);
narrow.addEventListener('change', later);
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
    filter('');
    $('grid').focus();
  }
});
const list = new List({
  grid: $('grid'),
  view: $('view'),
  space: $('space'),
  details: $('details'),
  height: (node, active) => (narrow.matches ? NARROW_ROW : ROW) + (node.reason && !active ? PROBLEM : 0),
  fill,
  chosen: details,
});
connect('');
