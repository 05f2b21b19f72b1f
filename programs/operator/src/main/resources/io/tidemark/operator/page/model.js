// The nodes that the server sent, their sums, and their order: by default those with a problem first.

const SUMS = ['used', 'available', 'inHandshake', 'missing', 'interfaces'];
const RECENT_MOST = 100;
const { compare } = new Intl.Collator('en', { numeric: true });

export class Model {
  constructor() {
    this.facts = null;
    this.recent = [];
    this.clear();
  }

  clear() {
    this.nodes = new Map();
    this.sums = Object.fromEntries(SUMS.map(key => [key, 0]));
    this.states = new Map();
    this.problems = new Map();
    this.names = null;
    this.order = null;
  }

  /** Everything anew; a node that is the same or not, the list of changes stays. */
  snapshot(message) {
    this.clear();
    this.change(message, false);
  }

  /** What differs; work is that of the changed nodes. */
  change(message, remember = true) {
    if (message.facts) this.facts = message.facts;
    for (const node of message.nodes) this.put(node, remember);
    if (message.nodes.length) this.order = null;
  }

  put(node, remember) {
    const before = this.nodes.get(node.name);
    if (before) this.add(before, -1);
    if (!before || node.gone) this.names = null;
    if (node.gone) {
      this.nodes.delete(node.name);
    } else {
      this.nodes.set(node.name, node);
      this.add(node, 1);
    }
    const from = before ? before.state : 'new';
    const to = node.gone ? 'gone' : node.state;
    if (remember && from !== to && (before || !node.gone)) {
      this.recent.unshift({ at: new Date(), name: node.name, from, to });
      this.recent.length = Math.min(this.recent.length, RECENT_MOST);
    }
  }

  add(node, sign) {
    for (const key of SUMS) this.sums[key] += sign * (node[key] || 0);
    count(this.states, node.state, sign);
    if (node.reason) count(this.problems, node.reason, sign, node);
  }

  /** How many nodes have a problem. */
  get troubled() {
    return [...this.problems.values()].reduce((sum, each) => sum + each.count, 0);
  }

  /** Whether the nodes have pools of addresses. */
  get pools() {
    for (const node of this.nodes.values()) return node.columns.includes('available');
    return true;
  }

  /** Nodes that match the filter, sorted by a value of theirs; without its key those with a problem come first. */
  ordered(filter, { key, down }) {
    // Comparing names takes most of the time, so they are sorted only when one came or went.
    this.names ||= [...this.nodes.keys()].sort(compare);
    const by = key + down;
    if (!this.order || this.by !== by) {
      this.by = by;
      this.order = this.names.map(name => this.nodes.get(name));
      if (!key) this.order.sort((a, b) => rank(a) - rank(b));
      else if (key !== 'name') this.order.sort((a, b) => (down ? -1 : 1) * compared(value(a, key), value(b, key)));
      else if (down) this.order.reverse();
    }
    const wanted = filter.trim().toLowerCase();
    return wanted ? this.order.filter(node => matches(node, wanted)) : this.order;
  }
}

function count(map, key, sign, node) {
  const entry = map.get(key) || { count: 0, node };
  entry.count += sign;
  if (entry.count) map.set(key, entry);
  else map.delete(key);
}

/** A value of a node, by the key of its column. */
export function value(node, key) {
  return key === 'spare' ? node.available - node.used : node[key];
}

function compared(a, b) {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compare(a ?? '', b ?? '');
}

function rank(node) {
  if (node.reason) return node.stops ? 0 : 1;
  if (node.missing > 0) return 2;
  return node.settled ? 4 : 3;
}

function matches(node, wanted) {
  return node.name.toLowerCase().includes(wanted) || node.state.includes(wanted)
    || (node.reason !== null && node.reason.toLowerCase().includes(wanted));
}

/** The parts of a bar: of the spare addresses, those in the release handshake are apart. */
export function parts(of) {
  const spare = Math.max(0, (of.available || 0) - (of.used || 0));
  const hand = Math.min(of.inHandshake || 0, spare);
  return [['used', of.used || 0], ['spare', spare - hand], ['hand', hand], ['needed', of.missing || 0]];
}
