// The nodes that the server sent, their sums, and their order: those with a problem first.

const SUMS = ['used', 'available', 'handOver', 'missing'];
const RECENT_MOST = 100;

export class Model {
  constructor() {
    this.facts = null;
    this.recent = [];
    this.clear();
  }

  clear() {
    this.nodes = new Map();
    this.sums = { used: 0, available: 0, handOver: 0, missing: 0, blocked: 0, waiting: 0 };
    this.states = new Map();
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
    if (node.reason) this.sums[node.stops ? 'blocked' : 'waiting'] += sign;
    const left = (this.states.get(node.state) || 0) + sign;
    if (left) this.states.set(node.state, left);
    else this.states.delete(node.state);
  }

  /** Whether the nodes have pools of addresses. */
  get pools() {
    for (const node of this.nodes.values()) return node.columns.includes('available');
    return true;
  }

  /** Nodes that match the filter, those with a problem first: all of them come before the others. */
  ordered(filter) {
    // Comparing names takes most of the time, so they are sorted only when one came or went.
    this.names ||= [...this.nodes.keys()].sort(new Intl.Collator('en', { numeric: true }).compare);
    if (!this.order) {
      const groups = [[], [], [], [], []];
      for (const name of this.names) groups[rank(this.nodes.get(name))].push(this.nodes.get(name));
      this.order = groups.flat();
    }
    const wanted = filter.trim().toLowerCase();
    return wanted ? this.order.filter(node => matches(node, wanted)) : this.order;
  }
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

/** The parts of a node's pool, in the order of its bar. */
export function parts(of) {
  const used = of.used || 0;
  const hand = Math.min(of.handOver || 0, Math.max(0, (of.available || 0) - used));
  return [
    ['used', 'used', used],
    ['spare', 'spare', Math.max(0, (of.available || 0) - used - hand)],
    ['hand', 'in hand-over', hand],
    ['missing', 'missing', of.missing || 0],
  ];
}
